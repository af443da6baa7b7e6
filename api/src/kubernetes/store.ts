import type { Creator } from '../tenancy/creator.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { ClusterLoad } from './cluster-ranking.ts';
import type { DegradedPart } from './degraded.ts';
import type { JudgedItem } from './refusals.ts';
import type { Rival } from './rival.ts';
import type { RunningNode } from './same-node.ts';
import type {
  EnrolledNode,
  KubeletRecord,
  NodeAgentSet,
  NodeFacts,
  NodeFilter,
  NodeRecord,
  NodeTotals,
  RankedNode,
  RecentNodesFilter,
} from './node-records.ts';
import type {
  ContainerTermination,
  ImageRecord,
  LogTail,
  OwnerFilter,
  OwnerRecord,
  PodFilter,
  PodRecord,
  PodsSummaryRecord,
  VolumeRecord,
  WorkloadName,
  WorkloadRecord,
} from './pod-records.ts';
import type {
  ClusterAgent,
  ClusterFilter,
  ClusterMoment,
  ClusterRecord,
  ClusterScope,
  ClusterState,
  ClusterToken,
  EventFilter,
  EventRecord,
  OpenedCluster,
  SeriesRange,
  UsageBucket,
} from './types.ts';
import type { Transaction } from '../database/store.ts';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { ClusterEnvelope, ClusterItem, LogRequest } from '@plimsoll/contract/wire/cluster-report';

/** Times are epoch milliseconds, values in base units (bytes, seconds, cores); null is unknown. */

export interface ClusterTokens {
  /** `owner` null: it belongs to the first account, until that exists to the instance. */
  create(
    token: {
      owner: Owner | null;
      tokenHash: Buffer;
      name: string | null;
      lastFour: string;
      /** Ends the token if nobody has used it by then (ms); null: it does not expire. */
      expiresUnusedAt: number | null;
      createdBy: Creator;
    },
    now: number,
  ): Promise<{ id: string }>;
  list(owner: Owner): Promise<ClusterToken[]>;
  /**
   * Creates a token of the same name and cluster, and ends the old one at `endsAt` (ms). Null: the owner has no such token
   * that a collector used and nothing replaces yet.
   */
  replace(
    owner: Owner,
    id: string,
    successor: { tokenHash: Buffer; lastFour: string; createdBy: Creator; endsAt: number },
    now: number,
  ): Promise<{ id: string; name: string } | null>;
  /** Returns the name of the token; null when the owner has no such token. */
  revoke(owner: Owner, id: string): Promise<{ name: string } | null>;
  /** Null for a token that is unknown, revoked or expired unused. The first call within its time makes it permanent. */
  find(tokenHash: Buffer, now: number): Promise<ClusterAgent | null>;
}

/** The writing side. Every write may be repeated without effect. */
export interface ClusterReports {
  open(agent: ClusterAgent, envelope: Omit<ClusterEnvelope, 'reports'>, now: number): Promise<OpenedCluster>;
  /** `judged`: what the item lacks; absent: nothing. */
  write(clusterKey: number, item: ClusterItem, now: number, judged?: JudgedItem): Promise<void>;
  /** Marks listings that lost an item: the end of one deletes nothing. An empty id stands for any listing. */
  loseListings(clusterKey: number, ids: readonly string[]): Promise<void>;
  /** Returns a cluster of the owner, locked until the transaction ends. */
  findForSeparation(
    owner: Owner,
    clusterId: string,
  ): Promise<{ clusterKey: number; name: string | null; rival: Rival | null } | null>;
  /** Creates a cluster for the rival of another one, binds the token to it, and ends the rivalry. */
  separate(
    clusterKey: number,
    copy: { clusterId: string; name: string; rival: Rival; tokenId: string },
    now: number,
  ): Promise<void>;
  /** Stores why a replica cannot lead. False: the token is bound to no cluster yet. */
  standBy(agent: ClusterAgent, lease: ReaderStatePart, now: number): Promise<boolean>;
  /** The node of this name that runs now; null: the cluster's collector has not reported one. */
  findRunningNode(agent: ClusterAgent, name: string): Promise<RunningNode | null>;
  /** Null: the cluster's collector has not reported this node yet. */
  enrolNode(
    agent: ClusterAgent,
    node: { name: string; hostname: string; tokenHash: Buffer },
    now: number,
  ): Promise<EnrolledNode | null>;
}

/** The reading side; every query takes the owner, a foreign object is not found. */
interface ClusterViews {
  /** `within`: clusters in the scope or with a node in it, and counts of what is in it. */
  clusters(owner: Owner, within?: ClusterScope): Promise<ClusterRecord[]>;
  /** Nodes and pods at a moment (ms), from the stored history; pods by restarts, then memory, at most `limit`. */
  clusterAt(filter: ClusterFilter, at: number, limit: number): Promise<ClusterMoment>;
  /** Living nodes, as a scope looks at them. */
  nodeFacts(owner: Owner): Promise<NodeFacts[]>;
  /** Every cluster of the filter with its load, without one that is not the owner's. */
  clusterLoads(filter: ClusterFilter, now: number): Promise<ClusterLoad[]>;
  clusterStates(filter: ClusterFilter): Promise<ClusterState[]>;
  /** In order of their names. */
  nodes(filter: NodeFilter, now: number): Promise<NodeRecord[]>;
  /** Every node of the filter in order of their names; `pods` is counted on request and else 0. */
  rankedNodes(filter: ClusterFilter, countPods: boolean): Promise<RankedNode[]>;
  /** The nodes that connected last. */
  recentNodes(filter: RecentNodesFilter, now: number): Promise<{ nodes: NodeRecord[]; total: number }>;
  nodeTotals(filter: ClusterFilter, now: number): Promise<NodeTotals>;
  /** `failing`: at most `limit` kubelets with something to report, by node name. `well`: the first one without. */
  kubelets(filter: ClusterFilter, limit: number): Promise<{ failing: KubeletRecord[]; well: KubeletRecord | null }>;
  /** DaemonSets named as the chart names that of the node agents. */
  nodeAgentSets(filter: ClusterFilter): Promise<NodeAgentSet[]>;
  pods(filter: PodFilter, now: number): Promise<{ pods: PodRecord[]; total: number }>;
  /** The living pod of that name, else the one that went last; null when there is none. */
  pod(filter: ClusterFilter, namespace: string, name: string, now: number): Promise<PodRecord | null>;
  podsSummary(filter: ClusterFilter, now: number): Promise<PodsSummaryRecord>;
  /** Reasons why the clusters are not healthy though their nodes are ready and no pod failed; empty: there are none. */
  listDegraded(filter: ClusterFilter, now: number): Promise<DegradedPart[]>;
  owners(filter: OwnerFilter, now: number): Promise<{ owners: OwnerRecord[]; total: number }>;
  /** Null: no cluster of the filter has the workload, nor a pod of it. */
  getWorkload(filter: ClusterFilter, wanted: WorkloadName, now: number): Promise<WorkloadRecord | null>;
  /** `reasons` and `kinds`: those that occur in the time and the scope, for the filters. */
  events(filter: EventFilter): Promise<{ events: EventRecord[]; total: number; reasons: string[]; kinds: string[] }>;
  terminations(pod: PodRecord, owner: Owner, from: number): Promise<ContainerTermination[]>;
  volumes(pod: PodRecord, owner: Owner): Promise<VolumeRecord[]>;
  /** Images of the last pods of this pod's owner, newest first, those that are gone included. */
  images(pod: PodRecord, owner: Owner): Promise<ImageRecord[]>;
  podSeries(pod: PodRecord, owner: Owner, range: SeriesRange): Promise<UsageBucket[]>;
  nodeSeries(node: NodeRecord, owner: Owner, range: SeriesRange): Promise<UsageBucket[]>;
}

/** Requested tails of pod logs; kept for minutes. */
export interface PodLogs {
  /**
   * The newest request of this tail if it is fresh, else a new one. `off`: the cluster's collector may not read logs;
   * `full`: too many tails wait already.
   */
  request(
    pod: PodRecord,
    owner: Owner,
    tail: { container: string; previous: boolean; reader: string },
    now: number,
  ): Promise<LogTail | 'off' | 'full'>;
  /** Requests that were not sent yet; each is given out once. */
  take(clusterKey: number, now: number): Promise<LogRequest[]>;
  /** False: this cluster has no such request that waits. */
  answer(
    agent: ClusterAgent,
    id: string,
    answer: { lines: string[]; failure: string | null },
    now: number,
  ): Promise<boolean>;
}

export interface ClusterUpkeep {
  /** Recomputes the closed five-minute buckets that had late samples; rows written. */
  rollup(now: number): Promise<number>;
}

/** Changes of a whole cluster, for admins. */
export interface ClusterAdministration {
  /** Returns a cluster of the owner, locked until the transaction ends, and what it holds now. */
  lock(
    owner: Owner,
    clusterId: string,
  ): Promise<{
    clusterKey: number;
    name: string | null;
    reportedName: string | null;
    isRenamed: boolean;
    nodes: number;
    openAlerts: number;
    tokens: number;
  } | null>;
  /** Null returns to the reported name. Returns the name shown from then on. */
  rename(clusterKey: number, name: string | null): Promise<string | null>;
  /** Returns the keys of its nodes' servers. Servers that moved to another organisation are not among them. */
  serverKeys(clusterKey: number): Promise<number[]>;
  /** Deletes every row of the cluster. Purge the servers of its nodes before. */
  remove(clusterKey: number): Promise<void>;
}

/** The ledger's states of the objects of a cluster, compared in the transaction that stores an item. */
export interface DescribedObjects {
  /**
   * The caller holds the lock of the cluster. `ended`: the item ends a listing, which named every node if `hasNodes`;
   * null: it ends none.
   */
  write(
    transaction: Transaction,
    clusterKey: number,
    judged: JudgedItem,
    at: { now: number; ended: { isWhole: boolean; hasNodes: boolean } | null },
  ): Promise<void>;
}

export interface Kubernetes {
  tokens: ClusterTokens;
  reports: ClusterReports;
  logs: PodLogs;
  views: ClusterViews;
  upkeep: ClusterUpkeep;
  administration: ClusterAdministration;
}
