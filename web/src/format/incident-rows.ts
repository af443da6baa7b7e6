import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { isWorseWhenLower } from './alert-words.ts';

/** Alerts with one cause. `lead` says what is wrong; `alerts` holds it first, and is never empty. */
export interface IncidentRow {
  kind: 'incident';
  /** Id of the lead. */
  id: string;
  lead: Alert;
  alerts: readonly Alert[];
}

/** Incidents of one metric that are so many that they are read, acknowledged and silenced together. */
export interface GroupRow {
  kind: 'group';
  /** `group:` and the metric. */
  id: string;
  metric: string;
  /** The worst one first. */
  lead: Alert;
  incidents: readonly IncidentRow[];
  /** All alerts of its incidents. */
  alerts: readonly Alert[];
}

export type AlertsRow = IncidentRow | GroupRow;

/** So many incidents of one metric are one row. */
export const GROUP_FROM = 10;
const GROUP_PREFIX = 'group:';
/** Returns true for the id of a group, which names no alert. */
export const isGroupId = (id: string): boolean => id.startsWith(GROUP_PREFIX);

/** Metrics that explain the others of their incident, before all others; consequences come last. */
const CAUSES = ['ingest_outage', 'offline', 'cluster_silent', 'node_not_ready', 'pod_crash_loop', 'pod_image_pull'];
const CONSEQUENCES = ['replicas_missing', 'pod_restarts', 'disk_forecast', 'memory_forecast'];
const rankOf = (metric: string): number => {
  const cause = CAUSES.indexOf(metric);
  if (cause >= 0) return cause;
  return CAUSES.length + 1 + CONSEQUENCES.indexOf(metric);
};

const levelOf = (alert: Alert): number => ALERT_LEVELS.indexOf(alert.level);
export const isOpen = (alert: Alert): boolean => alert.status !== 'resolved';
/** While the reports of most servers are missing, nothing else on the page is sure. */
const isOutage = (alert: Alert): boolean => isOpen(alert) && alert.metric_name === 'ingest_outage';

/** Orders the alerts of an incident: the level, then what explains the others, then the longest open. */
const byLead = (a: Alert, b: Alert): number =>
  levelOf(a) - levelOf(b) || rankOf(a.metric_name) - rankOf(b.metric_name) || a.timestamp - b.timestamp;

/** Returns the moment since when a row is open, epoch seconds. */
export const openSince = ({ alerts }: Pick<AlertsRow, 'alerts'>): number =>
  alerts.reduce((first, { timestamp }) => Math.min(first, timestamp), Infinity);

/** The level, then the longest open. */
const byRow = (a: AlertsRow, b: AlertsRow): number =>
  Number(isOutage(b.lead)) - Number(isOutage(a.lead)) ||
  levelOf(a.lead) - levelOf(b.lead) ||
  openSince(a) - openSince(b);

/** Returns one row per incident, the worst first. An alert without an incident is one of its own. */
export function incidentRows(alerts: readonly Alert[]): IncidentRow[] {
  const byIncident = Map.groupBy(alerts, ({ alert_id: id, incident }) => incident?.incident_id ?? id);
  return [...byIncident.values()]
    .flatMap((members): IncidentRow[] => {
      const sorted = members.toSorted(byLead);
      const [lead] = sorted;
      return lead === undefined ? [] : [{ kind: 'incident', id: lead.alert_id, lead, alerts: sorted }];
    })
    .toSorted(byRow);
}

/** Returns the row of one alert by itself, for the page of its server. */
export const rowOfAlert = (alert: Alert): IncidentRow => ({
  kind: 'incident',
  id: alert.alert_id,
  lead: alert,
  alerts: [alert],
});

/**
 * Returns how far a value is past its line, in parts of the line, for the order in a group. A value on its good side counts
 * as less: an alert fires on for a while after its value went back.
 */
function pastLine({ metric_name: metric, current_value: value, threshold_value: line }: Alert): number {
  if (value === null || line === null || line === 0) return 0;
  return (isWorseWhenLower(metric) ? line - value : value - line) / line;
}

/** Metrics at the worst level of an incident: a group of another one would hide that level. */
const worstMetrics = ({ lead, alerts }: IncidentRow): ReadonlySet<string> =>
  new Set(alerts.filter(({ level }) => level === lead.level).map(({ metric_name: metric }) => metric));

function groupOf(metric: string, incidents: readonly IncidentRow[]): GroupRow | null {
  const ofMetric = incidents
    .map((incident): IncidentRow => {
      const lead = incident.alerts.find((alert) => alert.metric_name === metric) ?? incident.lead;
      const others = incident.alerts.filter((alert) => alert !== lead);
      return { ...incident, id: lead.alert_id, lead, alerts: [lead, ...others] };
    })
    .toSorted((a, b) => levelOf(a.lead) - levelOf(b.lead) || pastLine(b.lead) - pastLine(a.lead));
  const [first] = ofMetric;
  if (first === undefined) return null;
  const alerts = ofMetric.flatMap((incident) => incident.alerts);
  return { kind: 'group', id: `${GROUP_PREFIX}${metric}`, metric, lead: first.lead, incidents: ofMetric, alerts };
}

/** Returns the rows of the page: {@link GROUP_FROM} incidents of one metric or more become one group. */
export function groupRows(incidents: readonly IncidentRow[]): AlertsRow[] {
  const groups: GroupRow[] = [];
  let left = [...incidents];
  for (;;) {
    const counts = new Map<string, number>();
    for (const row of left) for (const metric of worstMetrics(row)) counts.set(metric, (counts.get(metric) ?? 0) + 1);
    const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
    if (most === undefined || most[1] < GROUP_FROM) break;
    const [metric] = most;
    const group = groupOf(
      metric,
      left.filter((row) => worstMetrics(row).has(metric)),
    );
    if (group === null) break;
    groups.push(group);
    left = left.filter((row) => !worstMetrics(row).has(metric));
  }
  return [...groups, ...left].toSorted(byRow);
}

/** Returns the row that holds an alert or has this id; undefined: none does. */
export const rowOf = (rows: readonly AlertsRow[], id: string): AlertsRow | undefined =>
  rows.find((row) => row.id === id || row.alerts.some((alert) => alert.alert_id === id));

/** All alerts of the row are held back by a silence. */
export const isSilenced = ({ alerts }: Pick<AlertsRow, 'alerts'>): boolean =>
  alerts.every((alert) => alert.silenced_until !== null);

/** Number of alerts that a row stands for, with those that its causes explain. */
export const alertCount = ({ alerts }: Pick<AlertsRow, 'alerts'>): number =>
  alerts.reduce((sum, { incident }) => sum + 1 + (incident?.below ?? 0), 0);

/** Ids of the alerts of a row that an action is for. */
export const openIds = ({ alerts }: Pick<AlertsRow, 'alerts'>): string[] =>
  alerts.filter(isOpen).map(({ alert_id: id }) => id);
