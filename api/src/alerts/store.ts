import type {
  AccountRules,
  AlertChange,
  AlertFilter,
  AlertRecord,
  AlertRule,
  AlertTracks,
  IncidentMember,
  IncidentRecord,
  ClusterAlertChange,
  KnownClusterState,
  KnownAlertState,
  OpenAlert,
  RuleDraft,
} from './types.ts';
import type { RecordedMetric, RecordedPoints, RecordedServer } from './rehearsal/recorded.ts';
import type { ActingState } from './acting/acting.ts';
import type { AlertEvent, PastSilence } from './acting/alert-history.ts';
import type { BlackBox } from './acting/black-box.ts';
import type { BulkOperation, BulkResult, UndoResult } from './acting/bulk-operation.ts';
import type { Silence, SilenceDraft } from './silence-match.ts';
import type { IngestWatchState } from './incidents/ingest-pause.ts';
import type { ObjectRows } from '../kubernetes/object-rows.ts';
import type { Transaction } from '../database/store.ts';
import type { Page } from '../page.ts';
import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import type { SilenceStatus } from '@plimsoll/contract/rules/alert-acting';
import type { Owner } from '../tenancy/owner.ts';
import type { OrganisationId, PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** A server whose open alert has no reason any more. */
export interface AcceptedServer {
  serverKey: number;
  serverId: string;
  organisationId: OrganisationId | null;
}
/** A server whose reports are refused, without an open alert for that. */
export interface RefusedServer extends AcceptedServer {
  since: number;
  /** "field: problem". */
  detail: string;
}

/** State of the evaluator between two reports. */
export interface AlertStates {
  load(serverKey: number, sampleTimes: readonly number[]): Promise<KnownAlertState>;
  /** One transaction. False when another report of the server came first: load and decide again. */
  save(serverKey: number, version: number, tracks: AlertTracks, changes: readonly AlertChange[]): Promise<boolean>;
  /** Servers that reported once, are not uninstalled, are silent for three intervals and have no offline alert open. */
  listSilent(
    now: number,
  ): Promise<{ serverKey: number; serverId: string; organisationId: OrganisationId | null; lastSeenAt: number }[]>;
  /** Servers whose alert about refused reports is to be opened or ended. */
  listRefused(now: number): Promise<{ refused: RefusedServer[]; accepted: AcceptedServer[] }>;
  /** Open alerts of these metrics, of one account or of all. */
  listOpen(metrics: readonly string[], organisationId: OrganisationId | null): Promise<OpenAlert[]>;
}

/** State of the evaluator between two reports of a cluster. */
export interface ClusterAlertStates {
  /** Null: there is no such cluster. */
  load(clusterKey: number, now: number): Promise<KnownClusterState | null>;
  /** One transaction. False when another report of the cluster came first: load and decide again. */
  save(
    clusterKey: number,
    at: { version: number; now: number },
    tracks: AlertTracks,
    changes: readonly ClusterAlertChange[],
  ): Promise<boolean>;
  /** Opens an alert outside of an evaluation. False: it is open. */
  open(clusterKey: number, change: ClusterAlertChange): Promise<boolean>;
  /** Clusters whose collector is silent for three intervals, can report, and has no open alert for that. */
  listSilent(
    now: number,
  ): Promise<{ clusterKey: number; clusterId: string; organisationId: OrganisationId | null; lastSeenAt: number }[]>;
}

/** The rules that users write. */
export interface AlertRules {
  /** For the evaluation: the account of the server whose report was stored. */
  ofAccount(organisationId: OrganisationId): Promise<AccountRules>;
  /** Oldest first. */
  list(owner: Owner, page: Page): Promise<{ rules: AlertRule[]; total: number }>;
  /** Counts the rules that users wrote. */
  countOwn(owner: Owner): Promise<number>;
  create(owner: Owner, draft: RuleDraft, now: number): Promise<AlertRule>;
  get(owner: Owner, id: string): Promise<AlertRule | null>;
  /** Null: the owner has no such rule, or a custom resource made it. */
  update(owner: Owner, id: string, draft: RuleDraft, now: number): Promise<AlertRule | null>;
  delete(owner: Owner, id: string): Promise<boolean>;
  ofObjects: ObjectRows<{ draft: RuleDraft }>;
  /** Creates and changes all of them or none. Returns them in the given order; null: one of `changed` is not there. */
  saveAll(
    owner: Owner,
    rules: { created: readonly RuleDraft[]; changed: readonly { id: string; draft: RuleDraft }[] },
    now: number,
  ): Promise<{ created: AlertRule[]; changed: AlertRule[] } | null>;
}

/** Recorded values for a rehearsal. Hours are UTC hours since 1970. */
export interface RecordedValues {
  /** Servers that are not the owner's are left out. */
  servers(owner: Owner, serverIds: readonly string[], range: { from: number; to: number }): Promise<RecordedServer[]>;
  /**
   * Returns the hours in which a value may reach the line of its server, by server key. `held`: only hours in which a
   * whole bucket of 5 minutes may stay at or over it. Hours after `closedUntil` are not judged.
   */
  hoursOver(
    lines: ReadonlyMap<number, number>,
    metric: Exclude<RecordedMetric, 'presence'>,
    options: { held: boolean; from: number; to: number },
  ): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Returns the hours without a missing report, by server key. */
  completeHours(
    servers: readonly RecordedServer[],
    range: { from: number; to: number },
  ): Promise<ReadonlyMap<number, readonly number[]>>;
  /**
   * Returns the values of the servers in at most an hour, by their key: samples as far back as they are kept, before that
   * minima and maxima of 5 minutes, which come first. `presence`: every value is 0.
   */
  ofHour(
    servers: readonly RecordedServer[],
    metric: RecordedMetric,
    range: { from: number; to: number },
  ): Promise<(readonly [key: number, points: RecordedPoints])[]>;
}

export interface Alerts {
  /**
   * Newest first. `from`, `to` (exclusive): alerts that were firing at some moment of the range, at any opening time.
   */
  list(
    owner: Owner,
    filter: AlertFilter,
    page: { limit: number; offset: number },
    now: number,
  ): Promise<{ alerts: AlertRecord[]; total: number }>;
  /** Null: the owner has no such alert. */
  get(owner: Owner, id: string, now: number): Promise<AlertRecord | null>;
}

/** For the send side: what users did about the alerts. */
export interface AlertActing {
  /** Alerts that are gone are missing from the answer. */
  ofAlerts(alertIds: readonly string[], now: number): Promise<ReadonlyMap<string, ActingState>>;
}

/** The acting user and the time. */
interface By {
  personId: PersonId;
  now: number;
}

export interface Silences {
  /** Active ones first, then pending, then expired; each group by its end. */
  list(
    owner: Owner,
    filter: { status?: SilenceStatus },
    page: Page,
    now: number,
  ): Promise<{ silences: Silence[]; total: number }>;
  /** All that are active now. */
  active(owner: Owner, now: number): Promise<Silence[]>;
  /** Lists silences that begin before a moment and have not ended, with the periods of recurring maintenance. */
  planned(owner: Owner, range: { now: number; until: number }): Promise<Silence[]>;
  /** Counts pending or active ones that users made. */
  count(owner: Owner, now: number): Promise<number>;
  /** Null: the owner has no such silence. */
  get(owner: Owner, id: string): Promise<Silence | null>;
  create(owner: Owner, draft: SilenceDraft, by: By): Promise<Silence>;
  /** Messages that no silence holds any more are sent at once. */
  update(owner: Owner, id: string, draft: SilenceDraft, now: number): Promise<Silence | null>;
  delete(owner: Owner, id: string, by: By): Promise<boolean>;
  /** Messages that no silence holds any more are sent at once. */
  ofObjects: ObjectRows<{ draft: SilenceDraft }>;
}

/** Actions of users on alerts. */
export interface AlertActions {
  /** One transaction. Alerts that are not the owner's are `not_found`. */
  run(owner: Owner, operation: BulkOperation, by: By): Promise<BulkResult>;
  /** Restores exactly what the operation changed, except what somebody changed afterwards. */
  undo(owner: Owner, operationId: string, by: By): Promise<UndoResult>;
}

/** When the installation as a whole receives reports. All replicas share it. */
export interface IngestWatch {
  /** Records that a replica runs, and returns until when silence is not judged. */
  look(now: number, intervalMs: number): Promise<IngestWatchState>;
  /** Runs work on one replica at a time. Returns null without running it while another replica is at it. */
  judge<T>(work: () => Promise<T>): Promise<T | null>;
}

export interface Incidents {
  /** Counts the servers of each account that are not silent. `late`, `silent`: after this many report intervals. */
  fleets(
    now: number,
    intervals: { late: number; silent: number },
  ): Promise<{ organisationId: OrganisationId; alive: number; late: number }[]>;
  /** The last ingest outage of each account that had one; `resolvedAt` null: it is open. */
  outages(): Promise<{ organisationId: OrganisationId; openedAt: number; resolvedAt: number | null }[]>;
  /** Returns false if one is open already. */
  openOutage(
    outage: { organisationId: OrganisationId; silent: number; servers: number; title: string; message: string },
    now: number,
  ): Promise<boolean>;
  /** Returns false if none is open. */
  endOutage(organisationId: OrganisationId, now: number): Promise<boolean>;
  /** Newest first. */
  list(
    owner: Owner,
    filter: { state?: 'open' | 'resolved' },
    page: Page,
  ): Promise<{ incidents: IncidentRecord[]; total: number }>;
  /** The leading member first. Null: the owner has no such incident. */
  get(owner: Owner, id: string, mostMembers: number): Promise<(IncidentRecord & { members: IncidentMember[] }) | null>;
}

/** Data of one alert. */
export interface AlertDetails {
  /** The alert is the owner's. `silences`: those that may have held it, deleted ones included. */
  of(
    owner: Owner,
    alert: AlertRecord,
    now: number,
  ): Promise<{
    blackBox: { takenAt: number; box: BlackBox } | null;
    events: AlertEvent[];
    silences: PastSilence[];
  }>;
}

/** An open alert of a check. */
export interface OpenCheckAlert {
  organisationId: OrganisationId;
  checkId: string;
  rule: string;
  metric: string;
  level: AlertLevel;
  message: string;
  value: number | null;
  threshold: number | null;
}
export interface CheckAlertChange extends Omit<AlertChange, 'subject'> {
  checkId: string;
  /** Name of the check. */
  name: string;
}
/** A workload, as alerts about it name it. */
export interface WorkloadPlace {
  clusterKey: number;
  namespace: string;
  kind: string;
  name: string;
}
/** Alerts of checks and heartbeats. */
export interface CheckAlerts {
  /** Lists the open alerts of all organisations. */
  listOpen(): Promise<OpenCheckAlert[]>;
  /**
   * One transaction; also without a change it gives the open alerts their incidents. `served`: the workloads behind checks,
   * by check. Returns how many alerts changed.
   */
  save(
    organisationId: OrganisationId,
    changes: readonly CheckAlertChange[],
    served: ReadonlyMap<string, readonly WorkloadPlace[]>,
    now: number,
  ): Promise<number>;
}

/** Messages to channels, written in the transaction that changes their alerts. */
export interface AlertOutbox {
  /**
   * Puts a change of a server's alert into the outbox of each channel of its organisation. Call it after an alert opens,
   * and before an update or an end is written: it compares with the stored level.
   */
  enqueueChange(transaction: Transaction, serverKey: number, change: AlertChange): Promise<void>;
  /** Puts open alerts into the outbox of each channel that has not delivered them. They count as begun after `waitMs`. */
  enqueueOpen(transaction: Transaction, alertIds: readonly string[], now: number, waitMs: number): Promise<void>;
  enqueueEnd(transaction: Transaction, alertId: string, now: number): Promise<void>;
  /** Makes messages due that a silence or quiet hours hold, so that the sender judges them anew. */
  wakeHeld(transaction: Transaction, organisationId: OrganisationId, now: number): Promise<void>;
}

/** Top lists of servers, kept in the transaction that opens an alert. */
export interface TopListSnapshots {
  /** Keeps what runs on a server now: the next quarter of an hour is too late. */
  take(transaction: Transaction, serverKey: number): Promise<void>;
}
