import { z } from 'zod';
import { at, bytes, cores, count, int32, name, readerState, uid } from './cluster-fields.ts';
import {
  containerEnd,
  eventObject,
  jobObject,
  nodeObject,
  podObject,
  volumeObject,
  workloadObject,
} from './cluster-objects.ts';
import { placementObject } from './cluster-placement.ts';
import { describedObject } from './described-object.ts';
import { DESCRIBED_KINDS, DESCRIBED_LIMITS } from '../rules/described-kinds.ts';
import { CLUSTER_LIMITS as L, HISTORY_STEP_SECONDS, LISTED_KINDS, POD_LOG_LIMITS } from '../rules/kubernetes-limits.ts';

/**
 * Messages of the cluster collector: `clusterEnvelope` to `POST /api/agent/v1/cluster/reports` with the ClusterToken.
 * Every item is idempotent (objects by uid, ends by pod uid, container and run), so a repeated send changes nothing.
 * Items of an unknown kind are rejected one by one.
 */

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
      /** Items of the listing, this one included; beside `complete`. Absent: the collector is older than this field. */
      items: z.int().positive().optional(),
      covers: z.array(z.enum(LISTED_KINDS)).max(LISTED_KINDS.length),
      /** Kinds of `objects` that the listing covers. Absent: the collector is older than this field. */
      covers_objects: z.array(z.enum(DESCRIBED_KINDS)).max(DESCRIBED_KINDS.length).optional(),
    })
    .optional(),
  nodes: z.array(nodeObject).max(L.nodesPerItem).optional(),
  /** Placement constraints of the pods in this and later items of the request. */
  placements: z.array(placementObject).max(L.placementsPerItem).optional(),
  pods: z.array(podObject).max(L.podsPerItem).optional(),
  workloads: z.array(workloadObject).max(L.workloadsPerItem).optional(),
  volumes: z.array(volumeObject).max(L.volumesPerItem).optional(),
  events: z.array(eventObject).max(L.eventsPerItem).optional(),
  ends: z.array(containerEnd).max(L.endsPerItem).optional(),
  /** Jobs that failed, each at least once. */
  jobs: z.array(jobObject).max(L.jobsPerItem).optional(),
  /** Described states, for the ledger of changes. */
  objects: z.array(describedObject).max(DESCRIBED_LIMITS.objectsPerItem).optional(),
  usage: z.array(usageItem).max(L.nodesPerItem).optional(),
  history: historyPart.optional(),
  deleted: z
    .object({
      nodes: z.array(uid).max(L.deletionsPerItem),
      pods: z.array(uid).max(L.deletionsPerItem),
      workloads: z.array(uid).max(L.deletionsPerItem),
      volumes: z.array(uid).max(L.deletionsPerItem),
      /** Absent: the collector is older than this field. */
      objects: z.array(uid).max(L.deletionsPerItem).optional(),
    })
    .optional(),
  readers: z.array(readerState).max(L.readers).optional(),
});

export const clusterEnvelope = z.object({
  v: z.int(),
  cluster: z.object({
    /** uid of the namespace kube-system. */
    uid,
    name: z.string().max(L.nameCharacters).nullable(),
    version: z.string().max(64).nullable(),
    /**
     * Addresses of the API server, host and port, as its discovery returns them: they tell a cluster from its copy, which
     * has the same uid. Absent: the collector is older than this field, or discovery cannot be read.
     */
    api_addresses: z.array(z.string().min(1).max(253)).max(16).optional(),
  }),
  collector: z.object({
    /** UID of the pod, or 128 random bits. */
    id: z.string().min(1).max(128),
    version: z.string().max(64),
    /** leaseTransitions: a collector of an older term is refused, so that two leaders cannot interleave. */
    term: int32,
    /** The chart sets clusterCollector.podLogs. Absent: it does not. */
    reads_pod_logs: z.boolean().optional(),
    /** It sends `jobs`. Absent: the collector is older than this field. */
    reports_jobs: z.boolean().optional(),
    /** It sends `placements`. Absent: the collector is older than this field. */
    reports_placements: z.boolean().optional(),
    /** It reads persistent volumes, for the nodes that can mount them. */
    reads_volumes: z.boolean().optional(),
  }),
  sent_at: at,
  reports: z.array(z.unknown()).max(L.itemsPerRequest),
});
export const logRequest = z.object({
  id: z.uuid(),
  namespace: name,
  pod: name,
  container: name,
  /** True requests the log of the run before the present one. */
  previous: z.boolean(),
});
/** `POST /api/agent/v1/cluster/logs` with the ClusterToken: the answer to one request of a log tail. */
export const logMessage = z.object({
  id: z.uuid(),
  lines: z.array(z.string().max(POD_LOG_LIMITS.lineLength)).max(POD_LOG_LIMITS.lines),
  /** Why there are none; null: they were read. */
  failure: z.string().max(1000).nullable(),
});

export const clusterAnswer = z.object({
  accepted: z.array(z.int().positive()),
  rejected: z.array(z.object({ seq: z.int().nullable(), index: count, code: z.string(), detail: z.string() })),
  /** The server lacks the state the changes build on: send a full listing next. */
  listing_wanted: z.boolean(),
  /**
   * Epoch seconds: start of the history before the installation that is not completely reported yet. Null: complete.
   */
  history_wanted: z.object({ from: at, to: at }).nullable(),
  server_time: z.number(),
  next: z.object({ interval: z.number().positive() }),
  /** Addresses of a second API server whose collector is refused, because it reports for this cluster too. */
  refused_collector_at: z.array(z.string()).optional(),
  /** Log tails somebody waits for; only for a collector that reads them. */
  log_requests: z.array(logRequest).max(POD_LOG_LIMITS.perResponse).optional(),
});

/**
 * `POST /api/agent/v1/cluster/standby` with the ClusterToken: a replica of the cluster collector cannot read or write its
 * lease, so no replica may lead.
 */
export const standbyMessage = z.object({
  v: z.int(),
  collector: z.object({ id: z.string().min(1).max(128), version: z.string().max(64) }),
  lease: readerState,
});
export const agentAnswer = z.object({ server_time: z.number() });

export type LogRequest = z.infer<typeof logRequest>;
export type LogMessage = z.infer<typeof logMessage>;
export type StandbyMessage = z.infer<typeof standbyMessage>;
export type UsageItem = z.infer<typeof usageItem>;
export type HistoryNode = z.infer<typeof historyNode>;
export type HistoryPart = z.infer<typeof historyPart>;
export type ClusterItem = z.infer<typeof clusterItem>;
export type ClusterEnvelope = Omit<z.infer<typeof clusterEnvelope>, 'reports'> & { reports: ClusterItem[] };
export type ClusterAnswer = z.infer<typeof clusterAnswer>;
