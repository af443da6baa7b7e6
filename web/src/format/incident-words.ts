import { METRIC_SCALES, type MetricScale } from '@plimsoll/contract/rules/alert-metric-scales';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { alertFigure, belowWords, isWorseWhenLower } from './alert-words.ts';
import { escapeInvisible, escapeMessage } from './escape-invisible.ts';
import { numberText, plural } from './figures.ts';
import { alertCount, isOpen, type AlertsRow, type GroupRow, type IncidentRow } from './incident-rows.ts';

/** By the name on the wire: an API that is newer than the page has names that the page has not. */
const METRICS: ReadonlyMap<string, MetricScale> = new Map(Object.entries(METRIC_SCALES));

/** "CPU usage" for cpu_usage; an unknown name in words: "clock skew". */
export const metricWords = (metric: string): string =>
  METRICS.get(metric)?.name ?? escapeInvisible(metric.replaceAll('_', ' '));

type Placed = Pick<Alert, 'kubernetes' | 'tags'>;

/** Returns the name of what an alert is about: "shop/checkout", "node-3", "web-01". */
export function subjectName({ kubernetes, tags }: Placed): string {
  const { namespace = null, name = null } = kubernetes ?? {};
  if (name === null) return escapeInvisible(tags.hostname);
  return escapeInvisible(namespace === null ? name : `${namespace}/${name}`);
}

/** The message of these only repeats in other words that the subject does not answer. */
const STATES: Readonly<Record<string, readonly [open: string, resolved: string]>> = {
  offline: ['is down', 'was down'],
  node_not_ready: ['is not ready', 'was not ready'],
};
const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]*\s/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;

/** Returns a message without the name that the row shows before it. */
function withoutSubject(message: string, subject: string): string {
  const text = message.startsWith(`${subject}: `) ? message.slice(subject.length + 2) : message;
  const at = text.indexOf(` ${subject}`);
  const end = at + subject.length + 1;
  const isWhole = at >= 0 && !/[\w/.-]/.test(text.charAt(end));
  return isWhole ? `${text.slice(0, at)}${text.slice(end)}` : text;
}

type Said = Placed & Pick<Alert, 'metric_name' | 'message' | 'status'>;

/** Returns what is wrong, after the subject: "is down, no report for 12 min", "3 of 8 pods in CrashLoopBackOff". */
export function alertStateText(alert: Said): string {
  const subject = subjectName(alert);
  const text = withoutSubject(escapeMessage(alert.message), subject);
  const state = STATES[alert.metric_name];
  if (state === undefined) return text;
  const words = alert.status === 'resolved' ? state[1] : state[0];
  // "Node n1 is not ready: KubeletNotReady" repeats the state and adds a reason.
  const rest = text.includes(words) ? text.slice(text.indexOf(words) + words.length).replace(/^[:,]? */, '') : text;
  return rest === '' ? words : `${words}, ${lowerFirst(rest)}`;
}

/** Metrics that say why something else of the same workload is wrong. */
const REASONS = ['pod_crash_loop', 'pod_image_pull', 'pod_oom_kill', 'pod_pending'];

/** Returns the reason from another alert of the incident; null: the lead has it. */
function reasonText({ lead, alerts }: Pick<IncidentRow, 'lead' | 'alerts'>): string | null {
  if (REASONS.includes(lead.metric_name)) return null;
  const [reason] = alerts
    .filter((alert) => alert !== lead && isOpen(alert) && REASONS.includes(alert.metric_name))
    .toSorted((a, b) => REASONS.indexOf(a.metric_name) - REASONS.indexOf(b.metric_name));
  return reason === undefined ? null : alertStateText(reason);
}

/** Returns the words of an incident after its subject. */
export const incidentText = (row: IncidentRow): string =>
  [alertStateText(row.lead), reasonText(row)].filter((part) => part !== null).join(' · ');

const NOUNS: Readonly<Record<string, string>> = {
  cluster: 'cluster',
  node: 'node',
  workload: 'workload',
  volume: 'volume',
};
/** Returns what a metric is counted by: servers, workloads, volumes. */
const nounOf = (metric: string): string => NOUNS[METRICS.get(metric)?.subject ?? ''] ?? 'server';

/** "Memory over its line", "Disk forecast under its line", "Offline". */
export function groupName(metric: string): string {
  const scale = METRICS.get(metric);
  if (scale === undefined || scale.unit === null) return metricWords(metric);
  const name = scale.name.replace(/ usage$/, '');
  // A count stands for itself: "Pods in CrashLoopBackOff".
  if (scale.unit !== '%') return scale.isWorseWhenLower === true ? `${name} under its line` : name;
  return `${name} over its line`;
}

/** "Memory over its line: 100 servers". */
export const groupTitle = ({ metric, incidents }: Pick<GroupRow, 'metric' | 'incidents'>): string =>
  `${groupName(metric)}: ${plural(incidents.length, nounOf(metric))}`;

/** "80 %"; null: the metric has no line. */
export function lineText(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>): string | null {
  const { threshold } = alertFigure(alert);
  if (threshold === null) return null;
  const unit = METRICS.get(alert.metric_name)?.unit ?? null;
  const word = unit !== null && threshold === '1' ? unit.replace(/(?<=[a-z]{3})s$/, '') : unit;
  return word === null ? threshold : `${threshold} ${word}`;
}

/** "highest web-09 at 96 %, line 80 %": the worst of a group. */
function worstText({ lead }: GroupRow): string | null {
  const { value, unit } = alertFigure(lead);
  if (value === null) return null;
  const line = lineText(lead);
  const lowest = isWorseWhenLower(lead.metric_name);
  const figure = unit === '' ? value : `${value} ${unit}`;
  return `${lowest ? 'lowest' : 'highest'} ${subjectName(lead)} at ${figure}${line === null ? '' : `, line ${line}`}`;
}

/** "4 alerts in one: Pods in CrashLoopBackOff, Missing replicas". Names each kind once. */
function partsText({ alerts }: Pick<AlertsRow, 'alerts'>): string | null {
  if (alerts.length < 2) return null;
  const kinds = [...new Set(alerts.map(({ metric_name: metric }) => metricWords(metric)))];
  return `${plural(alerts.length, 'alert')} in one${kinds.length < 2 ? '' : `: ${kinds.join(', ')}`}`;
}

/** Returns the second line of a row: its parts and what it causes; links to its place stand before it. */
export const rowNotes = (row: AlertsRow): string[] =>
  row.kind === 'group'
    ? [worstText(row), `${numberText(alertCount(row))} alerts in one`].filter((note) => note !== null)
    : [partsText(row), belowWords(row.lead)].filter((note) => note !== null);

/** "6 things to look at, 2 of them critical. They stand for 109 alerts; 2 have somebody on them. 1 silenced." */
export function rowsSentence(rows: readonly AlertsRow[], silenced: readonly AlertsRow[]): string {
  const held = silenced.length === 0 ? '' : ` ${numberText(silenced.length)} silenced.`;
  if (rows.length === 0) return `No alert is active.${held}`;
  const critical = rows.filter(({ lead }) => lead.level === 'critical').length;
  const alerts = rows.reduce((sum, row) => sum + alertCount(row), 0);
  const seen = rows.filter(isAcknowledged).length;
  const one = rows.length === 1;
  const worst = critical === 0 ? '' : one ? ', critical' : `, ${numberText(critical)} of them critical`;
  const standFor = alerts === rows.length ? '' : ` ${one ? 'It stands' : 'They stand'} for ${plural(alerts, 'alert')}.`;
  const taken =
    seen === 0 ? '' : ` ${numberText(seen)} ${seen === 1 ? 'has' : 'have'} somebody on ${seen === 1 ? 'it' : 'them'}.`;
  return `${plural(rows.length, 'thing')} to look at${worst}.${standFor}${taken}${held}`;
}

/** Every open alert of the row is acknowledged. */
export const isAcknowledged = ({ alerts }: Pick<AlertsRow, 'alerts'>): boolean =>
  alerts.every((alert) => !isOpen(alert) || alert.acknowledged_at !== null);

/** "Acknowledged by Ada", "2 of 4 acknowledged", "nobody yet". */
export function takenText({ alerts }: Pick<AlertsRow, 'alerts'>): string {
  const open = alerts.filter(isOpen);
  const seen = open.filter((alert) => alert.acknowledged_at !== null);
  if (seen.length === 0) return 'nobody yet';
  if (seen.length < open.length) return `${numberText(seen.length)} of ${numberText(open.length)} acknowledged`;
  const names = new Set(seen.map(({ acknowledged_by: by }) => by));
  const [name = null] = names;
  return names.size > 1 || name === null ? 'Acknowledged' : `Acknowledged by ${escapeInvisible(name)}`;
}
