import { z } from 'zod';
import {
  CLUSTER_NAME_LENGTH,
  COLLECTOR_STATES,
  DEGRADED_KINDS,
  NODE_SORTS,
  OWNER_GROUPINGS,
  OWNER_SORTS,
  POD_PHASES,
  POD_SORTS,
  READER_STATES,
  SORT_ORDERS,
} from '../rules/kubernetes-limits.ts';
import { creator } from './creator.ts';
import { kubernetesEvent, moment, number, origin } from './kubernetes-parts.ts';
import { podsSummary } from './kubernetes-pods.ts';
import { typedName } from './typed-name.ts';

/**
 * The calls under /api/kubernetes. Cores are cores, MB are 2^20 bytes, per cents 0–100, `timestamp` epoch seconds, `*_at`
 * and `time` ISO 8601. Every call takes the optional `cluster_id` (uid of kube-system); without it all clusters of the
 * caller count. Lists take limit (pods 1,000, others 100; at most 1,000), offset, sort and order; `total` is the number
 * that matches the filters. Null is unknown, and the `origin` beside it says why.
 * Screens import everything from this file.
 */
export * from './kubernetes-clusters.ts';
export * from './kubernetes-nodes.ts';
export * from './kubernetes-parts.ts';
export * from './kubernetes-pods.ts';
export * from './kubernetes-workload.ts';

/** GET /permissions: every reader of the collectors with what it needs and what it costs when it fails. */
export const permission = z.object({
  cluster_id: z.string(),
  /** "cluster collector", or the name of the node whose agent it is. */
  who: z.string(),
  reader: z.string(),
  state: z.enum(READER_STATES),
  detail: z.string().nullable(),
  /** As in `kubectl auth can-i VERB RESOURCE`. */
  needs: z.string().nullable(),
  /** Parts of the screens that are missing while it fails. */
  costs: z.string(),
  since: moment,
  /** Sentence that says what to do; null while it works. */
  remedy: z.string().nullable(),
  /** Line for a shell that does it; null where no one line does. */
  command: z.string().nullable(),
});
/** The collector of one cluster, for the band above every Kubernetes screen. */
export const collectorStatus = z.object({
  cluster_id: z.string(),
  cluster_name: z.string().nullable(),
  state: z.enum(COLLECTOR_STATES),
  last_seen_at: moment,
  age_seconds: z.number(),
  /** Age of the newest report of a node agent of this cluster; null: none has reported. */
  node_agents_age_seconds: number,
  /** Why no replica leads, in the words of a replica that stands by. */
  detail: z.string().nullable(),
  remedy: z.string().nullable(),
  command: z.string().nullable(),
});

/** GET /cluster/overview. All counts are of the chosen cluster(s); the health chip is derived from them by the client. */
export const clusterOverviewAnswer = z.object({
  total_nodes: z.int(),
  ready_nodes: z.int(),
  total_pods: z.int(),
  running_pods: z.int(),
  pending_pods: z.int(),
  failed_pods: z.int(),
  succeeded_pods: z.int(),
  unknown_pods: z.int(),
  aggregate_metrics: z.object({ avg_cpu_usage: number, avg_memory_usage: number }),
  aggregate_origin: origin,
  summary: podsSummary,
  /** Names in the health chip, at most five of each kind. */
  causes: z.object({
    not_ready_nodes: z.array(z.object({ node_name: z.string(), server_id: z.uuid(), reason: z.string().nullable() })),
    failed_pods: z.array(z.object({ namespace: z.string(), pod_name: z.string(), reason: z.string().nullable() })),
    crash_looping_pods: z.array(z.object({ namespace: z.string(), pod_name: z.string() })).optional(),
  }),
  /** Pods whose containers crash again and again. Their phase is Running, so they do not change the health. */
  crash_looping_pods: z.int().optional(),
  /**
   * Trouble that keeps the cluster(s) from being healthy where nodes and phases are well: pods that crash-loop, cannot pull an image or
   * cannot be created, and workloads whose replicas are missing for 15 minutes. Kinds that occur, with the oldest five.
   */
  degraded: z.array(
    z.object({
      kind: z.enum(DEGRADED_KINDS),
      count: z.int(),
      examples: z.array(z.object({ cluster_id: z.string(), namespace: z.string(), name: z.string() })),
    }),
  ),
  /** Warnings of the last 24 hours grouped by reason and object, newest first, at most 20. */
  warnings: z.array(kubernetesEvent),
  /** Age of the last report of the cluster collector, of several clusters the oldest; null without a report. */
  age_seconds: number,
  /** One per cluster, the one that reported longest ago first. */
  collectors: z.array(collectorStatus),
  /** Readers that fail, at most 20; nodes with the same failure share one entry. */
  problems: z.array(permission),
});

/**
 * GET /events?namespace&type&kind&name&reason&search&owner_kind&owner_name&hours=24&limit&offset, last seen first. With an owner:
 * the events of the workload, its pods, ReplicaSets and Jobs.
 */
export const eventsAnswer = z.object({
  events: z.array(kubernetesEvent),
  total: z.int(),
  /** Reasons that occur in the time and the scope, whatever the other filters. */
  reasons: z.array(z.string()),
  kinds: z.array(z.string()),
});

/** GET /clusters: the selector is shown when there is more than one. */
export const cluster = z.object({
  cluster_id: z.string(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  first_seen_at: moment,
  last_seen_at: moment.nullable(),
  age_seconds: number,
  nodes: z.int(),
  pods: z.int(),
  /** Its custom resources may set rules of the whole organisation. */
  objects_rule_organisation: z.boolean(),
});
/** PUT /api/kubernetes/clusters/{id} */
export const changeClusterRequest = z.strictObject({ objects_rule_organisation: z.boolean() });
export const changeClusterAnswer = cluster.pick({ cluster_id: true, objects_rule_organisation: true });
/** PUT /api/kubernetes/clusters/{id}/name: null returns to the name that the collector reports. */
export const renameClusterRequest = z.strictObject({ name: typedName(CLUSTER_NAME_LENGTH).nullable() });
export const renameClusterAnswer = z.object({ cluster_id: z.string(), name: z.string().nullable() });
export const clustersAnswer = z.object({ clusters: z.array(cluster), total: z.int() });

export const permissionsAnswer = z.object({ permissions: z.array(permission), total: z.int(), failing: z.int() });

/** POST /api/kubernetes/clusters/separate: gives the refused copy of a cluster an identity and a token of its own. */
export const separateClusterRequest = z.object({ cluster_id: z.string().min(1).max(128) });
export const separateClusterAnswer = z.object({
  /** Id of the copy. */
  cluster_id: z.string(),
  token_id: z.uuid(),
  /** For the Secret of the copy's collectors; shown once. */
  token: z.string(),
});
export type SeparateClusterAnswer = z.infer<typeof separateClusterAnswer>;

/** POST /api/user/cluster-tokens {name?} → shown once; GET lists; DELETE /api/user/cluster-tokens/{id} revokes. */
export const clusterTokenRequest = z.object({ name: z.string().max(120).optional() });
export const clusterTokenAnswer = z.object({ id: z.uuid(), token: z.string() });
export const clusterTokenEntry = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  last_four: z.string(),
  /** Bound by the first report. */
  cluster_id: z.string().nullable(),
  cluster_name: z.string().nullable(),
  created_at: moment,
  last_used_at: moment.nullable(),
  /**
   * 24 h after its creation while no collector has used it; 7 days after its replacement. null: it does not expire.
   */
  expires_at: moment.nullable(),
  /** Another token replaces this one. */
  is_replaced: z.boolean(),
  created_by: creator,
});
export const clusterTokensAnswer = z.object({ tokens: z.array(clusterTokenEntry), total: z.int() });

const clusterId = { cluster_id: z.string().max(128).optional() };
const page = { limit: z.coerce.number().int(), offset: z.coerce.number().int() };
const order = { order: z.enum(SORT_ORDERS) };
/** Queries as the client builds them; the API validates ranges and names the parameter at fault. */
export const podsQuery = z
  .object({
    ...clusterId,
    ...page,
    ...order,
    namespace: z.string(),
    phase: z.enum(POD_PHASES),
    node_name: z.string(),
    owner_kind: z.string(),
    owner_name: z.string(),
    search: z.string(),
    sort: z.enum(POD_SORTS),
  })
  .partial();
export const nodesQuery = z
  .object({
    ...clusterId,
    ...page,
    ...order,
    search: z.string(),
    ready: z.enum(['true', 'false']),
    sort: z.enum(NODE_SORTS),
  })
  .partial();
export const ownersQuery = z
  .object({
    ...clusterId,
    ...page,
    ...order,
    namespace: z.string(),
    by: z.enum(OWNER_GROUPINGS),
    owner_kind: z.string(),
    search: z.string(),
    sort: z.enum(OWNER_SORTS),
  })
  .partial();
export const eventsQuery = z
  .object({
    ...clusterId,
    ...page,
    namespace: z.string(),
    type: z.string(),
    kind: z.string(),
    name: z.string(),
    reason: z.string(),
    search: z.string(),
    owner_kind: z.string(),
    owner_name: z.string(),
    hours: z.coerce.number().int(),
  })
  .partial();

export type EventsAnswer = z.infer<typeof eventsAnswer>;
export type ClusterOverviewAnswer = z.infer<typeof clusterOverviewAnswer>;
export type Cluster = z.infer<typeof cluster>;
export type ClustersAnswer = z.infer<typeof clustersAnswer>;
export type CollectorStatus = z.infer<typeof collectorStatus>;
export type Permission = z.infer<typeof permission>;
export type PermissionsAnswer = z.infer<typeof permissionsAnswer>;
export type ClusterTokenAnswer = z.infer<typeof clusterTokenAnswer>;
export type ClusterTokenEntry = z.infer<typeof clusterTokenEntry>;
export type ClusterTokensAnswer = z.infer<typeof clusterTokensAnswer>;
export type PodsQuery = z.infer<typeof podsQuery>;
export type NodesQuery = z.infer<typeof nodesQuery>;
export type OwnersQuery = z.infer<typeof ownersQuery>;
export type EventsQuery = z.infer<typeof eventsQuery>;
