import { statisticsOf, type Point } from '../statistics.ts';

/**
 * Holds what the finders of causes look at: what was recorded around an alert. Per cents are 0–100, rates bytes per
 * second, `at` epoch seconds.
 */

export interface ProcessSeen {
  pid: number;
  name: string;
  /** Per cent of one core. */
  cpuPercent: number;
  memoryBytes: number;
  startedAt: number;
}

export interface Evidence {
  hostname: string;
  /** Metric of the alert, or null for a stretch of a chart. */
  metric: string | null;
  /** Mount point of a disk alert. */
  mount: string | null;
  /** Moment of the alert, epoch seconds. */
  at: number;
  cpuCores: number | null;
  memoryTotalBytes: number | null;
  /** Before the moment and a little after. Absent figures are empty. */
  series: Record<
    'cpu' | 'memory' | 'disk' | 'io_wait' | 'iops' | 'swap' | 'receive' | 'transmit' | 'connections',
    readonly Point[]
  >;
  /** Lists at the moment and well before it; empty when none was stored. */
  processes: readonly ProcessSeen[];
  processesBefore: readonly ProcessSeen[];
  events: readonly { type: string; name: string; message: string; at: number }[];
  /** Ends of a pod's containers, newest first. */
  restarts: readonly { at: number; reason: string | null; exitCode: number | null; memoryLimitMb: number | null }[];
  /** Names of other servers that went silent within minutes of this one. */
  silentTogether: readonly string[];
  /** Why a container of a pod does not start; null: none waits, or no pod is looked at. */
  waiting: { reason: string; image: string; message: string | null } | null;
  /** Changes of the workload's image. */
  imageChanges: readonly { at: number; from: string; to: string }[];
}

const CAUSES = [
  'image_pull_failure',
  'crash_loop_after_change',
  'out_of_memory',
  'crash_loop',
  'shared_silence',
  'silent_host',
  'disk_filled_by_logs',
  'disk_filling',
  'memory_leak',
  'swapping',
  'noisy_process',
  'disk_saturated',
  'more_traffic',
  'network_drop',
  'change_before',
] as const;
export type CauseKind = (typeof CAUSES)[number];

export interface Cause {
  kind: CauseKind;
  /** 0–1: how well the pattern fits. */
  strength: number;
  finding: string;
  evidence: readonly string[];
  next: string;
}

export type Finder = (evidence: Evidence) => Cause | null;

export const HOUR = 3600;
const GIB = 2 ** 30;
export const fixed = (value: number, digits = 1): string => String(Number(value.toFixed(digits)));
export const clock = (at: number): string => `${new Date(at * 1000).toISOString().slice(11, 16)} UTC`;
export const gigabytes = (bytes: number): string => `${fixed(bytes / GIB, 2)} GB`;
export const megabytesPerSecond = (rate: number): string => `${fixed(rate / 2 ** 20, 2)} MB/s`;

/** Known points up to the moment, of the last `hours`. */
export const before = (points: readonly Point[], at: number, hours: number): { at: number; value: number }[] =>
  points.flatMap(({ at: time, value }) =>
    value !== null && time <= at && time > at - hours * HOUR ? [{ at: time, value }] : [],
  );
const meanOf = (points: readonly Point[]): number | null => statisticsOf(points)?.mean ?? null;

/** Means of the first half of what came before and of the last stretch: what it was, and what it became. */
export function change(points: readonly Point[], at: number, recentSeconds = 900): { was: number; is: number } | null {
  const was = meanOf(points.filter(({ at: time }) => time <= at - 2 * recentSeconds));
  const is = meanOf(points.filter(({ at: time }) => time > at - recentSeconds && time <= at + recentSeconds));
  return was === null || is === null ? null : { was, is };
}

/** A change this soon before the moment is a suspect. */
const CHANGE_SECONDS = 2 * HOUR;
const CHANGE_EVENTS = ['update_installed', 'config_change'];
export const lastChange = ({ events, at }: Evidence): Evidence['events'][number] | undefined =>
  events
    .filter(({ type, at: time }) => CHANGE_EVENTS.includes(type) && time <= at && time > at - CHANGE_SECONDS)
    .toSorted((a, b) => b.at - a.at)[0];
