{{/* What every pod of ours has in common: (list . "component" values) */}}
{{- define "plimsoll.pod" -}}
{{- $root := index . 0 -}}
{{- $values := index . 2 -}}
serviceAccountName: {{ include "plimsoll.service-account" . }}
{{- with $root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- include "plimsoll.placement" (list (index . 1) $values) }}
{{- end -}}

{{/* Where a pod may run, and as whom: (list "component" values) */}}
{{- define "plimsoll.placement" -}}
{{- $values := index . 1 -}}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
nodeSelector:
  {{- toYaml (merge (dict) (default dict $values.nodeSelector) (dict "kubernetes.io/os" "linux")) | nindent 2 }}
affinity:
  {{- include "plimsoll.affinity" . | nindent 2 }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
The affinity given, limited to the architectures of our images. A pod of a DaemonSet tolerates every taint, so it
also avoids nodes that run no DaemonSet or are no machines: Fargate, virtual-kubelet, Liqo, KWOK.
*/}}
{{- define "plimsoll.affinity" -}}
{{- $platform := list (dict "key" "kubernetes.io/arch" "operator" "In" "values" (list "amd64" "arm64")) -}}
{{- if has (index . 0) (list "node-agent" "node-exporter") -}}
{{- $platform = append $platform (dict "key" "eks.amazonaws.com/compute-type" "operator" "NotIn" "values" (list "fargate")) -}}
{{- $platform = append $platform (dict "key" "type" "operator" "NotIn" "values" (list "virtual-kubelet" "kwok")) -}}
{{- $platform = append $platform (dict "key" "virtual-kubelet.io/provider" "operator" "DoesNotExist") -}}
{{- $platform = append $platform (dict "key" "liqo.io/type" "operator" "NotIn" "values" (list "virtual-node")) -}}
{{- end -}}
{{- /* A copy: what is changed in place would change the values that later templates read. */ -}}
{{- $affinity := default dict (index . 1).affinity | toYaml | fromYaml -}}
{{- $node := default dict $affinity.nodeAffinity -}}
{{- $required := default dict $node.requiredDuringSchedulingIgnoredDuringExecution -}}
{{- $terms := list -}}
{{- /* The scheduler needs one of the terms, so each gets the platform. */ -}}
{{- range default (list dict) $required.nodeSelectorTerms -}}
{{- $expressions := default list .matchExpressions -}}
{{- range $platform -}}{{- $expressions = append $expressions . -}}{{- end -}}
{{- $terms = append $terms (merge (dict "matchExpressions" $expressions) (omit . "matchExpressions")) -}}
{{- end -}}
{{- $_ := set $node "requiredDuringSchedulingIgnoredDuringExecution" (dict "nodeSelectorTerms" $terms) -}}
{{- $_ := set $affinity "nodeAffinity" $node -}}
{{- toYaml $affinity -}}
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
