import { z } from 'zod';
import {
  CLUSTER_LIMITS as L,
  CONTAINER_STATUSES,
  HISTORY_STEP_SECONDS,
  LISTED_KINDS,
  NODE_AGENT_MODES,
  POD_PHASES,
  READER_STATES,
} from './kubernetes-limits.ts';

/**
 * What the Kubernetes side sends. Base units: bytes, seconds, cores. Times are epoch seconds.
 *
 * - A node agent enrols with the cluster's token (`POST /api/agent/v1/nodes/enrol`) and then sends host reports like any
 *   collector; `nodePart` is their optional `kubernetes` part.
 * - The cluster collector posts `clusterEnvelope` to `POST /api/agent/v1/cluster/reports` with the ClusterToken. Every
 *   item is idempotent (objects by uid, ends by pod uid, container and run), so a repeated send changes nothing.
 *   Items of a kind the server does not know are rejected one by one.
 */
const text = z.string().max(4096);
const name = z.string().min(1).max(253);
const uid = z.string().min(1).max(128);
const count = z.int().nonnegative();
const bytes = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
const cores = z.number().nonnegative().max(1e6);
const rate = z.number().nonnegative().max(1e15);
const percent = z.number().min(0).max(100);
const at = z.number().nonnegative().max(1e11);

/** State of one reader: "pods list, watch", "metrics.k8s.io", "kubelet stats/summary"; `detail` is for a person. */
export const readerState = z.object({
  name: z.string().min(1).max(64),
  state: z.enum(READER_STATES),
  detail: text.nullable(),
  /** Epoch seconds since when it is in this state. */
  since: at,
  /** The permission it needs, as in `kubectl auth can-i VERB RESOURCE`: "get nodes/stats". */
  needs: z.string().max(128).nullable(),
});

/** Share of time in per cent in which some (or all) tasks waited, mean of 60 s. */
const stall = z.object({ some_percent: percent, full_percent: percent.nullable() });
/** Null: the node has no pressure figures (before Kubernetes 1.34, or cgroup v1). */
export const stallPart = z.object({ cpu: stall.nullable(), memory: stall.nullable(), io: stall.nullable() });

export const podUsagePart = z.object({
  uid,
  namespace: name,
  name,
  /** Mean over the report's window from the cumulative counter; null in the first report after a start. */
  cpu_cores: cores.nullable(),
  memory_working_set_bytes: bytes.nullable(),
  receive_bytes_per_second: rate.nullable(),
  transmit_bytes_per_second: rate.nullable(),
  ephemeral_bytes: bytes.nullable(),
});
export const volumeUsagePart = z.object({
  namespace: name,
  claim: name,
  used_bytes: bytes,
  capacity_bytes: bytes,
  inodes_used: count.nullable(),
  inodes_total: count.nullable(),
});
/** The `kubernetes` part of a node agent's host report. */
export const nodePart = z.object({
  node_name: name,
  mode: z.enum(NODE_AGENT_MODES),
  kubelet: readerState,
  /** False: the operator switched the check of the kubelet's certificate off. */
  kubelet_tls_verified: z.boolean(),
  node: z
    .object({
      cpu_cores: cores.nullable(),
      memory_working_set_bytes: bytes.nullable(),
      memory_available_bytes: bytes.nullable(),
      filesystem_used_bytes: bytes.nullable(),
      filesystem_capacity_bytes: bytes.nullable(),
      filesystem_available_bytes: bytes.nullable(),
      image_filesystem_used_bytes: bytes.nullable(),
      image_filesystem_capacity_bytes: bytes.nullable(),
      started_at: at.nullable(),
      stall: stallPart.nullable(),
    })
    .nullable(),
  pods: z.array(podUsagePart).max(L.podsPerNode),
  volumes: z.array(volumeUsagePart).max(L.volumesPerNode),
});

/** POST /api/agent/v1/nodes/enrol, `Authorization: Bearer` a ClusterToken; answers `enrolAnswer` of install.ts. */
export const nodeEnrolRequest = z.object({
  node_name: name,
  /** Of the running kernel, to tell the node of the same name that replaced another. */
  boot_id: z.string().min(1).max(64),
  hostname: name,
});

const condition = z.object({
  type: name,
  status: z.string().max(16),
  reason: text.nullable(),
  message: text.nullable(),
  since: at.nullable(),
});
const resources = z.object({ cpu_cores: cores.nullable(), memory_bytes: bytes.nullable() });
const labels = z
  .record(z.string().max(317), z.string().max(63))
  .refine((v) => Object.keys(v).length <= L.labelsPerObject);

export const nodeObject = z.object({
  uid,
  name,
  created_at: at,
  ready: z.boolean().nullable(),
  conditions: z.array(condition).max(50),
  unschedulable: z.boolean(),
  roles: z.array(z.string().max(317)).max(20),
  taints: z.array(text).max(50),
  labels,
  capacity: resources.extend({ ephemeral_bytes: bytes.nullable(), pods: count.nullable() }),
  allocatable: resources.extend({ ephemeral_bytes: bytes.nullable(), pods: count.nullable() }),
  internal_ip: z.string().max(64).nullable(),
  os_type: text.nullable(),
  architecture: text.nullable(),
  os_image: text.nullable(),
  kernel: text.nullable(),
  kubelet_version: text.nullable(),
  container_runtime: text.nullable(),
  boot_id: z.string().max(64).nullable(),
});

const termination = z.object({
  reason: text.nullable(),
  exit_code: z.int().nullable(),
  finished_at: at.nullable(),
});
export const containerObject = z.object({
  name,
  image: text,
  init: z.boolean(),
  status: z.enum(CONTAINER_STATUSES),
  /** Of the waiting or terminated state: CrashLoopBackOff, ImagePullBackOff, OOMKilled, Completed … */
  reason: text.nullable(),
  ready: z.boolean(),
  restart_count: count,
  started_at: at.nullable(),
  /** Of the terminated state it is in. */
  exit: termination.nullable(),
  last_termination: termination.nullable(),
  requests: resources,
  limits: resources,
});
/** The top of the chain of owners: Deployment, not ReplicaSet; CronJob, not Job. */
const owner = z.object({ kind: name, name });
export const podObject = z.object({
  uid,
  namespace: name,
  name,
  node_name: name.nullable(),
  phase: z.enum(POD_PHASES),
  /** Worst reason of the pod or its containers; null when there is none. */
  reason: text.nullable(),
  created_at: at,
  deleting: z.boolean(),
  ready: z.boolean(),
  pod_ip: z.string().max(64).nullable(),
  host_ip: z.string().max(64).nullable(),
  qos_class: z.string().max(32).nullable(),
  /** Lifetime count as kubectl shows it: of init containers only while they run. */
  restart_count: count,
  /** Effective: the larger of the running containers together and the largest init container. Null: none is set. */
  requests: resources,
  /** Null: a container without a limit makes the pod unlimited. */
  limits: resources,
  owner: owner.nullable(),
  labels,
  containers: z.array(containerObject).max(L.containersPerPod),
  claims: z.array(name).max(100),
});

export const workloadObject = z.object({
  uid,
  kind: z.enum(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob']),
  namespace: name,
  name,
  created_at: at,
  desired: count.nullable(),
  ready: count.nullable(),
  /** CronJob: switched off. Deployment: paused. */
  suspended: z.boolean(),
  /** CronJob only. */
  last_run_at: at.nullable(),
});
export const volumeObject = z.object({
  uid,
  namespace: name,
  name,
  phase: z.string().max(32),
  storage_class: text.nullable(),
  capacity_bytes: bytes.nullable(),
  requested_bytes: bytes.nullable(),
});
export const eventObject = z.object({
  uid,
  type: z.string().max(32),
  reason: text,
  message: text,
  namespace: z.string().max(253),
  kind: z.string().max(253),
  name: z.string().max(317),
  object_uid: z.string().max(128).nullable(),
  component: text.nullable(),
  count: z.int().positive(),
  first_at: at,
  last_at: at,
});
/**
 * One run of a container that ended: seen by the watch, or told by the pod's last state. Key: pod uid, container, run.
 * The same end may be told twice, first without, then with `restarted`.
 */
export const containerEnd = z.object({
  pod_uid: uid,
  namespace: name,
  pod_name: name,
  node_name: name.nullable(),
  owner: owner.nullable(),
  container: name,
  /** 0 for the first run: the restart count while it ran. */
  run: count,
  restarted: z.boolean(),
  at,
  /** Null: not seen, only counted. */
  reason: text.nullable(),
  exit_code: z.int().nullable(),
  memory_limit_bytes: bytes.nullable(),
});
/** Usage of one node and its pods as a lower rung of the ladder tells it; kept where no better one speaks. */
export const usageItem = z.object({
  node_name: name,
  /** Absent: metrics-server. */
  source: z.enum(['metrics-server', 'prometheus']).optional(),
  /** End of the window that was measured. */
  measured_at: at,
  window_seconds: z.number().positive().nullable(),
  cpu_cores: cores.nullable(),
  memory_working_set_bytes: bytes.nullable(),
  pods: z
    .array(z.object({ uid, cpu_cores: cores.nullable(), memory_working_set_bytes: bytes.nullable() }))
    .max(L.podsPerNode),
});

/**
 * Five-minute means of one node and its pods from before the installation. Index i is the bucket that begins at
 * `from` + i × 300 s; of the pods flat, one pod after the other, so that `pod_cpu_cores` holds pods × buckets numbers.
 */
export const historyNode = z.object({
  node_name: name,
  cpu_cores: z.array(cores.nullable()).max(L.historyBuckets),
  memory_bytes: z.array(bytes.nullable()).max(L.historyBuckets),
  pods: z.array(uid).max(L.podsPerNode),
  pod_cpu_cores: z.array(cores.nullable()).max(L.historyBuckets * L.podsPerNode),
  pod_memory_bytes: z.array(bytes.nullable()).max(L.historyBuckets * L.podsPerNode),
});
const bucketEdge = at.refine((seconds) => seconds % HISTORY_STEP_SECONDS === 0, 'not the edge of a bucket');
/** One window of the past as Prometheus tells it, in one or several items; `complete` on the last of them. */
export const historyPart = z
  .object({ from: bucketEdge, to: bucketEdge, complete: z.boolean(), nodes: z.array(historyNode).max(L.nodesPerItem) })
  .refine(({ from, to, nodes }) => {
    const buckets = (to - from) / HISTORY_STEP_SECONDS;
    return nodes.every(
      (one) =>
        one.cpu_cores.length === buckets &&
        one.memory_bytes.length === buckets &&
        one.pod_cpu_cores.length === buckets * one.pods.length &&
        one.pod_memory_bytes.length === buckets * one.pods.length,
    );
  }, 'not one number per bucket');

/**
 * One item. Objects are upserts of what changed; `deleted` are uids gone. A full listing is sent in several items that
 * carry the same `listing.id`; the one with `complete` ends it, and what the listing did not name is gone, of the kinds it
 * covers (a kind the collector may not read is not).
 */
export const clusterItem = z.object({
  seq: z.int().positive(),
  kind: z.literal('cluster'),
  ts: at,
  listing: z
    .object({
      id: z.string().regex(/^[0-9a-f]{32}$/),
      complete: z.boolean(),
      covers: z.array(z.enum(LISTED_KINDS)).max(LISTED_KINDS.length),
    })
    .optional(),
  nodes: z.array(nodeObject).max(L.nodesPerItem).optional(),
  pods: z.array(podObject).max(L.podsPerItem).optional(),
  workloads: z.array(workloadObject).max(L.workloadsPerItem).optional(),
  volumes: z.array(volumeObject).max(L.volumesPerItem).optional(),
  events: z.array(eventObject).max(L.eventsPerItem).optional(),
  ends: z.array(containerEnd).max(L.endsPerItem).optional(),
  usage: z.array(usageItem).max(L.nodesPerItem).optional(),
  history: historyPart.optional(),
  deleted: z
    .object({
      nodes: z.array(uid).max(L.deletionsPerItem),
      pods: z.array(uid).max(L.deletionsPerItem),
      workloads: z.array(uid).max(L.deletionsPerItem),
      volumes: z.array(uid).max(L.deletionsPerItem),
    })
    .optional(),
  readers: z.array(readerState).max(L.readers).optional(),
});

export const clusterEnvelope = z.object({
  v: z.int(),
  cluster: z.object({
    /** uid of the namespace kube-system. */
    uid,
    name: z.string().max(253).nullable(),
    version: z.string().max(64).nullable(),
  }),
  collector: z.object({
    /** Of the pod, or 128 random bits. */
    id: z.string().min(1).max(128),
    version: z.string().max(64),
    /** leaseTransitions: a collector of an older term is refused, so that two leaders cannot interleave. */
    term: count,
  }),
  sent_at: at,
  reports: z.array(z.unknown()).max(L.itemsPerRequest),
});
export const clusterAnswer = z.object({
  accepted: z.array(z.int().positive()),
  rejected: z.array(z.object({ seq: z.int().nullable(), index: count, code: z.string(), detail: z.string() })),
  /** The server lacks the state the changes build on: send a full listing next. */
  listing_wanted: z.boolean(),
  /** Epoch seconds; the time before the installation of which no complete window was told yet. Null: all told. */
  history_wanted: z.object({ from: at, to: at }).nullable(),
  server_time: z.number(),
  next: z.object({ interval: z.number().positive() }),
});

export type ReaderStatePart = z.infer<typeof readerState>;
export type StallPart = z.infer<typeof stallPart>;
export type PodUsagePart = z.infer<typeof podUsagePart>;
export type VolumeUsagePart = z.infer<typeof volumeUsagePart>;
export type NodePart = z.infer<typeof nodePart>;
export type NodeEnrolRequest = z.infer<typeof nodeEnrolRequest>;
export type NodeObject = z.infer<typeof nodeObject>;
export type ContainerObject = z.infer<typeof containerObject>;
export type PodObject = z.infer<typeof podObject>;
export type OwnerRef = z.infer<typeof owner>;
export type WorkloadObject = z.infer<typeof workloadObject>;
export type VolumeObject = z.infer<typeof volumeObject>;
export type EventObject = z.infer<typeof eventObject>;
export type ContainerEnd = z.infer<typeof containerEnd>;
export type UsageItem = z.infer<typeof usageItem>;
export type HistoryNode = z.infer<typeof historyNode>;
export type HistoryPart = z.infer<typeof historyPart>;
export type ClusterItem = z.infer<typeof clusterItem>;
export type ClusterEnvelope = Omit<z.infer<typeof clusterEnvelope>, 'reports'> & { reports: ClusterItem[] };
export type ClusterAnswer = z.infer<typeof clusterAnswer>;
