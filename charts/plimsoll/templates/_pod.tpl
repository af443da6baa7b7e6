{{/* What every pod of ours has in common: (list . "component" values) */}}
{{- define "plimsoll.pod" -}}
{{- $root := index . 0 -}}
{{- $values := index . 2 -}}
serviceAccountName: {{ include "plimsoll.service-account" . }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- include "plimsoll.placement" $values }}
{{- end -}}

{{/* Where a pod may run, and as whom: values of a component */}}
{{- define "plimsoll.placement" -}}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* One pod per node before a second, or the constraints given: (list . "component" values) */}}
{{- define "plimsoll.spread" -}}
topologySpreadConstraints:
{{- with (index . 2).topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "plimsoll.selector" . | nindent 8 }}
{{- end }}
{{- end -}}

{{- define "plimsoll.pod-labels" -}}
{{ include "plimsoll.labels" (list (index . 0) (index . 1)) }}
{{- with (index . 2).podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* autoscaling/v2 came with 1.23. */}}
{{- define "plimsoll.autoscaling-version" -}}
{{- if semverCompare ">=1.23-0" .Capabilities.KubeVersion.Version -}}autoscaling/v2
{{- else -}}autoscaling/v2beta2
{{- end -}}
{{- end -}}

{{/* batch/v1 has CronJobs since 1.21. */}}
{{- define "plimsoll.cronjob-version" -}}
{{- if semverCompare ">=1.21-0" .Capabilities.KubeVersion.Version -}}batch/v1
{{- else -}}batch/v1beta1
{{- end -}}
{{- end -}}

{{/* policy/v1 came with 1.21. */}}
{{- define "plimsoll.pdb-version" -}}
{{- if .Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget" -}}policy/v1
{{- else if semverCompare ">=1.21-0" .Capabilities.KubeVersion.Version -}}policy/v1
{{- else -}}policy/v1beta1
{{- end -}}
{{- end -}}
