import type { AlertLevel, AlertStatus } from '@plimsoll/contract/limits';
import type { Owner } from '../domain/owner.ts';

/** How one line of a rule stands for one subject. Times are sample times in milliseconds. */
export type AlertTrack =
  | { phase: 'ok' }
  /** Over since `since`, not yet long enough. */
  | { phase: 'pending'; since: number }
  /** `clearSince`: under the clear line since then, not yet long enough; null while it is not. */
  | { phase: 'firing'; since: number; clearSince: number | null };

/** Tracks of one server by rule and subject, one per line of the rule; what is all ok is left out. */
export type AlertTracks = Record<string, AlertTrack[]>;

export interface AlertChange {
  kind: 'opened' | 'updated' | 'resolved';
  rule: string;
  metric: string;
  subject: string;
  level: AlertLevel;
  title: string;
  message: string;
  value: number | null;
  threshold: number | null;
  at: number;
}
export interface KnownAlertState {
  tracks: AlertTracks;
  /** Of the tracks; 0 while there are none. */
  version: number;
  /** Newest sample of the server besides those asked about; null when there was none within a day. */
  newest: number | null;
  /** The offline alert is open. */
  offline: boolean;
}
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

export interface AlertRecord {
  id: string;
  serverId: string;
  hostname: string;
  level: AlertLevel;
  title: string;
  message: string;
  /** unknown: still open, but the server is silent. */
  status: AlertStatus;
  openedAt: number;
  resolvedAt: number | null;
  acknowledgedAt: number | null;
  metric: string;
  subject: string;
  value: number | null;
  threshold: number | null;
}
export interface AlertFilter {
  serverId?: string;
  level?: AlertLevel;
  status?: AlertStatus;
  from?: number;
  to?: number;
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
