{{- define "plimsoll.database-secret" -}}
{{- if .Values.api.database.existingSecret -}}
{{- .Values.api.database.existingSecret -}}
{{- else if .Values.api.database.url -}}
{{- include "plimsoll.component" (list . "database") -}}
{{- end -}}
{{- end -}}

{{/* Key of PostgreSQL's own address in the Secret of the database; empty without a pooler in between. */}}
{{- define "plimsoll.listen-key" -}}
{{- if .Values.api.database.existingSecret -}}
{{- .Values.api.database.listenKey -}}
{{- else if .Values.api.database.listenUrl -}}
PLIMSOLL_LISTEN_URL
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

{{/* Secret with the key that seals secrets; empty: the API keeps a file on its volume. */}}
{{- define "plimsoll.secret-key-secret" -}}
{{- if .Values.api.secretKey.existingSecret -}}
{{- .Values.api.secretKey.existingSecret -}}
{{- else if include "plimsoll.makes-secret-key" . -}}
{{- include "plimsoll.component" (list . "secret-key") -}}
{{- end -}}
{{- end -}}

{{/*
"true" without a volume, where a file would be lost with the pod and differ between replicas. A key among the variables
of api.auth.existingSecret stays the one in use. `lookup` stands inside `tpl`, because Helm 3.0 does not know it.
*/}}
{{- define "plimsoll.makes-secret-key" -}}
{{- if and (not .Values.api.secretKey.existingSecret) (include "plimsoll.database-secret" .) (not .Values.api.persistence.enabled) (contains "HelmVersion" (toYaml .Capabilities)) -}}
{{- $given := "" -}}
{{- if .Values.api.auth.existingSecret -}}
{{- $given = tpl "{{ with lookup \"v1\" \"Secret\" .Release.Namespace .Values.api.auth.existingSecret }}{{ get (default dict .data) \"PLIMSOLL_SECRET_KEY\" }}{{ end }}" . -}}
{{- end -}}
{{- if not $given -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{/* "true" when more than one replica of the API may run. */}}
{{- define "plimsoll.api-is-replicated" -}}
{{- if or .Values.api.autoscaling.enabled (gt (int .Values.api.replicas) 1) -}}true{{- end -}}
{{- end -}}

{{/* More than one replica needs a database of its own; the embedded one has one writer. */}}
{{- define "plimsoll.check-api-replicas" -}}
{{- $reporters := or .Values.nodeAgent.enabled .Values.clusterCollector.enabled -}}
{{- if and $reporters (eq (int .Values.api.replicas) 0) (not .Values.api.autoscaling.enabled) (not .Values.endpoint) (not .Values.backup.restore.file) -}}
{{- fail "api.replicas is 0, and the collectors of this release report to that API: set api.replicas=1, or nodeAgent.enabled=false and clusterCollector.enabled=false" -}}
{{- end -}}
{{- $setting := ternary "api.autoscaling.enabled" "api.replicas above 1" .Values.api.autoscaling.enabled -}}
{{- if and (include "plimsoll.api-is-replicated" .) (not (include "plimsoll.database-secret" .)) -}}
{{- fail (printf "%s needs a database of its own: set api.database.url or api.database.existingSecret" $setting) -}}
{{- end -}}
{{- if and (include "plimsoll.api-is-replicated" .) .Values.api.persistence.enabled (not (has "ReadWriteMany" .Values.api.persistence.accessModes)) -}}
{{- fail (printf "%s cannot share a ReadWriteOnce volume: set api.persistence.enabled=false or api.persistence.accessModes={ReadWriteMany}" $setting) -}}
{{- end -}}
{{- end -}}

{{/* What leads to the database and to the key that seals secrets; API, backup and restore have it in common. */}}
{{- define "plimsoll.storage-env" -}}
{{- $api := .Values.api -}}
- name: PLIMSOLL_DATA_DIR
  value: /var/lib/plimsoll/data
{{- if include "plimsoll.database-secret" . }}
- name: DATABASE_URL_FILE
  value: /etc/plimsoll/database/{{ $api.database.key }}
{{- with include "plimsoll.listen-key" . }}
- name: PLIMSOLL_LISTEN_URL_FILE
  value: /etc/plimsoll/database/{{ . }}
{{- end }}
{{- with $api.database.caSecret.name }}
- name: DATABASE_CA_FILE
  value: /etc/plimsoll/database-ca/{{ $api.database.caSecret.key }}
{{- end }}
{{- end }}
{{- if include "plimsoll.secret-key-secret" . }}
- name: PLIMSOLL_SECRET_KEY_FILE
  value: /etc/plimsoll/secret-key/{{ $api.secretKey.key }}
{{- end }}
{{- end -}}

{{- define "plimsoll.storage-mounts" -}}
- name: storage
  mountPath: /var/lib/plimsoll
- name: tmp
  mountPath: /tmp
{{- if include "plimsoll.database-secret" . }}
- name: database
  mountPath: /etc/plimsoll/database
  readOnly: true
{{- if .Values.api.database.caSecret.name }}
- name: database-ca
  mountPath: /etc/plimsoll/database-ca
  readOnly: true
{{- end }}
{{- end }}
{{- if include "plimsoll.secret-key-secret" . }}
- name: secret-key
  mountPath: /etc/plimsoll/secret-key
  readOnly: true
{{- end }}
{{- end -}}

{{/* (list . withTheVolumeOfTheApi) */}}
{{- define "plimsoll.storage-volumes" -}}
{{- with index . 0 -}}
- name: storage
  {{- if index $ 1 }}
  persistentVolumeClaim: { claimName: {{ include "plimsoll.claim" . }} }
  {{- else }}
  emptyDir: {}
  {{- end }}
- name: tmp
  emptyDir: {}
{{- with include "plimsoll.database-secret" . }}
- name: database
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- with (index $ 0).Values.api.database.caSecret.name }}
- name: database-ca
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end }}
{{- with include "plimsoll.secret-key-secret" . }}
- name: secret-key
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end }}
{{- end -}}
