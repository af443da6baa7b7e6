{{- define "plimsoll.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{/* Prefix of every object. At most 40 characters, so that a component's name still fits. */}}
{{- define "plimsoll.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "plimsoll.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "plimsoll.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of an object of a component: (list . "api") */}}
{{- define "plimsoll.component" -}}
{{- printf "%s-%s" (include "plimsoll.fullname" (index . 0)) (index . 1) -}}
{{- end -}}

{{/* Name of a cluster-wide object: the namespace keeps two releases of one name apart. */}}
{{- define "plimsoll.cluster-wide" -}}
{{- printf "%s:%s" (index . 0).Release.Namespace (include "plimsoll.component" .) -}}
{{- end -}}

{{- define "plimsoll.selector" -}}
app.kubernetes.io/name: {{ include "plimsoll.name" (index . 0) }}
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "plimsoll.labels" -}}
{{ include "plimsoll.selector" . }}
{{- with index . 0 }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "plimsoll.service-account" -}}
{{- $account := (index . 2).serviceAccount -}}
{{- if $account.create -}}
{{- default (include "plimsoll.component" (list (index . 0) (index . 1))) $account.name -}}
{{- else -}}
{{- default "default" $account.name -}}
{{- end -}}
{{- end -}}

{{/* An image by digest where one is given: (list . image) */}}
{{- define "plimsoll.image" -}}
{{- $image := index . 1 -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $image.repository $image.digest -}}
{{- else -}}
{{- printf "%s:%s" $image.repository $image.tag -}}
{{- end -}}
{{- end -}}

{{/* One of Plimsoll's own images, which come from image.registry: (list . "api") */}}
{{- define "plimsoll.own-image" -}}
{{- $images := (index . 0).Values.image -}}
{{- $image := index $images (index . 1) -}}
{{- $repository := printf "%s/%s" (trimSuffix "/" $images.registry) $image.repository -}}
{{- $tag := default (index . 0).Chart.AppVersion $images.tag -}}
{{- include "plimsoll.image" (list (index . 0) (dict "repository" $repository "digest" $image.digest "tag" $tag)) -}}
{{- end -}}

{{/*
"true" where this release installs a definition of custom resources: (list . "alertrules.plimsoll.dev"). A second
release in the cluster leaves the definitions of the first alone: Helm would refuse them. `lookup` stands inside `tpl`,
because Helm 3.0 does not know it.
*/}}
{{- define "plimsoll.owns-definition" -}}
{{- $root := index . 0 -}}
{{- if and $root.Values.clusterCollector.enabled $root.Values.customResources.create -}}
{{- $owner := "" -}}
{{- if contains "HelmVersion" (toYaml $root.Capabilities) -}}
{{- $owner = tpl (printf "{{ with lookup \"apiextensions.k8s.io/v1\" \"CustomResourceDefinition\" \"\" %q }}{{ get (default dict .metadata.annotations) \"meta.helm.sh/release-namespace\" }}/{{ get (default dict .metadata.annotations) \"meta.helm.sh/release-name\" }}{{ end }}" (index . 1)) $root -}}
{{- end -}}
{{- if or (eq $owner "") (eq $owner (printf "%s/%s" $root.Release.Namespace $root.Release.Name)) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{/* Pod Security level that the release's namespace enforces; empty: none, or Helm does not know. */}}
{{- define "plimsoll.enforced-pod-security" -}}
{{- if contains "HelmVersion" (toYaml .Capabilities) -}}
{{- tpl "{{ with lookup \"v1\" \"Namespace\" \"\" .Release.Namespace }}{{ get (default dict .metadata.labels) \"pod-security.kubernetes.io/enforce\" }}{{ end }}" . -}}
{{- end -}}
{{- end -}}

{{/* Families of addresses of a Service: (list . valuesThatWin) */}}
{{- define "plimsoll.ip-families" -}}
{{- $all := (index . 0).Values.service -}}
{{- $own := index . 1 -}}
{{- with (default $all.ipFamilyPolicy $own.ipFamilyPolicy) }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with (default $all.ipFamilies $own.ipFamilies) }}
ipFamilies:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
