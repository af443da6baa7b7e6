import type { ClusterObjects } from './cluster-objects.ts';
import type { HiddenPart } from '@plimsoll/contract/wire/hidden-parts';
import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import type { AlertLevel, AlertStatus } from '@plimsoll/contract/rules/limits';
import type { ClusterScope, ManagedObject } from '../kubernetes/types.ts';
import type { FilesystemTrend, MemoryTrend } from '../series/types.ts';
import type { OrganisationId, PersonId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/**
 * State of one line of a rule for one subject. Times are sample times in milliseconds. `unknownSince`: the first of the
 * samples without a value that came last; absent while nothing is being waited for.
 */
export type AlertTrack =
  /** `endedAt`: when it last fired; absent when that was more than `FLAPPING_MS` ago. */
  | { phase: 'ok'; endedAt?: number }
  /** Over since `since`, not yet long enough. */
  | { phase: 'pending'; since: number; endedAt?: number; unknownSince?: number }
  /**
   * `clearSince`: under the clear line since then, not yet long enough; null while it is not. `isFlapping`: it fired again
   * within `FLAPPING_MS` of its end. `worst`: the highest value since, as the line compares it; the rows of version 0.1.0
   * have none.
   */
  | {
      phase: 'firing';
      since: number;
      clearSince: number | null;
      isFlapping?: true;
      worst?: number;
      unknownSince?: number;
    };

/** Tracks of one server by rule and subject, one per line of the rule; what is all ok without an end is left out. */
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
  /** Version of the tracks; 0 while there are none. */
  version: number;
  /** Newest sample of the server besides those asked about; null when there was none within a day. */
  newest: number | null;
  /** The offline alert is open. */
  offline: boolean;
  /** The reports_refused alert is open. */
  refused: boolean;
  /** Stored growth of the filesystems. */
  diskTrends: readonly FilesystemTrend[];
  /** Stored growth of the memory; null: none is stored. */
  memoryTrend: MemoryTrend | null;
}

/** Place of a reading in a cluster, for targets of rules and causes of alerts. */
export interface Place {
  namespace: string | null;
  workloadKind: string | null;
  /** Name of the workload, the volume or the node. */
  name: string | null;
  nodes: readonly string[];
}

/** A change of an alert about a cluster or an object in it. */
export interface ClusterAlertChange extends AlertChange {
  place: Place;
}
export type OpenClusterAlert = Omit<ClusterAlertChange, 'kind' | 'at'>;

export interface KnownClusterState {
  organisationId: OrganisationId | null;
  clusterId: string;
  tracks: AlertTracks;
  version: number;
  /** Null: never evaluated. */
  evaluatedAt: number | null;
  open: readonly OpenClusterAlert[];
  /** Null while the collector has not listed everything. */
  objects: ClusterObjects | null;
}

/** The cluster of an alert, and its place there. */
interface AlertCluster extends Place {
  clusterId: string;
  clusterName: string | null;
}

/** The place of an alert in its incident. */
interface AlertIncident {
  id: string;
  /** Another alert of the incident explains this one. */
  isFolded: boolean;
  /** Alerts that this one explains: open ones while it is open, else all. */
  below: number;
  /** First sentence of its likely cause; null: none is known. */
  likelyCause: string | null;
}

export interface AlertRecord {
  id: string;
  /** Null: the alert is about a cluster. */
  serverId: string | null;
  cluster: AlertCluster | null;
  hostname: string;
  level: AlertLevel;
  title: string;
  message: string;
  /** unknown: still open, but the server is silent. */
  status: AlertStatus;
  openedAt: number;
  resolvedAt: number | null;
  /** Last report of a server whose offline alert is open. */
  silentSince: number | null;
  acknowledgedAt: number | null;
  /** Name of the user; null: the account is gone. */
  acknowledgedBy: string | null;
  acknowledgedById: PersonId | null;
  acknowledgedNote: string | null;
  /** Tags of the server. */
  tags: Readonly<Record<string, string>>;
  /** The cluster that the server is a node of. */
  clusterId: string | null;
  namespace: string | null;
  incident: AlertIncident | null;
  rule: string;
  metric: string;
  subject: string;
  value: number | null;
  threshold: number | null;
}

export interface AlertFilter {
  /** Alerts of a cluster count where the server is one of their nodes. */
  serverId?: string;
  /** Keys of the servers in the scope; left out: every server. */
  within?: readonly number[];
  /** Clusters in the scope; left out: all. */
  clusters?: ClusterScope;
  level?: AlertLevel;
  status?: AlertStatus;
  /** Only alerts that their incident's cause explains, or only the others. */
  isFolded?: boolean;
  from?: number;
  to?: number;
}

export type RuleTarget =
  | { kind: 'all' }
  /** `value` null: any value. */
  | { kind: 'tag'; key: string; value: string | null }
  | { kind: 'server'; serverId: string }
  /** `serverId` null: on every server. */
  | { kind: 'mount'; mount: string; serverId: string | null }
  | { kind: 'cluster'; clusterId: string }
  /** `clusterId` null: in every cluster. */
  | { kind: 'namespace'; namespace: string; clusterId: string | null }
  /** `workloadKind` null: of any kind. */
  | {
      kind: 'workload';
      namespace: string;
      workload: string;
      workloadKind: string | null;
      clusterId: string | null;
    };

/** Input of a user for a rule. */
export interface RuleDraft {
  metric: AlertRuleMetric;
  target: RuleTarget;
  /** Ascending; `threshold` is null for a state. */
  lines: readonly { level: AlertLevel; threshold: number | null }[];
  forMs: number;
  keepFiringForMs: number;
  hysteresisPoints: number;
  /** False: no alert of the metric for the target. */
  enabled: boolean;
}

export interface AlertRule extends RuleDraft {
  id: string;
  /** The custom resource that made the rule; null: a user did. */
  object: ManagedObject | null;
  createdAt: number;
  updatedAt: number;
}

/** The rules of an account, with the tags of its servers by server id if a rule needs them. */
export interface AccountRules {
  rules: readonly AlertRule[];
  tags: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Hidden parts by server id; absent: none. */
  hidden?: ReadonlyMap<string, readonly HiddenPart[]>;
}

/** An alert that is open, with what a resolving change repeats. */
export interface OpenAlert extends Omit<AlertChange, 'kind' | 'at'> {
  serverKey: number;
  serverId: string;
  organisationId: OrganisationId | null;
}

export interface IncidentRecord {
  id: string;
  /** Metric of the alert that leads: the cause of the others, else the gravest. */
  cause: string;
  level: AlertLevel;
  title: string;
  /** Subject of the leading alert: "shop/checkout", "node-3", "web-01". */
  subject: string;
  openedAt: number;
  resolvedAt: number | null;
  /** Null: the incident is about no single server. */
  serverId: string | null;
  hostname: string | null;
  alerts: number;
  /** Alerts that the cause explains. */
  folded: number;
  /** Alerts by metric. */
  counts: Readonly<Record<string, number>>;
  /** First sentence of its likely cause; null: none is known. */
  likelyCause: string | null;
}
export interface IncidentMember {
  id: string;
  serverId: string | null;
  hostname: string | null;
  metric: string;
  subject: string;
  level: AlertLevel;
  title: string;
  message: string;
  /** Another alert of the incident explains it, so it is not sent by itself. */
  isFolded: boolean;
  openedAt: number;
  resolvedAt: number | null;
}
