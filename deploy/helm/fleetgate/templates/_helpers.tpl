{{- define "fleetgate.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trimSuffix "-fleetgate" | trunc 50 | trimSuffix "-" -}}
{{- if not (contains "fleetgate" .Release.Name) -}}-fleetgate{{- end -}}
{{- end -}}

{{- define "fleetgate.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}{{ .repository }}@{{ .digest }}{{- else -}}{{ .repository }}:{{ .tag | default (printf "%s-server" $.Chart.AppVersion) }}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "fleetgate.labels" -}}
app.kubernetes.io/name: fleetgate
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "fleetgate.selector" -}}
app.kubernetes.io/name: fleetgate
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "fleetgate.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "fleetgate.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "fleetgate.fromSecret" -}}
- name: {{ .as }}
  valueFrom:
    secretKeyRef: { name: {{ .name | quote }}, key: {{ .key | quote }} }
{{- end -}}

{{- define "fleetgate.env" -}}
{{- range $name, $value := .env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $from := .secretEnv }}
{{ include "fleetgate.fromSecret" (dict "as" $name "name" $from.name "key" $from.key) }}
{{- end }}
{{- end -}}

{{- define "fleetgate.databaseEnv" -}}
{{ include "fleetgate.fromSecret" (dict "as" "DATABASE_URL" "name" .Values.database.secret.name "key" .Values.database.secret.key) }}
{{- if .Values.redis.enabled }}
{{ include "fleetgate.fromSecret" (dict "as" "REDIS_URL" "name" .Values.redis.secret.name "key" .Values.redis.secret.key) }}
{{- end }}
{{- end -}}
