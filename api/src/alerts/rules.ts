import { ALERT_RULE_DEFAULTS, type AlertRuleMetric } from '@plimsoll/contract/rules/alert-rule-limits';
import { LOAD_LINES, REPORT_INTERVAL_SECONDS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { Report } from '@plimsoll/contract/wire/report';

export type ThresholdMetric = Exclude<AlertRuleMetric, 'offline'>;

/** A threshold rule. Values in per cent, times in milliseconds of sample time. */
export interface ThresholdRule {
  id: string;
  metric: ThresholdMetric;
  /** Ascending; each line is judged on its own, the alert carries the highest level that fires. */
  lines: readonly { level: AlertLevel; threshold: number }[];
  /** How long the value must stay at or over a line before it fires. */
  forMs: number;
  /** How long it must stay clear before the alert resolves. */
  keepFiringForMs: number;
  /** Clear is this many points below the line. */
  hysteresisPoints: number;
  /** Distance of two samples; GAP_INTERVALS of it without one are a gap. */
  intervalMs: number;
  /** Subjects the rule applies to; absent: all. */
  subjects?: { only: string } | { except: readonly string[] };
}

/** Returns true if the rule applies to the subject. */
export function appliesTo({ subjects }: Pick<ThresholdRule, 'subjects'>, subject: string): boolean {
  if (subjects === undefined) return true;
  return 'only' in subjects ? subjects.only === subject : !subjects.except.includes(subject);
}

const DEFAULTS = ALERT_RULE_DEFAULTS.threshold;
/**
 * On 30 days of noise round an 80 % line a bare threshold sends 203–496 notifications a day; with these three 5–7, and
 * a step is still found in 5 samples.
 */
const CALM = {
  forMs: DEFAULTS.forSeconds * 1000,
  keepFiringForMs: DEFAULTS.keepFiringForSeconds * 1000,
  hysteresisPoints: DEFAULTS.hysteresisPoints,
  intervalMs: REPORT_INTERVAL_SECONDS * 1000,
};

const twoLines = (line: { warning: number; critical: number }): ThresholdRule['lines'] => [
  { level: 'warning', threshold: line.warning },
  { level: 'critical', threshold: line.critical },
];

/** On for every new server. The offline rule has no threshold: the job mark-silent evaluates it. */
export const DEFAULT_RULES: readonly ThresholdRule[] = [
  { id: 'default-cpu', metric: 'cpu_usage', lines: twoLines(LOAD_LINES.cpu), ...CALM },
  { id: 'default-memory', metric: 'memory_usage', lines: twoLines(LOAD_LINES.memory), ...CALM },
  { id: 'default-disk', metric: 'disk_usage', lines: twoLines(LOAD_LINES.disk), ...CALM },
];

/** When a silent server gets an alert, and of which level. */
export interface OfflineRule {
  id: string;
  level: AlertLevel;
  forMs: number;
}
export const DEFAULT_OFFLINE_RULE: OfflineRule = {
  id: 'default-offline',
  level: 'critical',
  forMs: ALERT_RULE_DEFAULTS.offline.forSeconds * 1000,
};

export interface Reading {
  /** Mount point of a filesystem; empty when the server itself is the subject. */
  subject: string;
  /** Per cent; null is unknown and changes nothing. */
  value: number | null;
}

/** What a report says about a metric: one reading, or one per filesystem. */
export function readingsOf(metric: ThresholdRule['metric'], report: Report): Reading[] {
  if (metric === 'cpu_usage') return [{ subject: '', value: report.cpu?.percent ?? null }];
  if (metric === 'memory_usage') {
    const { memory } = report;
    return [{ subject: '', value: memory ? percentOf(memory.used_bytes, memory.total_bytes) : null }];
  }
  return (report.filesystems ?? []).map((fs) => ({
    subject: fs.mount,
    value: percentOf(fs.used_bytes, fs.used_bytes + fs.available_bytes),
  }));
}
