{{/* What every pod of ours has in common: (list . "component" values) */}}
{{- define "plimsoll.pod" -}}
{{- $root := index . 0 -}}
{{- $values := index . 2 -}}
serviceAccountName: {{ include "plimsoll.service-account" . }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* One pod per node before a second: (list . "component") */}}
{{- define "plimsoll.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "plimsoll.selector" . | nindent 8 }}
{{- end -}}

{{- define "plimsoll.pod-labels" -}}
{{ include "plimsoll.labels" (list (index . 0) (index . 1)) }}
{{- with (index . 2).podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* policy/v1 came with 1.21. */}}
{{- define "plimsoll.pdb-version" -}}
{{- if .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" -}}policy/v1
{{- else if semverCompare ">=1.21-0" .Capabilities.KubeVersion.Version -}}policy/v1
{{- else -}}policy/v1beta1
{{- end -}}
{{- end -}}
