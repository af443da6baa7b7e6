import { createStore } from './store.ts';

/** The contact with the API, from the last good answer or stream event of any kind. */
export interface Connection {
  /** Epoch milliseconds of the last good answer; of the start of the page before the first one. */
  answeredAt: number;
  /**
   * `suspected`: a call or the stream failed and a probe is to decide. `unreachable`: the probe failed, too. `offline`:
   * the browser has no network. Null: nothing speaks against the connection but its age.
   */
  fault: 'suspected' | 'unreachable' | 'offline' | null;
  /** The reason the API or a proxy gave for refusing the probe; null if no answer came. */
  refusal: string | null;
}

export type ConnectionState = 'live' | 'late' | 'lost';

/** Ages in milliseconds from which the connection is late, and lost. */
const LATE_AFTER_MS = 30_000;
const LOST_AFTER_MS = 90_000;

/** Returns how far the figures on the screen can be trusted. A clock set back makes nothing older. */
export function connectionState({ answeredAt, fault }: Connection, nowMs: number): ConnectionState {
  if (fault === 'offline' || fault === 'unreachable') return 'lost';
  const ageMs = nowMs - answeredAt;
  if (ageMs < LATE_AFTER_MS) return 'live';
  return ageMs <= LOST_AFTER_MS ? 'late' : 'lost';
}

/** Returns true while only a probe can say whether the API answers. */
export const needsProbe = (connection: Connection, nowMs: number): boolean =>
  connection.fault !== 'offline' && (connection.fault !== null || connectionState(connection, nowMs) !== 'live');

export const connection = createStore<Connection>(
  { answeredAt: Date.now(), fault: null, refusal: null },
  (a, b) => a.answeredAt === b.answeredAt && a.fault === b.fault && a.refusal === b.refusal,
);

/** Records a good answer. An offline browser stays offline until it reports otherwise: late answers prove nothing. */
export function recordAnswer(nowMs: number): void {
  if (connection.get().fault !== 'offline') connection.set({ answeredAt: nowMs, fault: null, refusal: null });
}

/** Records that a call or the stream failed. A known fault is worse and stays. */
export function suspectConnection(): void {
  const current = connection.get();
  if (current.fault === null) connection.set({ ...current, fault: 'suspected' });
}

/** Records that the probe failed. */
export function recordUnreachable(refusal: string | null): void {
  const current = connection.get();
  if (current.fault !== 'offline') connection.set({ ...current, fault: 'unreachable', refusal });
}

export const recordOffline = (): void => connection.set({ ...connection.get(), fault: 'offline', refusal: null });

/** Records that the browser has a network again; the connection is lost until the API answers. */
export function recordOnline(): void {
  const current = connection.get();
  if (current.fault === 'offline') connection.set({ ...current, fault: 'unreachable' });
}
