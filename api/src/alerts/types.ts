import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-rule-limits';
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

export type RuleTarget =
  | { kind: 'all' }
  /** `value` null: any value. */
  | { kind: 'tag'; key: string; value: string | null }
  | { kind: 'server'; serverId: string }
  /** `serverId` null: on every server. */
  | { kind: 'mount'; mount: string; serverId: string | null };

/** What a user writes. */
export interface RuleDraft {
  metric: AlertRuleMetric;
  target: RuleTarget;
  /** Ascending; `threshold` is null for `offline` only. */
  lines: readonly { level: AlertLevel; threshold: number | null }[];
  forMs: number;
  keepFiringForMs: number;
  hysteresisPoints: number;
  /** False: no alert of the metric for the target. */
  enabled: boolean;
}

export interface AlertRule extends RuleDraft {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** The rules of an account, with the tags of its servers by server id if a rule needs them. */
export interface AccountRules {
  rules: readonly AlertRule[];
  tags: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** An alert that is open, with what a resolving change repeats. */
export interface OpenAlert extends Omit<AlertChange, 'kind' | 'at'> {
  serverKey: number;
  serverId: string;
  accountId: string | null;
}

/** Values of one server in time order; a value is NaN where it is not known. */
export interface RecordedSeries {
  serverId: string;
  hostname: string;
  intervalMs: number;
  points: readonly RecordedPoint[];
}
export interface RecordedPoint {
  at: number;
  /** Both are the value of a sample, or the minimum and maximum of 5 minutes. */
  min: number;
  max: number;
  isSample: boolean;
}
