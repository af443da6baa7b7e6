import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { epochSeconds, isoOrNull, rounded } from '../../http/units.ts';
import { currentMessage } from '../message.ts';
import type { ActiveSilences } from '../silence-match.ts';
import type { AlertRecord } from '../types.ts';

/** Returns an alert as on the wire at `now`, ms. A resolved alert sends nothing, so no silence holds it. */
export function shapeAlert(alert: AlertRecord, silences: ActiveSilences, now: number): Alert {
  const silence = alert.status === 'resolved' ? null : silences.of(alert);
  return {
    alert_id: alert.id,
    server_id: alert.serverId,
    kubernetes: alert.cluster && {
      cluster_id: alert.cluster.clusterId,
      cluster_name: alert.cluster.clusterName,
      namespace: alert.cluster.namespace,
      workload_kind: alert.cluster.workloadKind,
      name: alert.cluster.name,
      nodes: [...alert.cluster.nodes],
    },
    level: alert.level,
    title: alert.title,
    message: currentMessage(alert, now),
    status: alert.status,
    timestamp: epochSeconds(alert.openedAt),
    resolved_at: isoOrNull(alert.resolvedAt),
    metric_name: alert.metric,
    current_value: rounded(alert.value),
    threshold_value: rounded(alert.threshold),
    acknowledged_at: isoOrNull(alert.acknowledgedAt),
    acknowledged_by: alert.acknowledgedBy,
    acknowledged_note: alert.acknowledgedNote,
    silenced_until: isoOrNull(silence?.endsAt ?? null),
    // Nobody ends one period of a maintenance by itself.
    silence_id: silence === null || silence.isMaintenance ? null : silence.id,
    rule_id: alert.rule,
    incident: alert.incident && {
      incident_id: alert.incident.id,
      folded: alert.incident.isFolded,
      below: alert.incident.below,
      likely_cause: alert.incident.likelyCause,
    },
    tags: { hostname: alert.hostname, ...(alert.subject !== '' && { subject: alert.subject }) },
  };
}
