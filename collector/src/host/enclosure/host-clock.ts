import type { Files } from '../../runtime/files.ts';
import type { Moment } from '../../source.ts';
import { lxcfsFiles } from './enclosure.ts';
import { parsePidStat } from '../tables/pid-stat.ts';

/** Rounding of ticks and of /proc/uptime, both hundredths of a second, and the time between two reads. */
const SLACK_SECONDS = 1;

/**
 * Returns how many seconds the host had run when this container began, for a reading of the container's uptime. The kernel
 * dates the start of a process from the boot of the host, but lxcfs starts /proc/uptime with process 1 of the container. 0
 * where both have one clock.
 */
export function hostClock(files: Files, ticksPerSecond: number): (now: Moment) => number {
  let isReplaced: boolean | undefined;
  let firstSeconds: number | null | undefined;
  return ({ ts, up }) => {
    isReplaced ??= lxcfsFiles(files.optional('proc/self/mountinfo') ?? '').has('uptime');
    firstSeconds = firstSeconds === undefined ? firstStart(files, ticksPerSecond) : firstSeconds;
    if (firstSeconds === null) return isReplaced ? Math.max(0, ts - (bootTime(files) ?? ts) - up) : 0;
    return isReplaced || firstSeconds > up + SLACK_SECONDS ? firstSeconds : 0;
  };
}

function firstStart(files: Files, ticksPerSecond: number): number | null {
  const ticks = firstTicks(files);
  return ticks === null ? null : ticks / ticksPerSecond;
}

function firstTicks(files: Files): number | null {
  const line = files.optional('proc/1/stat');
  return (line === null ? null : parsePidStat(Buffer.from(line)))?.startTicks ?? null;
}

/**
 * Returns the id of the boot that /proc/uptime counts from. All containers of a host have the boot id of its kernel, but
 * lxcfs starts the uptime anew with each container, so the start of process 1 is part of the id.
 */
export function uptimeBootId(files: Files, kernelBootId: string): string {
  if (!lxcfsFiles(files.optional('proc/self/mountinfo') ?? '').has('uptime')) return kernelBootId;
  const ticks = firstTicks(files);
  return ticks === null ? kernelBootId : `${kernelBootId}-${ticks}`.slice(0, BOOT_ID_CHARACTERS);
}
/** Longest boot id of a report. */
const BOOT_ID_CHARACTERS = 64;

/** Epoch seconds. Used where process 1 is hidden. */
function bootTime(files: Files): number | null {
  const match = /^btime (\d+)$/m.exec(files.optional('proc/stat') ?? '');
  return match === null ? null : Number(match[1]);
}
