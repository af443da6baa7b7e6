{{/* Where node agents and the cluster collector report to. */}}
{{- define "plimsoll.endpoint" -}}
{{- if .Values.endpoint -}}
{{- trimSuffix "/" .Values.endpoint -}}
{{- else if .Values.api.enabled -}}
{{- printf "http://%s.%s.svc:%d" (include "plimsoll.component" (list . "api")) .Release.Namespace (int .Values.api.service.port) -}}
{{- else -}}
{{- fail "endpoint is empty: without this release's own API (api.enabled=false) set endpoint to the dashboard's address, like https://plimsoll.example.com" -}}
{{- end -}}
{{- end -}}

{{/* Plain http is accepted inside the release, or when the operator says so. */}}
{{- define "plimsoll.allow-http" -}}
{{- if .Values.endpoint -}}
{{- if and (hasPrefix "http:" .Values.endpoint) (not .Values.allowHttp) -}}
{{- fail "endpoint is plain http, which sends the token in the clear: use https, or accept it with allowHttp=true" -}}
{{- end -}}
{{- .Values.allowHttp -}}
{{- else -}}
true
{{- end -}}
{{- end -}}

{{- define "plimsoll.token-secret" -}}
{{- default (include "plimsoll.component" (list . "token")) .Values.token.existingSecret -}}
{{- end -}}

{{/*
The token, base64. Given, or kept from the cluster, or made at the first install. Keeping needs `lookup`, which Helm 3.0
does not know: it stands inside `tpl`, so that such a Helm can still read the chart where a token is given.
*/}}
{{- define "plimsoll.token" -}}
{{- if .Values.token.value -}}
{{- .Values.token.value | b64enc -}}
{{- else if not .Values.api.enabled -}}
{{- fail "token is missing: set token.value or token.existingSecret to the cluster token the dashboard's Setup page shows" -}}
{{- else if not (contains "HelmVersion" (toYaml .Capabilities)) -}}
{{- fail "this Helm cannot keep a generated token: use Helm 3.3 or newer, or set token.value or token.existingSecret" -}}
{{- else -}}
{{- $kept := tpl "{{ with lookup \"v1\" \"Secret\" .Release.Namespace (include \"plimsoll.token-secret\" .) }}{{ index .data $.Values.token.key }}{{ end }}" . -}}
{{- default (printf "plm_cluster_%s" (randAlphaNum 43) | b64enc) $kept -}}
{{- end -}}
{{- end -}}

{{- define "plimsoll.telegram-secret" -}}
{{- if .Values.telegram.existingSecret -}}
{{- .Values.telegram.existingSecret -}}
{{- else if and .Values.telegram.botToken .Values.telegram.chatId -}}
{{- include "plimsoll.component" (list . "telegram") -}}
{{- end -}}
{{- end -}}

{{/* Settings both kinds of collector share. */}}
{{- define "plimsoll.collector-env" -}}
- name: PLIMSOLL_URL
  value: {{ include "plimsoll.endpoint" . | quote }}
- name: PLIMSOLL_ALLOW_HTTP
  value: {{ include "plimsoll.allow-http" . | quote }}
- name: PLIMSOLL_CLUSTER_TOKEN_FILE
  value: /etc/plimsoll/token/{{ .Values.token.key }}
- name: NODE_NAME
  valueFrom: { fieldRef: { fieldPath: spec.nodeName } }
- name: POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- name: POD_NAMESPACE
  valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
- name: PLIMSOLL_LOG_LEVEL
  value: {{ .Values.logLevel }}
- name: PLIMSOLL_LOG_FORMAT
  value: json
{{- end -}}

{{/*
The proxy towards the dashboard: (list . "hosts reached without it"). Node uses it in fetch only, which requests nothing but
the dashboard; the node agent also reads its kubelet with fetch, so the address of its node is an exception.
*/}}
{{- define "plimsoll.proxy-env" -}}
{{- $root := index . 0 -}}
{{- with $root.Values.proxy.url -}}
{{- range (list "HTTP_PROXY" "HTTPS_PROXY") }}
- name: {{ . }}
  value: {{ $root.Values.proxy.url | quote }}
{{- end }}
- name: NO_PROXY
  value: {{ compact (list (index $ 1) $root.Values.proxy.noProxy ".svc" "localhost" "127.0.0.1") | join "," | quote }}
- name: NODE_USE_ENV_PROXY
  value: "1"
{{- end -}}
{{- end -}}

{{- define "plimsoll.token-mount" -}}
- name: token
  mountPath: /etc/plimsoll/token
  readOnly: true
{{- end -}}

{{- define "plimsoll.token-volume" -}}
- name: token
  secret:
    secretName: {{ include "plimsoll.token-secret" . }}
    defaultMode: 0440
{{- end -}}
