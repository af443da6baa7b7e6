import { z } from 'zod';

/** GET /api/kubernetes/at: nodes and pods at a moment, from the stored history. No history of phases is stored. */
const nodeThen = z.object({
  server_id: z.uuid(),
  cluster_id: z.string(),
  node_name: z.string(),
  /** Per cent of the node's capacity; null: no usage was stored for that moment. */
  cpu_usage: z.number().nullable(),
  memory_usage: z.number().nullable(),
  pods_count: z.int().nonnegative(),
  restarts_24h: z.int().nonnegative().nullable(),
});
const podThen = z.object({
  cluster_id: z.string(),
  namespace: z.string(),
  pod_name: z.string(),
  node_name: z.string().nullable(),
  cpu_usage_cores: z.number().nullable(),
  memory_usage_mb: z.number().nullable(),
  restarts_24h: z.int().nonnegative().nullable(),
  oom_kills_24h: z.int().nonnegative().nullable(),
});
export const clusterMomentAnswer = z.object({
  nodes: z.array(nodeThen),
  /** Most restarts first, then most memory. */
  pods: z.array(podThen),
  total_pods: z.int().nonnegative(),
  /** Why restarts are null; null: they are known. */
  restarts_reason: z.string().nullable(),
  /** Names what no history is stored of. */
  not_stored: z.array(z.string()),
});
export type NodeThen = z.infer<typeof nodeThen>;
export type PodThen = z.infer<typeof podThen>;
export type ClusterMomentAnswer = z.infer<typeof clusterMomentAnswer>;
