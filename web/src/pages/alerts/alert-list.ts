import type { Alert } from '@plimsoll/contract/wire/alerts';

const LEVEL_ORDER: Record<Alert['level'], number> = { critical: 0, error: 1, warning: 2, info: 3 };

/** The alerts of a range and those active now, which its first page may lack: a firing alert is never hidden by a range. */
export function mergeAlerts(inRange: readonly Alert[], active: readonly Alert[], serverId: string): Alert[] {
  const known = new Map(inRange.map((alert) => [alert.alert_id, alert]));
  for (const alert of active) {
    if (serverId === '' || alert.server_id === serverId) known.set(alert.alert_id, alert);
  }
  return [...known.values()];
}

const isOpen = (alert: Alert) => alert.status !== 'resolved';

/** While the reports of most servers are missing, nothing else on the page is sure. */
const isOutage = (alert: Alert) => isOpen(alert) && alert.metric_name === 'ingest_outage';

/** Open ones first: an ingest outage on top, then worst first, newest first. */
export const sortAlerts = (alerts: readonly Alert[]): Alert[] =>
  alerts.toSorted(
    (a, b) =>
      Number(isOpen(b)) - Number(isOpen(a)) ||
      Number(isOutage(b)) - Number(isOutage(a)) ||
      (isOpen(a) ? LEVEL_ORDER[a.level] - LEVEL_ORDER[b.level] : 0) ||
      b.timestamp - a.timestamp,
  );

/** "6 active on 4 servers, 14 below them. 1 acknowledged." */
export function alertsSentence(alerts: readonly Alert[]): string {
  const open = alerts.filter((alert) => alert.status === 'active');
  if (open.length === 0) return 'No alert is active.';
  const servers = new Set(open.flatMap((alert) => alert.server_id ?? [])).size;
  const silenced = open.filter((alert) => alert.silenced_until !== null).length;
  const seen = open.filter((alert) => alert.acknowledged_at !== null).length;
  const where = servers === 0 ? '' : ` on ${servers} ${servers === 1 ? 'server' : 'servers'}`;
  const below = open.reduce((sum, { incident }) => sum + (incident?.below ?? 0), 0);
  const folded = below === 0 ? '' : `, ${below} below ${open.length === 1 ? 'it' : 'them'}`;
  return `${open.length} active${where}${folded}.${seen > 0 ? ` ${seen} acknowledged.` : ''}${silenced > 0 ? ` ${silenced} snoozed.` : ''}`;
}
