{{- define "plimsoll.database-secret" -}}
{{- if .Values.api.database.existingSecret -}}
{{- .Values.api.database.existingSecret -}}
{{- else if .Values.api.database.url -}}
{{- include "plimsoll.component" (list . "database") -}}
{{- end -}}
{{- end -}}

{{- define "plimsoll.admin-secret" -}}
{{- if .Values.api.admin.existingSecret -}}
{{- .Values.api.admin.existingSecret -}}
{{- else if .Values.api.admin.password -}}
{{- include "plimsoll.component" (list . "admin") -}}
{{- end -}}
{{- end -}}

{{- define "plimsoll.claim" -}}
{{- default (include "plimsoll.component" (list . "storage")) .Values.api.persistence.existingClaim -}}
{{- end -}}

{{/* More than one replica needs a database of its own; the embedded one has one writer. */}}
{{- define "plimsoll.api-replicas" -}}
{{- if and (gt (int .Values.api.replicas) 1) (not (include "plimsoll.database-secret" .)) -}}
{{- fail "api.replicas above 1 needs a database of its own: set api.database.url or api.database.existingSecret" -}}
{{- end -}}
{{- if and (gt (int .Values.api.replicas) 1) .Values.api.persistence.enabled (not (has "ReadWriteMany" .Values.api.persistence.accessModes)) -}}
{{- fail "api.replicas above 1 cannot share a ReadWriteOnce volume: set api.persistence.enabled=false or api.persistence.accessModes={ReadWriteMany}" -}}
{{- end -}}
{{- .Values.api.replicas -}}
{{- end -}}
