import type { AlertLevel, AlertStatus } from '@plimsoll/contract/rules/limits';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

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
