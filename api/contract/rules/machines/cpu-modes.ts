import { ownValue } from '../printable-text.ts';
import type { OperatingSystem } from './interfaces.ts';

/** Kinds of CPU time by the names that kernels and agents give them. */

/** `inside` is part of another kind already. Steal and system are busy, idle and IO wait are not. */
export type CpuKind = 'idle' | 'io-wait' | 'steal' | 'user' | 'system' | 'inside';

const KINDS: Partial<Record<string, CpuKind>> = {
  idle: 'idle',
  iowait: 'io-wait',
  wait: 'io-wait',
  steal: 'steal',
  stolen: 'steal',
  user: 'user',
  nice: 'user',
  // Inside `user` and `nice` (proc(5)).
  guest: 'inside',
  guest_nice: 'inside',
};
/** Interrupts and deferred calls of Windows run in the kernel, and its time has theirs (% Privileged Time). */
const INSIDE_OF_WINDOWS = new Set(['interrupt', 'dpc']);

/**
 * Returns the kind of a mode. A mode that is not listed is time of the kernel, so it is busy: "interrupt" of FreeBSD,
 * "kernel" of Solaris, "spin" of OpenBSD, "softirq", and what later kernels will add.
 */
export const cpuKind = (mode: string, system: OperatingSystem | null): CpuKind =>
  system === 'windows' && INSIDE_OF_WINDOWS.has(mode.toLowerCase())
    ? 'inside'
    : (ownValue(KINDS, mode.toLowerCase()) ?? 'system');

/** A CPU that was taken offline falls further (node_exporter has the same limit). */
const MOST_FALL_SECONDS = 3;
/** Two clocks measure the time that passed, and a reading takes a while. */
const SLACK = { factor: 1.1, seconds: 1 } as const;

interface CpuTimeUnit {
  unitsPerSecond: number;
  /** CPU time that can have passed: seconds times CPUs. Null: unknown. */
  possibleSeconds: number | null;
}

/**
 * Returns the growth of a counter of CPU time. A counter that stands still may fall back a little, as idle of a busy CPU
 * does on tickless kernels: it has not grown. Null: the counter began anew, or it grew by more time than passed, as steal
 * does after some live migrations.
 */
export function cpuTimeGrowth(difference: number, { unitsPerSecond, possibleSeconds }: CpuTimeUnit): number | null {
  const seconds = difference / unitsPerSecond;
  if (!(seconds >= -MOST_FALL_SECONDS)) return null;
  if (possibleSeconds !== null && seconds > possibleSeconds * SLACK.factor + SLACK.seconds) return null;
  return Math.max(0, difference);
}
