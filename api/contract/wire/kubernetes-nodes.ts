import { z } from 'zod';
import { NODE_AGENT_MODES, READER_STATES } from '../rules/kubernetes-limits.ts';
import { amounts, band, historyRange, moment, number, origin } from './kubernetes-parts.ts';
import { headroom, loadLines } from './servers.ts';

/** Share of time in which some (all) tasks waited for the resource, mean of 60 s. */
const stall = z.object({ some_percent: z.number(), full_percent: number });

/** GET /nodes/{node} answers this; /nodes and /nodes/recent list it. */
export const kubernetesNode = z.object({
  server_id: z.uuid(),
  node_name: z.string(),
  cluster_id: z.string(),
  cluster_name: z.string().nullable(),
  os_type: z.string().nullable(),
  architecture: z.string().nullable(),
  metrics: z.object({
    cpu_usage: number,
    memory_usage: number,
    disk_usage: number,
    /** Seconds. */
    uptime: number,
    pods_count: z.int(),
  }),
  origins: z.object({ cpu_usage: origin, memory_usage: origin, disk_usage: origin, uptime: origin }),
  lines: loadLines,
  headroom: headroom.nullable(),
  /** Condition Ready: true Ready, false NotReady, null Unknown (the control plane lost the node). */
  ready: z.boolean().nullable(),
  unschedulable: z.boolean(),
  conditions: z.array(
    z.object({
      type: z.string(),
      status: z.string(),
      reason: z.string().nullable(),
      message: z.string().nullable(),
      since: moment.nullable(),
    }),
  ),
  roles: z.array(z.string()),
  taints: z.array(z.string()),
  labels: z.record(z.string(), z.string()),
  capacity: amounts.extend({ pods: z.int().nullable() }),
  allocatable: amounts.extend({ pods: z.int().nullable() }),
  /** Sums over the pods bound to the node that are not finished; per cents are of allocatable. */
  requested: amounts.extend({ cpu_percent: number, memory_percent: number }),
  limited: amounts.extend({ cpu_percent: number, memory_percent: number }),
  /** Pressure stall; null: `stall_reason` says why (before Kubernetes 1.34, cgroup v1, no node agent). */
  stall: z.object({ cpu: stall.nullable(), memory: stall.nullable(), io: stall.nullable() }).nullable(),
  stall_reason: z.string().nullable(),
  restarts_24h: z.int(),
  internal_ip: z.string().nullable(),
  kubelet_version: z.string().nullable(),
  container_runtime: z.string().nullable(),
  kernel: z.string().nullable(),
  os_image: z.string().nullable(),
  created_at: moment,
  /** Null: no node agent runs here; figures come from metrics-server or not at all. */
  agent: z
    .object({
      mode: z.enum(NODE_AGENT_MODES),
      last_seen_at: moment.nullable(),
      kubelet_state: z.enum(READER_STATES),
      kubelet_detail: z.string().nullable(),
      kubelet_tls_verified: z.boolean(),
    })
    .nullable(),
});
export const nodesSummary = z.object({
  total: z.int(),
  ready: z.int(),
  not_ready: z.int(),
  with_agent: z.int(),
  avg_cpu_usage: number,
  avg_memory_usage: number,
  avg_disk_usage: number,
});
/** GET /nodes?search&ready&sort&order&limit&offset; sort headroom (default), least first. */
export const nodesAnswer = z.object({ nodes: z.array(kubernetesNode), total: z.int(), summary: nodesSummary });
/** GET /nodes/recent?limit=3&token_id: newest first; with token_id only what enrolled with that cluster token. */
export const recentNodesAnswer = z.object({ nodes: z.array(kubernetesNode), total: z.int() });

/** A bucket; null in a gap. cpu_usage … repeat the averages under the spec's names. */
export const nodeMetricsPoint = z.object({
  timestamp: z.number(),
  time: moment,
  cpu_usage: number,
  memory_usage: number,
  disk_usage: number,
  bands: z.object({ cpu: band, memory: band, disk: band }),
  count: z.int(),
  /** Only where the figures were taken over from before the installation; absent: our own collectors measured. */
  source: z.literal('prometheus').optional(),
});
/** GET /nodes/{node}/metrics/history?hours=24 (or start_date, end_date). */
export const nodeHistoryAnswer = z.object({ metrics: z.array(nodeMetricsPoint), ...historyRange });

export type KubernetesNode = z.infer<typeof kubernetesNode>;
export type NodesSummary = z.infer<typeof nodesSummary>;
export type NodesAnswer = z.infer<typeof nodesAnswer>;
export type RecentNodesAnswer = z.infer<typeof recentNodesAnswer>;
export type NodeMetricsPoint = z.infer<typeof nodeMetricsPoint>;
export type NodeHistoryAnswer = z.infer<typeof nodeHistoryAnswer>;
