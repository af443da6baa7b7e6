import { SAMPLE_TIME_BOUNDS } from '@plimsoll/contract/rules/limits';

/** Times of an arriving item in milliseconds, `up` in seconds. */
export interface Arrival {
  receivedAt: number;
  /** Boot and uptime of the sender when it sent. */
  bootId: string;
  upNow: number;
  /** Server clock minus wall clock of the host, in seconds, at the last request; null: never measured. */
  skewSeconds: number | null;
}
export interface Taken {
  ts: number;
  up: number;
  bootId: string | undefined;
}

/**
 * When a sample was taken, on our clock. Within one boot the uptimes tell it exactly whatever the wall clock says;
 * for an item of an earlier boot the wall clock corrected by the known skew has to do.
 * Null: outside what is accepted (a broken clock).
 */
export function sampleTime(taken: Taken, arrival: Arrival): number | null {
  const sameBoot = (taken.bootId ?? arrival.bootId) === arrival.bootId && arrival.bootId !== 'unknown';
  const age = arrival.upNow - taken.up;
  // An uptime ahead of the sender's own can only stem from another boot.
  const at =
    sameBoot && age >= -1
      ? arrival.receivedAt - Math.max(0, age) * 1000
      : (taken.ts + (arrival.skewSeconds ?? 0)) * 1000;
  const rounded = Math.round(at);
  const earliest = arrival.receivedAt - SAMPLE_TIME_BOUNDS.past * 1000;
  const latest = arrival.receivedAt + SAMPLE_TIME_BOUNDS.future * 1000;
  return rounded >= earliest && rounded <= latest ? rounded : null;
}
