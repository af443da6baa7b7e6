import { timerMs } from '@plimsoll/contract/rules/timer';

/** Time and chance, passed in so that tests own both. */
export interface Timing {
  /** Epoch milliseconds. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back after `ms` unless the returned function is called first. */
  alarm(ms: number, ring: () => void): () => void;
  /** In [0, 1). */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, timerMs(ms));
      signal.addEventListener('abort', done);
    }),
  alarm: (ms, ring) => {
    const timer = setTimeout(ring, timerMs(ms));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Milliseconds to wait. Full jitter: anywhere between nothing and the doubled ceiling of this failure. */
export const jitteredBackoff = (failures: number, baseMs: number, capMs: number, random: number): number =>
  Math.round(random * Math.min(capMs, baseMs * 2 ** Math.min(failures, 20)));
