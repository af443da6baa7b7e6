{{/* Resources of a container, checked: (list "path of the value" resources) */}}
{{- define "plimsoll.resources" -}}
{{- $path := index . 0 -}}
{{- $resources := default dict (index . 1) -}}
{{- $limits := default dict $resources.limits -}}
{{- range $name, $request := default dict $resources.requests -}}
{{- $limit := index $limits $name -}}
{{- if and (not (kindIs "invalid" $limit)) (lt (include "plimsoll.thousandths" $limit | int64) (include "plimsoll.thousandths" $request | int64)) -}}
{{- fail (printf "%s.limits.%s is %v, below %s.requests.%s, which is %v: raise the limit or lower the request" $path $name $limit $path $name $request) -}}
{{- end -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{/*
A quantity in thousandths, a whole number: arithmetic with fractions came with Helm 3.5. What no container of ours
gets (1 EiB and more) is the largest number.
*/}}
{{- define "plimsoll.thousandths" -}}
{{- $text := . | toString -}}
{{- if kindIs "float64" . -}}{{- $text = printf "%.3f" . -}}{{- end -}}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" $text -}}
{{- $unit := trimPrefix $number $text -}}
{{- $parts := splitList "." $number -}}
{{- $fraction := "000" -}}
{{- if gt (len $parts) 1 -}}{{- $fraction = printf "%s000" (index $parts 1) | trunc 3 -}}{{- end -}}
{{- $thousandths := add (mul (index $parts 0 | int64) 1000) (trimAll " " (regexReplaceAll "^0+([0-9])" $fraction "$1") | int64) -}}
{{- $units := dict "" 1 "k" 1000 "Ki" 1024 "M" 1000000 "Mi" 1048576 "G" 1000000000 "Gi" 1073741824 "T" 1000000000000 "Ti" 1099511627776 -}}
{{- if eq $unit "m" -}}{{- div $thousandths 1000 -}}
{{- else if hasKey $units $unit -}}{{- mul $thousandths (index $units $unit | int64) -}}
{{- else -}}9223372036854775807
{{- end -}}
{{- end -}}
