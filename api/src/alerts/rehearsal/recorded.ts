/** Figures whose history is stored; `presence`: the times of reports alone. */
export type RecordedMetric =
  | 'cpu_usage'
  | 'memory_usage'
  | 'swap_usage'
  | 'disk_usage'
  | 'io_wait'
  | 'load'
  | 'presence';

/** Source of the values of a rehearsal; null without a value. */
export type RehearsalSource = 'samples' | 'five_minutes' | 'mixed' | null;

/** The stored history of one server. */
export interface RecordedServer {
  key: number;
  serverId: string;
  hostname: string;
  intervalMs: number;
  /** The cores of today; null: not reported. */
  cores: number | null;
  /** Null: no samples are kept. Before it there are minima and maxima of 5 minutes. */
  firstSampleAt: number | null;
  /** It has minima and maxima from before the first sample. */
  hasRollups: boolean;
  /** Buckets of 5 minutes reach to here; null: there is none. */
  closedUntil: number | null;
}
export const ROLLUP_MS = 300_000;
/** Values in time order. Arrays of numbers: a million objects would take longer to make than to read. */
export interface RecordedPoints {
  /** False: minima and maxima of 5 minutes. */
  isSample: boolean;
  at: Float64Array;
  /** NaN where it is not known. Of a sample, `max` is the same array. */
  min: Float32Array;
  max: Float32Array;
}
