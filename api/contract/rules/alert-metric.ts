import type { Report } from '../wire/report.ts';
import type { MetricScale } from './alert-metric-scales.ts';
import type { AlertLevel } from './limits.ts';

/** The shape of an entry in the tables of alert metrics. */

export interface Reading {
  /** Names what the value belongs to: a mount point, an interface, a workload. Empty: the server or cluster itself. */
  subject: string;
  /** In the unit of the metric; null is unknown and changes nothing, unless it is harmless. */
  value: number | null;
  /** It counts as clear of every line, whatever the value is: full swap while memory is free. */
  isHarmless?: true;
  /** The machine does not measure it, for a reason that stays: an alert ends at once. `detail` has the reason. */
  isUnmeasured?: true;
  /** One sentence for the message: "3 of 5 pods in CrashLoopBackOff". */
  detail?: string;
  /** Why an alert of the subject ends, where "back to normal" would be wrong: "/var reached its line of 80 %". */
  ending?: string;
}

/** Returns the subject of alerts about a workload, which a silence of the workload names: "shop/Deployment/web". */
export const workloadSubject = (workload: { namespace: string; kind: string; name: string }): string =>
  `${workload.namespace}/${workload.kind}/${workload.name}`;

interface Metric extends MetricScale {
  /** Id of the default rule. */
  ruleId: string;
  /** In the text of a rule: "CPU". */
  ruleName: string;
  /** A fixed title, where "NAME above LINE" would not be English. */
  title?: string;
  /** Lines of the default rule, the worst one last. */
  lines: readonly { level: AlertLevel; threshold: number | null }[];
  forSeconds: number;
  keepFiringForSeconds: number;
  /** In the unit of the metric. */
  hysteresisPoints: number;
  /** true: a subject that a complete list no longer names is well. false: nothing is known about it. */
  isClearWhenAbsent: boolean;
  /** true: the default rule is off. A rule of a user turns the metric on. */
  isOffByDefault?: true;
  /** Why a rehearsal has no history to read; null: the history is stored. */
  missingHistory: string | null;
  /** Returns the expression over the metrics of node_exporter or kube-state-metrics, compared with a line. */
  expression: (selectors: readonly string[]) => string;
  /** Comparison of a state in the expression; absent: `>= 1`. */
  firesAt?: string;
}

export interface FilesystemUse {
  mount: string;
  usedBytes: number;
  /** used + available, as in df. */
  capacityBytes: number;
}
/**
 * The answer of a forecast. With `isCalm` the history shows no growth towards the line, with `unknown` it does not say.
 * `days` null: the use is over the line already.
 */
export type ForecastOfUse = { days: number | null; linePercent: number } | 'isCalm' | 'unknown';
/** Holds what the API adds to a report: the time and the stored growth of the filesystems and of the memory. */
export interface ReadingContext {
  forecast: (use: FilesystemUse) => ForecastOfUse;
  memoryForecast: (use: Omit<FilesystemUse, 'mount'>) => ForecastOfUse;
}

/** A metric of a host, read from each of its reports. */
export interface HostMetric extends Metric {
  scope: 'host';
  /** Returns the readings of a report; null where the report has no such part. */
  read: (report: Report, context: ReadingContext) => readonly Reading[] | null;
}

/** A metric of a cluster, read from its stored objects after each report of its collector. */
export interface ClusterMetric extends Metric {
  scope: 'cluster';
  /** Returns the label matcher of one workload in the expression; null: the metric is not about workloads. */
  workloadSelector: ((name: string) => string) | null;
}

/** A metric of a check or a heartbeat, judged when a result is stored and by a job. */
export interface CheckMetric extends Metric {
  scope: 'check';
}

/**
 * On 30 days of noise round an 80 % line a bare threshold sends 203–496 notifications a day. With these three and
 * `FLAPPING_SECONDS` it is at most 7, and a step is still found in 5 samples.
 */
export const CALM = { forSeconds: 300, keepFiringForSeconds: 300, hysteresisPoints: 5 } as const;

/**
 * A line that fires again within this time of its end is flapping: it then resolves only after this time below its clear
 * line, so slow swings round a line send one message and not one an hour.
 */
export const FLAPPING_SECONDS = 3600;

/** Returns the label matchers of a PromQL selector. */
export const matchers = (...selectors: readonly string[]): string => `{${selectors.join(',')}}`;

/** Label matcher of filesystems that can fill: no memory, no layers, no images. */
export const FILESYSTEMS = 'fstype!~"tmpfs|ramfs|squashfs|overlay|erofs|cramfs|iso9660|udf|cd9660"';

/** For a metric of the host or of its parts. Fields of one metric override it. */
export const PER_HOST = { scope: 'host', isClearWhenAbsent: false, missingHistory: null } as const;

export const twoLines = (warning: number, critical: number): { level: AlertLevel; threshold: number }[] => [
  { level: 'warning', threshold: warning },
  { level: 'critical', threshold: critical },
];
export const warningAt = (threshold: number | null): { level: AlertLevel; threshold: number | null }[] => [
  { level: 'warning', threshold },
];
