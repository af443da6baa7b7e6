import type { Owner } from '../tenancy/owner.ts';
import type { KeptRefusal } from './refusals.ts';
import type { Rival } from './rival.ts';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { UsageSource } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Creator } from '../tenancy/creator.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds, values in base units (bytes, seconds, cores); null is unknown. */

export interface ClusterToken {
  id: string;
  name: string | null;
  lastFour: string;
  clusterId: string | null;
  clusterName: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  /**
   * The token expires then: one that is replaced, and one that no collector uses before. Null: it does not expire.
   */
  expiresAt: number | null;
  /** Another token replaces this one. */
  isReplaced: boolean;
  createdBy: Creator;
}

/** The custom resource that made a rule, a silence or a channel. */
export interface ManagedObject {
  clusterId: string;
  clusterName: string | null;
  namespace: string;
  name: string;
}

/** The sender of a cluster's reports, identified by its token. */
export interface ClusterAgent {
  tokenId: string;
  /** Name of the cluster, else of the token, else its last four characters. */
  name: string;
  organisationId: OrganisationId | null;
  /** Null until the first report binds the token to its cluster. */
  clusterKey: number | null;
}

export type OpenedCluster =
  | {
      state: 'open';
      clusterKey: number;
      listingWanted: boolean;
      /** Epoch seconds; null: the whole time before the installation has arrived. */
      historyWanted: { from: number; to: number } | null;
      /** A second collector that is refused; null: there is none. */
      refusedRival: Rival | null;
    }
  /** The token is bound to another cluster. */
  | { state: 'other_cluster' }
  /** A collector of a later term leads. */
  | { state: 'older_term' }
  /** A collector of another API server reports for this cluster. `wait`: for less than two minutes. */
  | { state: 'wait' | 'refused'; addresses: string[]; rival: Rival };

/** Keys of what a scope holds. */
export interface ClusterScope {
  nodes: readonly number[];
  /** Clusters that match by themselves: their objects that are on no node are in the scope. */
  clusters: readonly number[];
}

export interface ClusterFilter {
  owner: Owner;
  /** Undefined: everything of the owner. */
  within?: ClusterScope | undefined;
  /** uid of kube-system; undefined: all clusters of the owner. */
  clusterId?: string | undefined;
}

export interface ClusterRecord {
  id: string;
  name: string | null;
  version: string | null;
  firstSeenAt: number;
  lastSeenAt: number;
  nodes: number;
  pods: number;
  /** Its custom resources may set rules of the whole organisation. */
  rulesOrganisation: boolean;
}

/** A cluster without its counts. */
export interface ClusterState {
  id: string;
  name: string | null;
  lastSeenAt: number;
  /** Newest report of a node agent; null: none has reported. */
  nodeAgentsSeenAt: number | null;
  /** Last message of a replica that could not take the lease; null: none ever. */
  standby: { at: number; lease: ReaderStatePart } | null;
  /** Readers of the collector of this cluster. */
  readers: ReaderStatePart[];
  /** Objects of its reports that could not be stored, and their unknown fields. */
  refusals: KeptRefusal[];
  /** Addresses of its API server; empty: not known. */
  apiAddresses: string[];
  /** A second collector that reports for it; null: none ever, or it was separated. */
  rival: Rival | null;
}

export interface Measured {
  source: UsageSource;
  measuredAt: number;
  cpuCores: number | null;
  memoryBytes: number | null;
}

export interface EventFilter extends ClusterFilter {
  namespace?: string | undefined;
  type?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
  reason?: string | undefined;
  /** Part of the object's name, the reason or the message, whatever the case. */
  search?: string | undefined;
  /** A workload: its own events and those of its pods, ReplicaSets and Jobs. */
  workload?: { kind: string; name: string } | undefined;
  from: number;
  limit: number;
  offset: number;
}

export interface EventRecord {
  id: string;
  clusterId: string;
  type: string;
  reason: string;
  message: string;
  namespace: string;
  kind: string;
  name: string;
  component: string | null;
  count: number;
  firstAt: number;
  lastAt: number;
}

export interface UsageBucket {
  at: number;
  count: number;
  /** Taken over from Prometheus, all or in part. */
  isTold: boolean;
  cpuCores: { avg: number | null; min: number | null; max: number | null };
  memoryBytes: { avg: number | null; min: number | null; max: number | null };
}

export interface SeriesRange {
  from: number;
  to: number;
  bucketSeconds: number;
}

/** A cluster at a moment of the past. Usage is null where none was stored. */
export interface ClusterMoment {
  nodes: {
    clusterId: string;
    name: string;
    serverId: string;
    cpuPercent: number | null;
    memoryPercent: number | null;
    pods: number;
    /** In the 24 hours before. */
    restarts: number;
  }[];
  pods: {
    clusterId: string;
    namespace: string;
    name: string;
    nodeName: string | null;
    cpuCores: number | null;
    memoryBytes: number | null;
    restarts: number;
    oomKills: number;
  }[];
  totalPods: number;
}
