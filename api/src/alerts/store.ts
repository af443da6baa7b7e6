import type {
  AccountRules,
  AlertChange,
  AlertFilter,
  AlertRecord,
  AlertRule,
  AlertTracks,
  KnownAlertState,
  OpenAlert,
  RecordedSeries,
  RuleDraft,
} from './types.ts';
import type { ThresholdMetric } from './rules.ts';
import type { Page } from '../page.ts';
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
  /** Open alerts of these metrics, of one account or of all. */
  listOpen(metrics: readonly string[], accountId: string | null): Promise<OpenAlert[]>;
}

/** The rules that users write. */
export interface AlertRules {
  /** For the evaluation: the account of the server whose report was stored. */
  ofAccount(accountId: string): Promise<AccountRules>;
  /** Oldest first. */
  list(owner: Owner, page: Page): Promise<{ rules: AlertRule[]; total: number }>;
  create(owner: Owner, draft: RuleDraft, now: number): Promise<AlertRule>;
  get(owner: Owner, id: string): Promise<AlertRule | null>;
  /** Null: the owner has no such rule. */
  update(owner: Owner, id: string, draft: RuleDraft, now: number): Promise<AlertRule | null>;
  delete(owner: Owner, id: string): Promise<boolean>;
}

/** Recorded values for a rehearsal. */
export interface RecordedValues {
  /**
   * Samples as far back as they are kept, before that minima and maxima of 5 minutes. Servers that are not the owner's
   * are left out. `presence`: the times alone, every value 0.
   */
  read(
    owner: Owner,
    serverIds: readonly string[],
    metric: ThresholdMetric | 'presence',
    range: { from: number; to: number },
  ): Promise<RecordedSeries[]>;
}

export interface Alerts {
  /**
   * Newest first. `from`, `to` (exclusive): those that were firing at some moment of the range, however early they
   * opened.
   */
  list(
    owner: Owner,
    filter: AlertFilter,
    page: { limit: number; offset: number },
    now: number,
  ): Promise<{ alerts: AlertRecord[]; total: number }>;
}
