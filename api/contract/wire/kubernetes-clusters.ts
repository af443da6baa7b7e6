import { z } from 'zod';
import { CLUSTER_SHARES } from '../rules/kubernetes-limits.ts';
import { moment, number } from './kubernetes-parts.ts';

/** Per cents of what the ready and not ready nodes of a cluster can allocate; null: no node, or nothing reports it. */
const shares = z.object({ cpu_percent: number, memory_percent: number });
/** The resource that is nearest to its line, and its distance in points: negative is over. */
const clusterHeadroom = z.object({
  resource: z.enum(['cpu', 'memory']),
  points: z.number(),
  value: z.number(),
  line: z.number(),
});

export const clusterState = z.object({
  cluster_id: z.string(),
  name: z.string().nullable(),
  /** "1.34.1"; null: the collector does not report it. */
  version: z.string().nullable(),
  /** Minor versions behind the newest cluster of the organisation; null: one of both is not known. */
  versions_behind: z.int().nullable(),
  last_seen_at: moment,
  age_seconds: z.number(),
  /** The collector missed two reports: all other fields are the last known ones. */
  silent: z.boolean(),
  nodes: z.int(),
  ready_nodes: z.int(),
  pods: z.int(),
  /** As the group "Broken" of the list of pods, and pods in phase Unknown. */
  broken_pods: z.int(),
  requested: shares,
  used: shares,
  /** Headroom of the share that the query names. */
  headroom: clusterHeadroom.nullable(),
  /** Open alerts of the cluster, its objects and the servers of its nodes; `critical` of them are critical. */
  alerts: z.object({ total: z.int(), critical: z.int() }),
});

/**
 * GET /clusters/states?share&search&state&version&limit&offset, worst first: over the line, then nodes not ready, broken pods,
 * headroom; silent clusters last. `total` and `clusters` follow the filters, `summary` is of all clusters in the scope.
 */
export const clusterStatesAnswer = z.object({
  clusters: z.array(clusterState),
  total: z.int(),
  summary: z.object({
    clusters: z.int(),
    silent: z.int(),
    /** Clusters that report. The other sums are of these. */
    over: z.int(),
    nodes: z.int(),
    ready_nodes: z.int(),
    pods: z.int(),
    broken_pods: z.int(),
    behind: z.int(),
    most_behind: z.int(),
    /** "1.34"; null: no version is known. */
    newest_version: z.string().nullable(),
    /** Minor versions that occur, newest first. */
    versions: z.array(z.string()),
    /** Names of the worst clusters over their line, at most three. */
    over_names: z.array(z.string()),
  }),
});
export const clusterStatesQuery = z
  .object({
    share: z.enum(CLUSTER_SHARES),
    search: z.string(),
    state: z.enum(['over', 'broken', 'silent']),
    version: z.string(),
    limit: z.coerce.number().int(),
    offset: z.coerce.number().int(),
  })
  .partial();

export type ClusterHeadroom = z.infer<typeof clusterHeadroom>;
export type ClusterState = z.infer<typeof clusterState>;
export type ClusterStatesAnswer = z.infer<typeof clusterStatesAnswer>;
export type ClusterStatesQuery = z.infer<typeof clusterStatesQuery>;
