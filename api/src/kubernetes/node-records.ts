import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { NodeAgentMode, UsageSource } from '@plimsoll/contract/rules/kubernetes-limits';
import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { ClusterFilter, Measured } from './types.ts';

/** Times are epoch milliseconds, values in base units (bytes, seconds, cores); null is unknown. */

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
export type RankedNode = Pick<NodeRecord, 'serverId' | 'usage' | 'agent' | 'readers' | 'pods'> & {
  object: Pick<NodeObject, 'name' | 'ready' | 'created_at'> & {
    capacity: Pick<NodeObject['capacity'], 'cpu_cores' | 'memory_bytes'>;
  };
  server: (Pick<NodeServer, 'sample'> & Partial<NodeServer>) | null;
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

/** A DaemonSet that may be that of the node agents. `refusal`: message of the newest refusal of one of its pods. */
export interface NodeAgentSet {
  clusterId: string;
  namespace: string;
  name: string;
  desired: number | null;
  ready: number | null;
  createdAt: number;
  refusal: string | null;
}
