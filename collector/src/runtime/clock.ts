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
  return {
    wall: () => Date.now() / 1000,
    up: () => parseUptime(files.optional('proc/uptime')) ?? uptime(),
    sleep: (seconds, signal) =>
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
        const timer = setTimeout(done, Math.max(0, seconds * 1000));
        signal.addEventListener('abort', done);
      }),
  };
}

export function parseUptime(text: string | null): number | null {
  const seconds = Number(text?.split(' ', 1)[0]);
  return text !== null && Number.isFinite(seconds) ? seconds : null;
}

/** Name of the host, for enrolling. */
export const hostName = (): string => orNull(hostname) ?? 'unknown';
