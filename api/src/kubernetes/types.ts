import type { Owner } from '../accounts/owner.ts';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type {
  NodeAgentMode,
  OwnerGrouping,
  OwnerSort,
  PodPhase,
  PodSort,
  SortOrder,
  UsageSource,
} from '@plimsoll/contract/rules/kubernetes-limits';
import type { NodeObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';

/** Times are epoch milliseconds, values in base units (bytes, seconds, cores); null is unknown. */

export interface ClusterToken {
  id: string;
  name: string | null;
  lastFour: string;
  clusterId: string | null;
  clusterName: string | null;
  createdAt: number;
  lastUsedAt: number | null;
  /** The token expires then unless a collector uses it before; null once it is used, and for one that never expires. */
  expiresAt: number | null;
}

/** The sender of a cluster's reports, identified by its token. */
/** The custom resource that made a rule, a silence or a channel. */
export interface ManagedObject {
  clusterId: string;
  clusterName: string | null;
  namespace: string;
  name: string;
}

export interface ClusterAgent {
  tokenId: string;
  accountId: string | null;
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
    }
  /** The token is bound to another cluster. */
  | { state: 'other_cluster' }
  /** A collector of a later term leads. */
  | { state: 'older_term' };

export interface EnrolledNode {
  serverId: string;
}

/** Facts of a node that a scope reads, beside those of its server. */
export interface NodeFacts {
  /** Null, like what follows the cluster, for a cluster without a node. */
  key: number | null;
  clusterKey: number;
  clusterId: string;
  clusterName: string | null;
  serverId: string | null;
  /** The region that the cloud provider labelled the node with. */
  region: string | null;
}

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
}

export interface Measured {
  source: UsageSource;
  measuredAt: number;
  cpuCores: number | null;
  memoryBytes: number | null;
}

/** The latest sample of the server that a node's agent reports for. */
export interface NodeServer {
  lastSeenAt: number | null;
  uptimeSeconds: number | null;
  sample: {
    sampleAt: number;
    cpuPercent: number | null;
    memoryPercent: number | null;
    diskPercent: number | null;
  } | null;
}

export interface NodeFilter extends ClusterFilter {
  serverIds?: readonly string[] | undefined;
  /** A server id or a name. */
  named?: string | undefined;
}

export interface RecentNodesFilter extends ClusterFilter {
  /** Only nodes that enrolled with this cluster token. */
  tokenId?: string | undefined;
  limit: number;
}

export interface NodeRecord {
  serverId: string;
  clusterId: string;
  clusterName: string | null;
  clusterTokenId: string | null;
  enrolledAt: number | null;
  firstSeenAt: number;
  object: NodeObject;
  usage: Measured | null;
  agent: {
    mode: NodeAgentMode;
    sampleAt: number;
    kubelet: ReaderStatePart;
    tlsVerified: boolean;
    figures: NodePart['node'];
  } | null;
  /** Null until the node's agent enrols. */
  server: NodeServer | null;
  /** Readers of the cluster's collector. */
  readers: ReaderStatePart[];
  pods: number;
  requests: { cpuCores: number | null; memoryBytes: number | null };
  limits: { cpuCores: number | null; memoryBytes: number | null };
  restarts: number;
}

/** Fields that filter and sort a list of nodes: few, because they are read of all nodes to choose one page. */
export type RankedNode = Pick<NodeRecord, 'serverId' | 'usage' | 'agent' | 'server' | 'readers' | 'pods'> & {
  object: Pick<NodeObject, 'name' | 'ready' | 'created_at' | 'capacity'>;
};

/** Sums over nodes. */
export interface NodeTotals {
  nodes: number;
  ready: number;
  cpuPercent: number | null;
  memoryPercent: number | null;
  /** Sources of the known CPU figures. */
  sources: UsageSource[];
  /** Time of the oldest known CPU figure. */
  oldestAt: number | null;
  /** The first node by name when no CPU figure is known: its reason stands for all. */
  first: RankedNode | null;
  /** The first few by name. */
  notReady: { name: string; serverId: string; reason: string | null }[];
}

/** State of the kubelet source of one node's agent. */
export interface KubeletRecord {
  clusterId: string;
  nodeName: string;
  kubelet: ReaderStatePart;
  tlsVerified: boolean;
}

export interface PodRecord {
  clusterId: string;
  serverId: string | null;
  /** The agent of the pod's node; null without one. */
  nodeAgent: Pick<NonNullable<NodeRecord['agent']>, 'sampleAt' | 'kubelet'> | null;
  /** Readers of the cluster's collector. */
  readers: ReaderStatePart[];
  object: PodObject;
  usage: Measured | null;
  /** Restarts within the restart window. */
  restarts: number;
  oomKills: number;
  lastRestart: { at: number; container: string; reason: string | null; exitCode: number | null } | null;
}

export interface PodFilter extends ClusterFilter {
  namespace?: string | undefined;
  phase?: PodPhase | undefined;
  nodeName?: string | undefined;
  /** "none": pods without an owner. */
  ownerKind?: string | undefined;
  ownerName?: string | undefined;
  search?: string | undefined;
  sort: PodSort;
  order: SortOrder;
  limit: number;
  offset: number;
}

export interface RankedPod {
  uid: string;
  clusterId: string;
  name: string;
  namespace: string;
  phase: PodPhase | null;
  reason: string | null;
  usage: Measured | null;
  restarts: number;
  oomKills: number;
  ownerKind: string | null;
  ownerName: string | null;
}

export interface PodsSummaryRecord {
  phases: Record<PodPhase, number>;
  restarts: number;
  oomKills: number;
  namespaces: { namespace: string; pods: number; cpuCores: number | null; memoryBytes: number | null }[];
  /** One count per bucket of POD_AGE_BUCKETS and a last, open one. */
  ages: number[];
  zombies: number;
  topRestarts: RankedPod[];
  namespaceNames: string[];
  ownerKinds: string[];
  nodeNames: string[];
  failed: { namespace: string; name: string; reason: string | null }[];
}

export interface OwnerFilter extends ClusterFilter {
  /** Undefined: by owner. */
  by?: OwnerGrouping | undefined;
  namespace?: string | undefined;
  ownerKind?: string | undefined;
  search?: string | undefined;
  sort: OwnerSort;
  order: SortOrder;
  limit: number;
  offset: number;
}

export interface OwnerRecord {
  clusterId: string;
  namespace: string;
  kind: string | null;
  name: string | null;
  pods: number;
  phases: Record<PodPhase, number>;
  cpuCores: number | null;
  memoryBytes: number | null;
  requests: { cpuCores: number | null; memoryBytes: number | null };
  limits: { cpuCores: number | null; memoryBytes: number | null };
  /** Pods that are not finished and have no such limit. */
  withoutCpuLimit: number;
  withoutMemoryLimit: number;
  restarts: number;
  desired: number | null;
  ready: number | null;
}

export interface EventFilter extends ClusterFilter {
  namespace?: string | undefined;
  type?: string | undefined;
  kind?: string | undefined;
  name?: string | undefined;
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

export interface ContainerTermination {
  container: string;
  run: number;
  restarted: boolean;
  at: number;
  reason: string | null;
  exitCode: number | null;
  /** The reason was not seen: the runs before and after both ended with an OOM kill. */
  isInferred: boolean;
  memoryLimitBytes: number | null;
  memoryPeakBytes: number | null;
}

/** A requested log tail. */
export interface LogTail {
  /** True if this call made the request. */
  isNew: boolean;
  requestedAt: number;
  answeredAt: number | null;
  lines: string[];
  failure: string | null;
}

/** Image of one container of one pod. */
export interface ImageRecord {
  container: string;
  image: string;
  /** When the pod was created. */
  createdAt: number;
}

export interface VolumeRecord {
  claim: string;
  phase: string;
  storageClass: string | null;
  capacityBytes: number | null;
  usedBytes: number | null;
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
