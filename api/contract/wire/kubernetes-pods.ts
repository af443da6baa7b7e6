import { z } from 'zod';
import { CONTAINER_STATUSES, POD_PHASES, RESIZE_STATES } from '../rules/kubernetes-limits.ts';
import {
  amounts,
  band,
  historyRange,
  kubernetesEvent,
  moment,
  number,
  origin,
  phaseCounts,
} from './kubernetes-parts.ts';

const termination = z.object({
  reason: z.string().nullable(),
  message: z.string().nullable(),
  exit_code: z.int().nullable(),
  finished_at: moment.nullable(),
});
export const podContainer = z.object({
  name: z.string(),
  image: z.string(),
  status: z.enum(CONTAINER_STATUSES),
  ready: z.boolean(),
  init: z.boolean(),
  reason: z.string().nullable(),
  restart_count: z.int(),
  started_at: moment.nullable(),
  /** End of the present state, when it is terminated. */
  exit: termination.nullable(),
  /** End of the run before the present one. */
  last_termination: termination.nullable(),
  requests: amounts,
  limits: amounts,
  /** While the pod is resized: what the kubelet applied so far, where that is not what is wanted. */
  running: z.object({ requests: amounts, limits: amounts }).nullable(),
});
/** Usage in per cent of the limit, else of the request, else null: then the bar has no colour. */
const share = z.object({ percent: number, of: z.enum(['limit', 'request']).nullable() });

export const pod = z.object({
  uid: z.string(),
  cluster_id: z.string(),
  pod_name: z.string(),
  namespace: z.string(),
  node_name: z.string().nullable(),
  /** Server id of the node, for links to /kubernetes/nodes/{server_id}/{node_name}. */
  server_id: z.uuid().nullable(),
  phase: z.enum(POD_PHASES),
  /** A worse truth than the phase, to stand beside it: CrashLoopBackOff, OOMKilled, ImagePullBackOff, Evicted … */
  reason: z.string().nullable(),
  ready: z.boolean(),
  deleting: z.boolean(),
  cpu_usage_cores: number,
  memory_usage_mb: number,
  usage_origin: origin,
  cpu_share: share,
  memory_share: share,
  requests: amounts,
  limits: amounts,
  /** Figures that are null because their value cannot be shown, each with its reason. */
  unknown_fields: z.array(z.string()).optional(),
  /** Lifetime count of all containers, as kubectl shows it. */
  restart_count: z.int(),
  restarts_24h: z.int(),
  oom_kills_24h: z.int(),
  last_restart: z
    .object({ at: moment, container: z.string(), reason: z.string().nullable(), exit_code: z.int().nullable() })
    .nullable(),
  container_count: z.int(),
  pod_ip: z.string().nullable(),
  host_ip: z.string().nullable(),
  created_at: moment,
  pod_age_seconds: z.number(),
  owner_kind: z.string().nullable(),
  owner_name: z.string().nullable(),
  qos_class: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  containers: z.array(podContainer),
  claims: z.array(z.string()),
  /** A change in place of its requests or limits that its containers do not have yet. */
  resize: z
    .object({ state: z.enum(RESIZE_STATES), message: z.string().nullable(), since: moment.nullable() })
    .nullable(),
});
export const restartRankedPod = z.object({
  uid: z.string(),
  cluster_id: z.string(),
  pod_name: z.string(),
  namespace: z.string(),
  /** Null: the pod is gone, its restarts still count. */
  phase: z.enum(POD_PHASES).nullable(),
  reason: z.string().nullable(),
  cpu_usage_cores: number,
  memory_usage_mb: number,
  /** Restarts in the last 24 hours, from what was recorded. */
  restart_count: z.int(),
  oom_kills: z.int(),
  owner_kind: z.string().nullable(),
  owner_name: z.string().nullable(),
});
/** Over all pods of the chosen cluster(s), whatever the page and the other filters. */
export const podsSummary = z.object({
  total: z.int(),
  phases: phaseCounts,
  restarts_24h: z.int(),
  oom_kills_24h: z.int(),
  /** The six namespaces that use most CPU; those with unknown usage come last. */
  namespaces: z.array(
    z.object({
      cluster_id: z.string(),
      namespace: z.string(),
      pods: z.int(),
      cpu_usage_cores: number,
      memory_usage_mb: number,
    }),
  ),
  /** Five buckets, youngest first; under_seconds null is the open one. */
  age_buckets: z.array(z.object({ under_seconds: z.int().nullable(), count: z.int() })),
  /** Pods in the open age bucket that no controller owns. */
  zombies: z.int(),
  top_restarts: z.array(restartRankedPod),
  /** For the filters; at most 1,000, by name. */
  namespace_names: z.array(z.string()),
  owner_kinds: z.array(z.string()),
  node_names: z.array(z.string()),
});
/** GET /pods?namespace&phase&node_name&owner_kind&owner_name&search&sort&order&limit&offset; owner_kind "none": no owner. */
export const podsAnswer = z.object({ pods: z.array(pod), total: z.int(), summary: podsSummary });
/** GET /nodes/{node}/pods?namespace&phase&sort&order&limit&offset. */
export const nodePodsAnswer = z.object({ pods: z.array(pod), total: z.int() });

export const podRestart = z.object({
  timestamp: z.number(),
  container: z.string(),
  restart_count: z.int(),
  reason: z.string().nullable(),
  exit_code: z.int().nullable(),
  oom_killed: z.boolean(),
  /** Nobody saw the end of this run: the runs before and after it were both OOM killed. */
  inferred: z.boolean(),
  memory_limit_mb: number,
  /** Highest working set recorded in the ten minutes before. */
  memory_peak_mb: number,
});
/** GET /pods/{namespace}/{pod}: for the drawer; its volumes with their use. */
export const podAnswer = z.object({
  pod,
  restarts: z.array(podRestart),
  events: z.array(kubernetesEvent),
  /** When the owner first made a pod with the present image after one with another; null: no such pod is known. */
  image_change: z.object({ at: moment, container: z.string(), from: z.string(), to: z.string() }).nullable(),
  volumes: z.array(
    z.object({
      claim: z.string(),
      phase: z.string(),
      storage_class: z.string().nullable(),
      capacity_mb: number,
      used_mb: number,
      reason: z.string().nullable(),
    }),
  ),
});

/**
 * GET /owners?by&namespace&owner_kind&search&sort&order&limit&offset: the group-by-owner view; expand with /pods. With
 * by=namespace each entry sums a whole namespace and has no owner.
 */
export const podOwner = z.object({
  cluster_id: z.string(),
  namespace: z.string(),
  /** Null: pods without an owner, or a whole namespace. */
  owner_kind: z.string().nullable(),
  owner_name: z.string().nullable(),
  pods: z.int(),
  phases: phaseCounts,
  cpu_usage_cores: number,
  memory_usage_mb: number,
  restarts_24h: z.int(),
  /** Sums over the pods that are not finished. A pod without a limit adds nothing: see the counts beside. */
  requests: amounts,
  limits: amounts,
  without_cpu_limit: z.int(),
  without_memory_limit: z.int(),
  desired: z.int().nullable(),
  ready: z.int().nullable(),
});
export const ownersAnswer = z.object({ owners: z.array(podOwner), total: z.int() });

export const podMetricsPoint = z.object({
  timestamp: z.number(),
  time: moment,
  cpu_usage_cores: number,
  memory_usage_mb: number,
  bands: z.object({ cpu_cores: band, memory_mb: band }),
  count: z.int(),
  /** Only where the figures were taken over from before the installation; absent: our own collectors measured. */
  source: z.literal('prometheus').optional(),
});
/** GET /pods/{namespace}/{pod}/metrics/history?hours=24 (or start_date, end_date). */
export const podHistoryAnswer = z.object({
  metrics: z.array(podMetricsPoint),
  ...historyRange,
  limits: amounts,
  requests: amounts,
  restarts: z.array(podRestart),
});

/**
 * GET /pods/{namespace}/{pod}/logs?container&previous: the last lines of a container. The first call asks the cluster
 * collector for them; repeat it after `retry_seconds` until it is no longer pending.
 */
export const podLogsAnswer = z.object({
  state: z.enum(['pending', 'ready', 'failed']),
  container: z.string(),
  previous: z.boolean(),
  lines: z.array(z.string()),
  requested_at: moment,
  /** When the collector read them. */
  fetched_at: moment.nullable(),
  detail: z.string().nullable(),
  retry_seconds: z.number().nullable(),
});

export type PodLogsAnswer = z.infer<typeof podLogsAnswer>;
export type Pod = z.infer<typeof pod>;
export type PodContainer = z.infer<typeof podContainer>;
export type PodRestart = z.infer<typeof podRestart>;
export type RestartRankedPod = z.infer<typeof restartRankedPod>;
export type PodsSummary = z.infer<typeof podsSummary>;
export type PodsAnswer = z.infer<typeof podsAnswer>;
export type NodePodsAnswer = z.infer<typeof nodePodsAnswer>;
export type PodAnswer = z.infer<typeof podAnswer>;
export type PodOwner = z.infer<typeof podOwner>;
export type OwnersAnswer = z.infer<typeof ownersAnswer>;
export type PodMetricsPoint = z.infer<typeof podMetricsPoint>;
export type PodHistoryAnswer = z.infer<typeof podHistoryAnswer>;
