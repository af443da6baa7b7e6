import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import type { AlertSeen } from '../evidence.ts';

/** Shapes an alert. `subject`: as its incident has it. */
export function alertSeen(alert: Alert, subject: string | undefined): AlertSeen {
  const { kubernetes } = alert;
  const tag = alert.tags['subject'];
  return {
    id: alert.alert_id,
    metric: alert.metric_name,
    title: alert.title,
    message: alert.message,
    at: alert.timestamp,
    subject: subject ?? (typeof tag === 'string' ? tag : ''),
    serverId: alert.server_id,
    hostname: alert.server_id === null ? null : alert.tags.hostname,
    object:
      kubernetes == null
        ? null
        : {
            clusterId: kubernetes.cluster_id,
            namespace: kubernetes.namespace,
            kind: kubernetes.workload_kind ?? kindOf(alert.metric_name),
            name: kubernetes.name ?? kubernetes.cluster_id,
          },
  };
}
const kindOf = (metric: string): string =>
  metric.startsWith('node_') ? 'Node' : metric.startsWith('volume') ? 'PersistentVolumeClaim' : 'Cluster';
