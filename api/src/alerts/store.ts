import type { AlertChange, AlertFilter, AlertRecord, AlertTracks, KnownAlertState } from './types.ts';
import type { Owner } from '../accounts/owner.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** What the evaluator keeps between two reports. */
export interface AlertStates {
  load(serverKey: number, sampleTimes: readonly number[]): Promise<KnownAlertState>;
  /** One transaction. False when another report of the server came first: load and decide again. */
  save(serverKey: number, version: number, tracks: AlertTracks, changes: readonly AlertChange[]): Promise<boolean>;
  /** Servers that reported once, are not uninstalled, are silent for three intervals and have no offline alert open. */
  listSilent(
    now: number,
  ): Promise<{ serverKey: number; serverId: string; accountId: string | null; lastSeenAt: number }[]>;
}

export interface Alerts {
  /** Newest first. `from`, `to` (exclusive): those that were firing at some moment of the range, however early they opened. */
  list(
    owner: Owner,
    filter: AlertFilter,
    page: { limit: number; offset: number },
    now: number,
  ): Promise<{ alerts: AlertRecord[]; total: number }>;
}
