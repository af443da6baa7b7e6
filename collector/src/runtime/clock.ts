import { timerMs } from '@plimsoll/contract/rules/timer';
import { hostname, uptime } from 'node:os';
import { orNull } from './or-null.ts';
import type { Files } from './files.ts';

/** Time as the collector sees it; tests pass one they move by hand. */
export interface Clock {
  /** Wall clock, epoch seconds with fractions. */
  wall(): number;
  /** Seconds since boot, suspend included. */
  up(): number;
  /** Resolves after the given seconds, or at once when the signal aborts. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
}

/** /proc/uptime counts suspend; where it does not exist (macOS) the runtime's figure is boot time against wall clock. */
export function systemClock(files: Files): Clock {
  const up = (): number => parseUptime(files.optional('proc/uptime')) ?? uptime();
  return {
    wall: () => Date.now() / 1000,
    up,
    sleep: (seconds, signal) => sleepAwake(up, seconds, signal),
  };
}

/** A timer stands still while the host is suspended. In slices of this length the sleep ends soon after it. */
const SLICE_SECONDS = 15;

async function sleepAwake(up: () => number, seconds: number, signal: AbortSignal): Promise<void> {
  for (let left = seconds; ;) {
    const before = up();
    const slice = Math.min(left, SLICE_SECONDS);
    await sleepOnce(slice, signal);
    left -= Math.max(slice, up() - before);
    if (left <= 0 || signal.aborted) return;
  }
}

const sleepOnce = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timerMs(seconds * 1000));
    signal.addEventListener('abort', done);
  });

export function parseUptime(text: string | null): number | null {
  const seconds = Number(text?.split(' ', 1)[0]);
  return text !== null && Number.isFinite(seconds) ? seconds : null;
}

/** Name of the host, for enrolling. */
export const hostName = (): string => orNull(hostname) ?? 'unknown';
