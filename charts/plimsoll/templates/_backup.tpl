{{- define "plimsoll.backup" -}}
{{- if and .Values.backup.enabled (not .Values.api.enabled) -}}
{{- fail "backup.enabled needs api.enabled: without it this release has no database" -}}
{{- end -}}
{{- if .Values.backup.enabled -}}true{{- end -}}
{{- end -}}

{{/* "true" with the embedded database: it has no network port, so its only process writes the backups. */}}
{{- define "plimsoll.api-writes-backups" -}}
{{- if and (include "plimsoll.backup" .) (not (include "plimsoll.database-secret" .)) -}}true{{- end -}}
{{- end -}}

{{/* "true" while a backup is restored: the API is stopped then. */}}
{{- define "plimsoll.restores" -}}
{{- if .Values.backup.restore.file -}}
{{- if not (include "plimsoll.backup" .) -}}
{{- fail "backup.restore.file needs backup.enabled: the file is on the volume of the backups" -}}
{{- end -}}
true
{{- end -}}
{{- end -}}

{{- define "plimsoll.backup-claim" -}}
{{- default (include "plimsoll.component" (list . "backups")) .Values.backup.persistence.existingClaim -}}
{{- end -}}

{{- define "plimsoll.backup-mounts" -}}
- name: backups
  mountPath: /var/lib/plimsoll-backups
{{- if .Values.backup.encryption.existingSecret }}
- name: backup-passphrase
  mountPath: /etc/plimsoll/backup
  readOnly: true
{{- end }}
{{- end -}}

{{- define "plimsoll.backup-volumes" -}}
- name: backups
  persistentVolumeClaim: { claimName: {{ include "plimsoll.backup-claim" . }} }
{{- with .Values.backup.encryption.existingSecret }}
- name: backup-passphrase
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- end -}}

{{/* Pod of a command of the API's image on the API's database: (list . "component" args affinity withTheVolumeOfTheApi) */}}
{{- define "plimsoll.backup-pod" -}}
{{- $root := index . 0 -}}
{{- $api := $root.Values.api -}}
{{- $placement := merge (dict "affinity" (index . 3)) (omit $api "affinity") -}}
{{- include "plimsoll.pod" (list $root "api" $placement) }}
automountServiceAccountToken: false
restartPolicy: Never
containers:
  - name: {{ index . 1 }}
    image: {{ include "plimsoll.own-image" (list $root "api") }}
    imagePullPolicy: {{ $root.Values.imagePullPolicy }}
    command: [node]
    args:
      {{- toYaml (index . 2) | nindent 6 }}
    env:
      - name: PLIMSOLL_LOG_FORMAT
        value: json
      {{- include "plimsoll.storage-env" $root | nindent 6 }}
      {{- with $root.Values.backup.encryption }}
      {{- if .existingSecret }}
      - name: PLIMSOLL_BACKUP_PASSPHRASE_FILE
        value: /etc/plimsoll/backup/{{ .key }}
      {{- end }}
      {{- end }}
      {{- with $api.extraEnv }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    resources:
      {{- include "plimsoll.resources" (list "backup.resources" $root.Values.backup.resources) | nindent 6 }}
    securityContext:
      {{- toYaml $api.securityContext | nindent 6 }}
    volumeMounts:
      {{- include "plimsoll.backup-mounts" $root | nindent 6 }}
      {{- include "plimsoll.storage-mounts" $root | nindent 6 }}
      {{- with $api.extraVolumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
volumes:
  {{- include "plimsoll.backup-volumes" $root | nindent 2 }}
  {{- include "plimsoll.storage-volumes" (list $root (index . 4)) | nindent 2 }}
  {{- with $api.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}
