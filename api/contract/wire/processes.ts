import { z } from 'zod';

/**
 * GET /api/data/processes. cpu_usage is per cent of one core, memory_usage per cent of the host's memory. Without a
 * server and without dates, the list leaves out servers that are offline or uninstalled.
 */
export const process = z.object({
  server_id: z.uuid(),
  hostname: z.string(),
  pid: z.int(),
  name: z.string(),
  command: z.string(),
  user: z.string(),
  status: z.string(),
  cpu_usage: z.number().nullable(),
  /** Cores of the server: cpu_usage ÷ server_cpu_cores is the share of the machine. Null until the server reports them. */
  server_cpu_cores: z.number().nullable(),
  memory_usage: z.number().nullable(),
  memory_kb: z.number(),
  threads: z.int().nullable(),
  start_time: z.number(),
  timestamp: z.number(),
});
export const processesAnswer = z.object({ processes: z.array(process), total: z.int() });
/** GET /api/data/processes/at: what ran at a moment, by the list stored nearest at or before it; times in epoch seconds. */
export const processSnapshotAnswer = z.object({
  /** When the list was taken; null: none was, and `processes` is empty. */
  snapshot_at: z.number().nullable(),
  /**
   * Which list this is: the ten greediest by CPU and by memory of a minute, the top 20 of a quarter of an hour, the top 20
   * as an alert fired, or the newest list of the server. Null: there is none.
   */
  list: z.enum(['minute', 'quarter_hour', 'alert', 'newest']).nullable(),
  /** When the next list was taken, at most half an hour after the moment; null: there is none. */
  next_at: z.number().nullable(),
  /** Older lists are not kept. */
  kept_since: z.number(),
  /** CPU of the server in the report of the list, per cent; null: unknown, or the sample is no longer stored. */
  server_cpu_usage: z.number().nullable(),
  processes: z.array(process),
});
/** A server beside its list; `snapshot_at` is epoch seconds. */
const serverOfList = z.object({ server_id: z.uuid(), hostname: z.string() });
/**
 * GET /api/data/processes/fleet-at: what ran on every server in scope at a moment. `timestamp` of a process is the time of
 * the list that it is from. Times in epoch seconds.
 */
export const fleetSnapshotAnswer = z.object({
  processes: z.array(process),
  total: z.int(),
  /** Start of the minute of the moment. */
  minute: z.number(),
  /** Servers that existed then, and those of them with a list of that minute. */
  servers: z.int(),
  in_minute: z.int(),
  /** Servers without a list of that minute: their nearest one, at most half an hour away. The farthest first. */
  nearest: z.array(serverOfList.extend({ snapshot_at: z.number() })),
  nearest_total: z.int(),
  /** Servers without any list in that half hour. */
  without: z.array(serverOfList),
  without_total: z.int(),
  /** Older lists are not kept. */
  kept_since: z.number(),
});
/**
 * GET /api/data/processes/history: one command on one server over time, across its restarts. Times in epoch seconds. Every
 * minute of the last 48 hours is stored, before that every quarter of an hour.
 */
export const processHistoryAnswer = z.object({
  server_id: z.uuid(),
  hostname: z.string(),
  command: z.string(),
  step_seconds: z.number(),
  /** Starts of the processes that were seen, oldest first. */
  starts: z.array(z.number()),
  /** A moment without a list is absent. */
  points: z.array(
    z.object({
      timestamp: z.number(),
      /** Per cent of one core, all processes of the command together; null: none was among the greediest. */
      cpu_usage: z.number().nullable(),
      memory_kb: z.number().nullable(),
      processes: z.int(),
    }),
  ),
  /** Older lists are not kept. */
  kept_since: z.number(),
});
export type ProcessHistoryAnswer = z.infer<typeof processHistoryAnswer>;
export type Process = z.infer<typeof process>;
export type ProcessesAnswer = z.infer<typeof processesAnswer>;
export type ProcessSnapshotAnswer = z.infer<typeof processSnapshotAnswer>;
export type FleetSnapshotAnswer = z.infer<typeof fleetSnapshotAnswer>;
