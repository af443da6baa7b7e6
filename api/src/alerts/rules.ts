import { LOAD_LINES, REPORT_INTERVAL_SECONDS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { Report } from '@plimsoll/contract/wire/report';

/** What a rule watches; the wire's `metric_name`. */
type AlertMetric = 'cpu_usage' | 'memory_usage' | 'disk_usage' | 'offline';

/** A threshold rule. Values in per cent, times in milliseconds of sample time. */
export interface ThresholdRule {
  id: string;
  metric: Exclude<AlertMetric, 'offline'>;
  /** Ascending; each line is judged on its own, the alert carries the highest level that fires. */
  lines: readonly { level: AlertLevel; threshold: number }[];
  /** How long the value must stay at or over a line before it fires. */
  holdMs: number;
  /** How long it must stay clear before the alert resolves. */
  keepMs: number;
  /** Clear is this many points below the line. */
  clearPoints: number;
  /** Distance of two samples; GAP_INTERVALS of it without one are a gap. */
  intervalMs: number;
}

const MINUTE_MS = 60_000;
/**
 * On 30 days of noise round an 80 % line a bare threshold sends 203–496 notifications a day; with these three 5–7, and
 * a step is still found in 5 samples.
 */
const CALM = {
  holdMs: 5 * MINUTE_MS,
  keepMs: 5 * MINUTE_MS,
  clearPoints: 5,
  intervalMs: REPORT_INTERVAL_SECONDS * 1000,
};

const twoLines = (line: { warning: number; critical: number }): ThresholdRule['lines'] => [
  { level: 'warning', threshold: line.warning },
  { level: 'critical', threshold: line.critical },
];

/** On for every new server. The offline rule has no threshold: mark-silent.ts evaluates it. */
export const DEFAULT_RULES: readonly ThresholdRule[] = [
  { id: 'default-cpu', metric: 'cpu_usage', lines: twoLines(LOAD_LINES.cpu), ...CALM },
  { id: 'default-memory', metric: 'memory_usage', lines: twoLines(LOAD_LINES.memory), ...CALM },
  { id: 'default-disk', metric: 'disk_usage', lines: twoLines(LOAD_LINES.disk), ...CALM },
];

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
