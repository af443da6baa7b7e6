import { z } from 'zod';
import { gap, reporting, unavailable } from './metrics.ts';

const number = z.number().nullable();
const connectionCounts = {
  connections_established: number,
  connections_listen: number,
  connections_time_wait: number,
  connections_close_wait: number,
  connections_syn_sent: number,
  connections_syn_recv: number,
  total_connections: number,
};
/** GET /api/data/network/timeseries; min and max of the two rates beside the spec's averages. */
export const networkPoint = z.object({
  timestamp: z.number(),
  time: z.iso.datetime(),
  inbound_bytes_per_sec: number,
  outbound_bytes_per_sec: number,
  inbound_min: number,
  inbound_max: number,
  outbound_min: number,
  outbound_max: number,
  ...connectionCounts,
  ...reporting,
});
export const networkTimeseriesAnswer = z.object({
  timeseries: z.array(networkPoint),
  aggregated: z.boolean(),
  bucket_seconds: z.number().positive(),
  from: z.number(),
  to: z.number(),
  gaps: z.array(gap),
  unavailable: z.array(unavailable).optional(),
});
/** GET /api/data/network/metrics: newest first. */
export const networkMetrics = z.object({
  server_id: z.uuid(),
  timestamp: z.number(),
  inbound_bytes_per_sec: number,
  outbound_bytes_per_sec: number,
  ...connectionCounts,
});
export const networkMetricsAnswer = z.object({ metrics: z.array(networkMetrics), total: z.int() });
export const networkConnection = z.object({
  server_id: z.uuid(),
  timestamp: z.number(),
  remote_ip: z.string(),
  remote_port: z.int(),
  local_port: z.int(),
  protocol: z.string(),
  state: z.string(),
  pid: z.int(),
  family: z.string(),
  importance_score: z.int(),
});
export const networkConnectionsAnswer = z.object({ connections: z.array(networkConnection), total: z.int() });

export type NetworkPoint = z.infer<typeof networkPoint>;
export type NetworkTimeseriesAnswer = z.infer<typeof networkTimeseriesAnswer>;
export type NetworkMetrics = z.infer<typeof networkMetrics>;
export type NetworkMetricsAnswer = z.infer<typeof networkMetricsAnswer>;
export type NetworkConnection = z.infer<typeof networkConnection>;
export type NetworkConnectionsAnswer = z.infer<typeof networkConnectionsAnswer>;
