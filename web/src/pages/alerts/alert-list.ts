import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { metricWords, subjectName } from '../../format/incident-words.ts';
import {
  groupRows,
  incidentRows,
  isOpen,
  isSilenced,
  type AlertsRow,
  type IncidentRow,
} from '../../format/incident-rows.ts';

/** The alerts of a range and those active now, which its first page may lack: a firing alert is never hidden by a range. */
export function mergeAlerts(inRange: readonly Alert[], active: readonly Alert[], serverId: string): Alert[] {
  const known = new Map(inRange.map((alert) => [alert.alert_id, alert]));
  for (const alert of active) {
    if (serverId === '' || alert.server_id === serverId) known.set(alert.alert_id, alert);
  }
  return [...known.values()];
}

/** Filters of the page; '' is all. */
export interface AlertFilters {
  search: string;
  level: string;
  /** Name of the metric that the rule watches. */
  rule: string;
  /** "role: web". */
  tag: string;
  cluster: string;
}

/** Tags in the words of the filter, by server id. */
export type TagsOfServers = ReadonlyMap<string, readonly string[]>;

const tagsOf = (alert: Alert, tags: TagsOfServers): readonly string[] => tags.get(alert.server_id ?? '') ?? [];

/** Returns the texts of an alert that a search looks through. */
const textsOf = (alert: Alert): string[] => [
  subjectName(alert),
  alert.tags.hostname,
  alert.message,
  alert.title,
  metricWords(alert.metric_name),
  alert.kubernetes?.cluster_name ?? '',
  ...(alert.kubernetes?.nodes ?? []),
];

/** Returns true if an alert matches the filters; every word of a search must be in one of its texts. */
function matches(alert: Alert, { search, level, rule, tag, cluster }: AlertFilters, tags: TagsOfServers): boolean {
  if (level !== '' && alert.level !== level) return false;
  if (rule !== '' && alert.metric_name !== rule) return false;
  if (cluster !== '' && alert.kubernetes?.cluster_id !== cluster) return false;
  if (tag !== '' && !tagsOf(alert, tags).includes(tag)) return false;
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = textsOf(alert).join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

export interface AlertRows {
  /** Open alerts that are not silenced, the worst first. */
  active: AlertsRow[];
  silenced: AlertsRow[];
  /** The latest first. */
  resolved: IncidentRow[];
}

/** Returns the rows of the page. An incident stays whole when one of its alerts matches. */
export function alertRows(alerts: readonly Alert[], filters: AlertFilters, tags: TagsOfServers): AlertRows {
  const wanted = (row: IncidentRow) => row.alerts.some((alert) => matches(alert, filters, tags));
  const open = incidentRows(alerts.filter(isOpen)).filter(wanted);
  const resolved = incidentRows(alerts.filter((alert) => !isOpen(alert))).filter(wanted);
  return {
    active: groupRows(open.filter((row) => !isSilenced(row))),
    silenced: groupRows(open.filter(isSilenced)),
    resolved: resolved.toSorted((a, b) => (b.lead.resolved_at ?? '').localeCompare(a.lead.resolved_at ?? '')),
  };
}

interface Option {
  value: string;
  label: string;
}
const ALL: Option = { value: '', label: 'All' };
const optionsOf = (pairs: readonly (readonly [value: string, label: string])[]): Option[] => [
  ALL,
  ...[...new Map(pairs)].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label)),
];

/** Returns what each filter may be set to: values that at least one alert has. */
export const filterOptions = (alerts: readonly Alert[], tags: TagsOfServers) => ({
  level: [
    ALL,
    ...ALERT_LEVELS.filter((level) => alerts.some((alert) => alert.level === level)).map((level) => ({
      value: level,
      label: `${level.charAt(0).toUpperCase()}${level.slice(1)}`,
    })),
  ],
  rule: optionsOf(alerts.map(({ metric_name: metric }) => [metric, metricWords(metric)])),
  tag: optionsOf(alerts.flatMap((alert) => tagsOf(alert, tags)).map((tag) => [tag, escapeInvisible(tag)])),
  cluster: optionsOf(
    alerts.flatMap(({ kubernetes }) =>
      kubernetes ? [[kubernetes.cluster_id, escapeInvisible(kubernetes.cluster_name ?? kubernetes.cluster_id)]] : [],
    ),
  ),
});
