import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type {
  OwnerGrouping,
  OwnerSort,
  PodPhase,
  PodSort,
  SortOrder,
} from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterFilter, Measured } from './types.ts';
import type { NodeRecord } from './node-records.ts';

/** Times are epoch milliseconds, values in base units (bytes, seconds, cores); null is unknown. */

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
  namespaces: {
    clusterId: string;
    namespace: string;
    pods: number;
    cpuCores: number | null;
    memoryBytes: number | null;
  }[];
  /** One count per bucket of POD_AGE_BUCKETS and a last, open one. */
  ages: number[];
  zombies: number;
  topRestarts: RankedPod[];
  namespaceNames: string[];
  ownerKinds: string[];
  nodeNames: string[];
  failed: { namespace: string; name: string; reason: string | null }[];
}

/** A workload by its names, which are unique in its cluster. */
export interface WorkloadName {
  namespace: string;
  kind: string;
  name: string;
}

/** A new image of a container, from the first pod of the workload that has it. */
export interface Rollout {
  /** Creation of that pod (ms). */
  at: number;
  changes: { container: string; from: string; to: string }[];
}

export interface WorkloadRecord {
  clusterId: string;
  clusterName: string | null;
  /** Sums over its pods; null: it has none. */
  owner: OwnerRecord | null;
  /** Null: the collector does not report its kind. */
  object: {
    shortSince: number | null;
    createdAt: number | null;
    isSuspended: boolean;
    lastRunAt: number | null;
    desired: number | null;
    ready: number | null;
  } | null;
  /** Every cluster of the organisation that has it, this one included. */
  clusters: WorkloadInCluster[];
  rollouts: Rollout[];
  /** Open ones. */
  alerts: {
    id: string;
    level: AlertLevel;
    title: string;
    message: string;
    openedAt: number;
    isAcknowledged: boolean;
  }[];
}

/** The workload as one cluster has it, to compare it with the others. */
export interface WorkloadInCluster {
  clusterId: string;
  clusterName: string | null;
  reportedAt: number;
  desired: number | null;
  ready: number | null;
  /** Its newest pod; null: it has none. */
  pod: PodObject | null;
}

export interface OwnerFilter extends ClusterFilter {
  /** Undefined: by owner. */
  by?: OwnerGrouping | undefined;
  namespace?: string | undefined;
  ownerKind?: string | undefined;
  /** The whole name. */
  ownerName?: string | undefined;
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
  /** True if this reader did not read the tail in the minutes before. */
  isFirstRead: boolean;
  requestedAt: number;
  answeredAt: number | null;
  /** While an answer is on its way: those of the last one. */
  lines: string[];
  /** When these lines were read; null: none were. */
  fetchedAt: number | null;
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
