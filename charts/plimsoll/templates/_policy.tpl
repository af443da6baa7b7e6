{{/* Names are looked up on every pod's way out. */}}
{{- define "plimsoll.egress-dns" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- end -}}

{{/* The API server: its Service's address, and those behind it, are known to no policy; its ports are. */}}
{{- define "plimsoll.egress-api-server" -}}
- ports:
    {{- range .Values.networkPolicy.egress.apiServerPorts }}
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
{{- end -}}

{{/* The dashboard: pods of this release, or any address at the port of `endpoint`. */}}
{{- define "plimsoll.egress-dashboard" -}}
{{- if .Values.endpoint }}
- ports:
    - { port: {{ include "plimsoll.port-of" .Values.endpoint }}, protocol: TCP }
{{- else }}
- to:
    - podSelector:
        matchLabels:
          {{- include "plimsoll.selector" (list . "api") | nindent 10 }}
  ports:
    - { port: 8420, protocol: TCP }
{{- end }}
{{- end -}}

{{/* A component of this release, by number: not every network plugin knows names of ports on the way out: (list . "component" port) */}}
{{- define "plimsoll.egress-component" -}}
- to:
    - podSelector:
        matchLabels:
          {{- include "plimsoll.selector" . | nindent 10 }}
  ports:
    - { port: {{ index . 2 }}, protocol: TCP }
{{- end -}}

{{/* The port of a URL. */}}
{{- define "plimsoll.port-of" -}}
{{- $found := regexFind ":[0-9]+$" (urlParse .).host -}}
{{- if $found -}}{{ trimPrefix ":" $found }}
{{- else if hasPrefix "https:" . -}}443
{{- else -}}80
{{- end -}}
{{- end -}}
