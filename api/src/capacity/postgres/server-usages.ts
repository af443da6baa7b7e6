// SQL aggregates two weeks of rollups of many servers in one statement.
import type { Database } from '../../database/database.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import { IDLE, idleWindow, type MemoryPoint, type ServerUsage } from '../server-usage.ts';
import type { ServerUsages } from '../store.ts';

/** $1 before, ms  $2 limit */
const DUE = `SELECT s.key FROM server s LEFT JOIN server_usage u ON u.server_key = s.key
  WHERE s.uninstalled_at IS NULL AND (u.computed_at IS NULL OR u.computed_at < ${at('$1')})
  ORDER BY u.computed_at NULLS FIRST, s.key LIMIT $2`;

/** A mean over twice the limit leaves no p95 below it in practice, and the rows of five minutes are many. */
const isCandidate = `h.memory_max < ${IDLE.memoryPercent} AND h.cpu_mean < ${2 * IDLE.cpuPercent}`;
/** $1 keys  $2 now, ms  $3 begin, ms  $4 middle, ms */
const READ = `SELECT s.key AS "serverKey", $2::float8 AS "computedAt", h.hours, p.cpu AS "cpuP95", h.memory_max AS "memoryMax", h.cpu_older AS "cpuOlder", h.cpu_newer AS "cpuNewer",
    h.memory_older AS "memoryOlder", h.memory_newer AS "memoryNewer",
    h.connections_mean AS "connectionsMean", h.connections_max AS "connectionsMax", COALESCE(h.memory, '[]') AS memory,
    (SELECT (f.value #>> '{}')::float8 FROM server_fact f WHERE f.server_key = s.key AND f.name = 'memory_total_bytes')
      AS "memoryTotalBytes"
  FROM server s
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE cpu_avg IS NOT NULL AND memory_avg IS NOT NULL)::int AS hours,
      avg(cpu_avg) AS cpu_mean, max(memory_max) AS memory_max,
      avg(cpu_avg) FILTER (WHERE ts < ${at('$4')}) AS cpu_older, avg(cpu_avg) FILTER (WHERE ts >= ${at('$4')}) AS cpu_newer,
      avg(memory_avg) FILTER (WHERE ts < ${at('$4')}) AS memory_older,
      avg(memory_avg) FILTER (WHERE ts >= ${at('$4')}) AS memory_newer,
      avg(connections_established_avg) AS connections_mean, max(connections_established_avg) AS connections_max,
      json_agg(json_build_array(${ms('ts')}, memory_avg) ORDER BY ts) FILTER (WHERE memory_avg IS NOT NULL) AS memory
    FROM host_rollup_1h r WHERE r.server_key = s.key AND r.ts >= ${at('$3')} AND r.ts < ${at('$2')}) h
  LEFT JOIN LATERAL (
    SELECT percentile_disc(0.95) WITHIN GROUP (ORDER BY cpu_avg) AS cpu FROM host_rollup_5m r
    WHERE ${isCandidate} AND r.server_key = s.key AND r.ts >= ${at('$3')} AND r.ts < ${at('$2')}) p ON true
  WHERE s.key = ANY($1) ORDER BY s.key`;

/** The server can be gone by now. $1 server  $2 now, ms */
const SAVE = `INSERT INTO server_usage (server_key, computed_at, hours, cpu_p95, memory_max, cpu_older, cpu_newer,
    memory_older, memory_newer, connections_mean, connections_max, memory_trend)
  SELECT key, ${at('$2')}, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::json FROM server WHERE key = $1
  ON CONFLICT (server_key) DO UPDATE SET computed_at = excluded.computed_at, hours = excluded.hours,
    cpu_p95 = excluded.cpu_p95, memory_max = excluded.memory_max,
    cpu_older = excluded.cpu_older, cpu_newer = excluded.cpu_newer, memory_older = excluded.memory_older,
    memory_newer = excluded.memory_newer, connections_mean = excluded.connections_mean,
    connections_max = excluded.connections_max, memory_trend = excluded.memory_trend`;

/** $1 organisation */
const LIST = `SELECT u.server_key AS "serverKey", ${ms('u.computed_at')} AS "computedAt", u.hours,
    u.cpu_p95 AS "cpuP95", u.memory_max AS "memoryMax", u.cpu_older AS "cpuOlder", u.cpu_newer AS "cpuNewer",
    u.memory_older AS "memoryOlder", u.memory_newer AS "memoryNewer",
    u.connections_mean AS "connectionsMean", u.connections_max AS "connectionsMax"
  FROM server_usage u JOIN server s ON s.key = u.server_key WHERE s.organisation_id = $1`;

interface ReadRow extends ServerUsage {
  memory: MemoryPoint[];
  memoryTotalBytes: number | null;
}

export const createServerUsages = ({ pool }: Database): ServerUsages => ({
  listDue: async (before, limit) => {
    const { rows } = await pool.query<{ key: number }>(DUE, [before, limit]);
    return rows.map(({ key }) => key);
  },
  read: async (serverKeys, now) => {
    const { from, middle } = idleWindow(now);
    const { rows } = await pool.query<ReadRow>(READ, [serverKeys, now, from, middle]);
    return rows;
  },
  save: async (usage, trend) => {
    const { serverKey, computedAt, hours, cpuP95, memoryMax, cpuOlder, cpuNewer } = usage;
    const { memoryOlder, memoryNewer, connectionsMean, connectionsMax } = usage;
    const measured = [serverKey, computedAt, hours, cpuP95, memoryMax, cpuOlder, cpuNewer];
    const rest = [memoryOlder, memoryNewer, connectionsMean, connectionsMax, trend && JSON.stringify(trend)];
    await pool.query(SAVE, [...measured, ...rest]);
  },
  list: async ({ organisationId }) => {
    const { rows } = await pool.query<ServerUsage>(LIST, [organisationId]);
    return rows;
  },
});
