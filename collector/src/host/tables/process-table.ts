import type { Files } from '../../runtime/files.ts';
import { parsePidStat, type PidStat } from './pid-stat.ts';
import type { ProcessSeen } from './process-list.ts';
import { increase } from '../rate.ts';

/** A process at the reading before. */
interface Known {
  seen: ProcessSeen;
  /** Its /proc/PID/stat: most processes of a host sleep, and one that did nothing is not parsed again. */
  line: Uint8Array;
  reading: number;
}
/** When the reading before was, and how long ago, in seconds. */
interface Window {
  from: number;
  seconds: number;
}

/**
 * Reads every process, at each call with its CPU since the call before. One that ends while it is read is left out: it is
 * not there any more. What the caller gets is never changed later.
 */
export function processTable(files: Files, ticksPerSecond: number): (up: number) => ProcessSeen[] {
  const known = new Map<number, Known>();
  let readAt: number | null = null;
  let reading = 0;
  return (up) => {
    const window = readAt === null ? null : { from: readAt, seconds: up - readAt };
    readAt = up;
    reading += 1;
    const all: ProcessSeen[] = [];
    for (const entry of files.list('proc')) {
      const pid = Number(entry);
      if (!Number.isInteger(pid)) continue;
      const line = readLine(files, `proc/${entry}/stat`);
      if (!line) continue;
      const then = known.get(pid);
      const idle = then !== undefined && line.equals(then.line);
      const seen = idle ? stayedIdle(then.seen, window) : parse(pid, line, then?.seen, window, ticksPerSecond);
      if (!seen) continue;
      if (idle) {
        then.seen = seen;
        then.reading = reading;
      } else known.set(pid, { seen, line: new Uint8Array(line), reading });
      all.push(seen);
    }
    if (known.size > all.length) for (const [pid, one] of known) if (one.reading !== reading) known.delete(pid);
    return all;
  };
}

function readLine(files: Files, path: string): Buffer | null {
  try {
    return files.bytes(path);
  } catch {
    return null;
  }
}

function stayedIdle(then: ProcessSeen, window: Window | null): ProcessSeen {
  const cpuPercent = window && window.seconds > 0 ? 0 : null;
  return then.cpuPercent === cpuPercent ? then : { ...then, cpuPercent };
}

function parse(
  pid: number,
  line: Buffer,
  then: ProcessSeen | undefined,
  window: Window | null,
  ticksPerSecond: number,
): ProcessSeen | null {
  const stat = parsePidStat(line);
  if (!stat) return null;
  const grown = window && cpuGrowth(stat, then, window.from, ticksPerSecond);
  const cpuPercent =
    window === null || grown === null || window.seconds <= 0 ? null : (100 * grown) / ticksPerSecond / window.seconds;
  return { pid, ...stat, cpuPercent };
}

/** Ticks used since the reading before. One that began after it has used all its ticks since. */
function cpuGrowth(now: PidStat, then: ProcessSeen | undefined, from: number, ticksPerSecond: number): number | null {
  if (then?.startTicks === now.startTicks) return increase(then.cpuTicks, now.cpuTicks);
  return now.startTicks / ticksPerSecond >= from - 1 ? now.cpuTicks : null;
}
