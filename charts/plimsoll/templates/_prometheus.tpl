{{- define "plimsoll.prometheus" -}}
{{- if .Values.prometheus.enabled -}}true{{- end -}}
{{- end -}}

{{/* One toggle drives both: without Prometheus nobody asks kube-state-metrics. */}}
{{- define "plimsoll.kube-state-metrics" -}}
{{- if and .Values.prometheus.enabled .Values.kubeStateMetrics.enabled -}}true{{- end -}}
{{- end -}}

{{- define "plimsoll.node-exporter" -}}
{{- if and .Values.prometheus.enabled .Values.nodeExporter.enabled -}}true{{- end -}}
{{- end -}}

{{/* The one we bring, or the one that is there; empty: none. */}}
{{- define "plimsoll.prometheus-url" -}}
{{- if .Values.prometheus.url -}}
{{- .Values.prometheus.url -}}
{{- else if include "plimsoll.prometheus" . -}}
{{- printf "http://%s.%s.svc:9090" (include "plimsoll.component" (list . "prometheus")) .Release.Namespace -}}
{{- end -}}
{{- end -}}

{{- define "plimsoll.prometheus-claim" -}}
{{- default (include "plimsoll.component" (list . "prometheus")) .Values.prometheus.persistence.existingClaim -}}
{{- end -}}
