import type { NodeTerm, PlacementObject } from '@plimsoll/contract/wire/cluster-placement';
import type { AdviceRules } from './advice.ts';

/** Input of a plan, as PostgreSQL returns it. Cores, bytes, epoch seconds; null is unknown or not set. */

export interface StoredNode {
  name: string;
  labels: Record<string, string>;
  taints: string[];
  unschedulable: boolean;
  /** Null: the control plane lost sight of the node. */
  ready: boolean | null;
  allocatable: {
    cpu_cores: number | null;
    memory_bytes: number | null;
    ephemeral_bytes: number | null;
    pods: number | null;
    extended?: Record<string, number>;
  };
  usedCpu: number | null;
  usedMemory: number | null;
  usedDisk: number | null;
}

export interface StoredPod {
  namespace: string;
  name: string;
  /** Null: it waits for a node. */
  node: string | null;
  kind: string | null;
  owner: string | null;
  labels: Record<string, string>;
  cpu: number | null;
  memory: number | null;
  /** Null: not measured in the last five minutes. */
  usedCpu: number | null;
  usedMemory: number | null;
  /** Hash of its constraints; null: it has none; "unknown": they could not be sent. */
  placement: string | null;
  claims: string[];
  createdAt: number;
  deleting: boolean;
  /** Fields that could not be read. */
  unknown: string[] | null;
}

export interface StoredVolume {
  namespace: string;
  name: string;
  phase: string;
  /** Absent: the nodes that can mount it were not read. */
  nodes?: NodeTerm[] | null;
}

export interface ClusterParts {
  reportsPlacements: boolean;
  readsVolumes: boolean;
  nodes: StoredNode[];
  pods: StoredPod[];
  placements: PlacementObject[];
  volumes: StoredVolume[];
  usage: ContainerDay[];
  specs: ContainerSpec[];
  ooms: OomCount[];
  days: CapacityDay[];
  advice: AdviceRules;
  /** Null: the cluster collector does not describe them. */
  autoscalers: StoredAutoscaler[] | null;
}

/** A HorizontalPodAutoscaler as the ledger of changes holds it. */
export interface StoredAutoscaler {
  namespace: string;
  name: string;
  /** "Deployment/api" */
  target: string | null;
  /** JSON of `spec.metrics`; a long one is cut. */
  metrics: string | null;
}

interface Workload {
  namespace: string;
  kind: string;
  name: string;
}

/** One resource of a cluster: cores, bytes or pods. */
export interface ResourceRow {
  resource: 'cpu' | 'memory' | 'disk' | 'pods';
  used: number | null;
  /** Null: no pod requests it. */
  requested: number | null;
  allocatable: number | null;
}
export interface FitRow extends Workload {
  pods: number;
  cpuCores: number;
  memoryBytes: number;
  /** Null: not known, for `reason`. */
  more: number | null;
  isCut: boolean;
  /** In words: "memory", "taints of the nodes". */
  firstLimit: string | null;
  reason: string | null;
}
export interface LossRow {
  node: string;
  /** Pods that would stay pending; null: not known, for `reason`. With a reason it is "at least". */
  pending: number | null;
  reason: string | null;
  who: (Workload & { pods: number; why: string })[];
  moved: number;
  /** Pods that nobody makes anew. */
  ended: number;
  /** Requests on the other nodes afterwards, in per cent of what these can give. */
  cpuPercentAfter: number | null;
  memoryPercentAfter: number | null;
}
/** Room of one node that takes any pod: for sizes that a person tries. */
export type Room = readonly [cpuCores: number, memoryBytes: number, pods: number];

export interface Plan {
  /** Why nothing of it is known; null: it is. */
  unknown: string | null;
  /** Limits of the answer, each a sentence. */
  notes: string[];
  nodes: number;
  pods: number;
  waiting: number;
  resources: ResourceRow[];
  fits: FitRow[];
  loss: LossRow[];
  rooms: Room[];
  trends: Trend[];
  sizing: SizingRow[];
  /** Settings that the sizes were computed with. */
  advice: AdviceRules;
  shares: ClusterShares;
  pools: PoolRow[];
  /** The workload that adds nodes by itself; null: none is seen. */
  autoscaler: string | null;
}

/** Share of a workload: the sum over its pods of the request, or of the use where that is more. */
export interface ShareRow extends Workload {
  pods: number;
  cpuCores: number;
  memoryBytes: number;
}
export interface ClusterShares {
  rows: ShareRow[];
  workloads: number;
  cpuCores: number;
  memoryBytes: number;
  /** Pods without a request whose use is not known either. */
  unknownPods: number;
}

/** A node pool. Pods that lose their node can move to another pool. */
export interface PoolRow {
  pool: string;
  /** The label that names it. */
  label: string;
  nodes: number;
  resources: ResourceRow[];
  trends: Trend[];
  /** The node of the pool whose loss is the worst; pending null: not known. */
  worst: { node: string; pending: number | null } | null;
}

/** A day on which requests reach what the nodes can give. Times are epoch milliseconds. */
export interface Trend {
  resource: 'cpu' | 'memory';
  at: number | null;
  earliest: number | null;
  latest: number | null;
  /** Cores or bytes. */
  growthPerDay: number | null;
  days: number;
  /** Why there is no date. */
  reason: string | null;
}

export type Verdict = 'too_large' | 'too_small' | 'fits' | 'unknown';
export interface Sized {
  request: number | null;
  limit: number | null;
  p95: number | null;
  max: number | null;
  advice: number | null;
  /** Null: none, or no advice. */
  limitAdvice: number | null;
  /** Upper end and share in per cent of each bucket of the histogram. */
  histogram: [number, number][];
}
export interface SizingRow extends Workload {
  container: string;
  pods: number;
  days: number;
  cpu: Sized;
  memory: Sized;
  cpuVerdict: Verdict;
  memoryVerdict: Verdict;
  evidence: string[];
  oomKills: number;
  frees: { cpuCores: number | null; memoryBytes: number | null };
  /** Autoscalers that the advised requests move. */
  autoscalers: AutoscalerTarget[];
  reason: string | null;
}

/** The target of an autoscaler in cores or bytes of a pod, now and with the advice. Null: its metrics could not be read. */
export interface AutoscalerTarget {
  name: string;
  resource: 'cpu' | 'memory' | null;
  utilizationPercent: number | null;
  now: number | null;
  after: number | null;
}

/** Usage of one container of a workload in a day; histograms in base64. */
export interface ContainerDay {
  namespace: string;
  kind: string;
  workload: string;
  container: string;
  day: string;
  cpu: string;
  memory: string;
}
/** Requests and limits of a container in the newest pod of its workload. */
export interface ContainerSpec extends Omit<ContainerDay, 'day' | 'cpu' | 'memory'> {
  pods: number;
  cpuRequest: number | null;
  cpuLimit: number | null;
  memoryRequest: number | null;
  memoryLimit: number | null;
}
/** OOM kills of the days of the advice, and the largest limit at which one happened. */
export interface OomCount extends Omit<ContainerDay, 'day' | 'cpu' | 'memory'> {
  kills: number;
  limit: number | null;
}
/** Mean requests of a node pool on a day; `day`: days since 1970. */
export interface CapacityDay {
  day: number;
  /** Empty: the whole cluster. */
  pool: string;
  cpuAllocatable: number | null;
  cpuRequested: number | null;
  memoryAllocatable: number | null;
  memoryRequested: number | null;
}
