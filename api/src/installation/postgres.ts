// SQL, because it counts over all accounts and reads the catalog of PostgreSQL.
import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { OFFLINE_AFTER_INTERVALS } from '@plimsoll/contract/rules/limits';
import { COLLECTOR_SILENT_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { Database } from '../database/database.ts';
import { milliseconds, timestamp } from '../database/time.ts';
import { ROLLUP_LEVELS } from '../series/series-level.ts';
import type { Installation } from './store.ts';
import type { AgentCount, ChannelHealth, DatabaseFigures, DatabaseSize, IngestFigures, Replica } from './types.ts';

/** As api/src/servers/server-status.ts decides it. */
const SERVERS = `
SELECT count(*) FILTER (WHERE NOT is_gone AND seen_at >= fresh_from)::integer AS "serversReporting",
    count(*) FILTER (WHERE NOT is_gone AND seen_at < fresh_from)::integer AS "serversSilent",
    count(*) FILTER (WHERE NOT is_gone AND seen_at IS NULL)::integer AS "serversInstalling",
    ${milliseconds('max(seen_at)')} AS "lastReportAt"
FROM (
  SELECT seen_at, s.uninstalled_at IS NOT NULL AND COALESCE(seen_at <= s.uninstalled_at, true) AS is_gone,
    ${timestamp('$1')} - ${OFFLINE_AFTER_INTERVALS} * s.report_interval_seconds * interval '1 second' AS fresh_from
  FROM server s LEFT JOIN LATERAL
    (SELECT max(last_received_at) AS seen_at FROM report_stream r WHERE r.server_key = s.key) stream ON true
) server`;
const REPORTS = `
SELECT count(*)::integer AS reports, percentile_cont(0.5) WITHIN GROUP (ORDER BY lag) AS "lagP50Seconds",
    max(lag) AS "lagHighestSeconds"
FROM (
  SELECT GREATEST(0, extract(epoch FROM received_at - sample_at))::double precision AS lag
  FROM report_ledger WHERE received_at > ${timestamp('$1')}
) report`;
const CLUSTERS = `
SELECT count(*) FILTER (WHERE last_seen_at >= ${timestamp('$1')})::integer AS "clustersReporting",
    count(*) FILTER (WHERE last_seen_at < ${timestamp('$1')})::integer AS "clustersSilent"
FROM cluster`;

const PROGRESS = `SELECT level, ${milliseconds('complete_to')} AS "completeTo" FROM rollup_progress`;

const MOST_TABLES = 8;
/** A partitioned table has the size of its partitions. */
const TABLES = `
SELECT name, sum(bytes)::double precision AS bytes FROM (
  SELECT COALESCE(pg_partition_root(c.oid), c.oid)::regclass::text AS name, pg_total_relation_size(c.oid) AS bytes
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
) part GROUP BY name ORDER BY bytes DESC, name LIMIT ${MOST_TABLES}`;
const SIZE = `SELECT pg_database_size(current_database())::double precision AS "sizeBytes",
    current_setting('server_version') AS version,
    (SELECT setting FROM pg_settings WHERE name = 'data_directory') AS folder`;
const HISTORY_MS = 7 * DAY_MS;
const HISTORY = `SELECT ${milliseconds('at')} AS at, bytes FROM database_size
  WHERE at >= ${timestamp('$1')} AND at <= ${timestamp('$2')} ORDER BY at`;
const RECORD_SIZE = `INSERT INTO database_size (at, bytes)
  VALUES (${timestamp('$1')}, pg_database_size(current_database())) ON CONFLICT (at) DO NOTHING`;

const MOST_REPLICAS = 50;
const REPLICAS = `SELECT ${milliseconds('started_at')} AS "startedAt", ${milliseconds('seen_at')} AS "lastSeenAt",
    version, jobs
  FROM api_uptime WHERE seen_at >= ${timestamp('$1')} ORDER BY seen_at DESC LIMIT ${MOST_REPLICAS}`;

const MOST_CHANNELS = 100;
const CHANNELS = `
SELECT c.type, CASE WHEN c.organisation_id = $1 THEN c.name END AS name, l.outcome AS "lastOutcome",
    ${milliseconds('l.at')} AS "lastDeliveryAt",
    (SELECT count(*) FROM notify_outbox o WHERE o.channel_id = c.id)::integer AS waiting,
    count(*) OVER ()::integer AS total
FROM notify_channel c LEFT JOIN LATERAL
  (SELECT at, outcome FROM notify_delivery WHERE channel_id = c.id ORDER BY id DESC LIMIT 1) l ON true
ORDER BY COALESCE(l.outcome <> 'delivered', false) DESC, c.organisation_id = $1 DESC, c.created_at, c.id
LIMIT ${MOST_CHANNELS}`;

const AGENTS = `
SELECT CASE WHEN s.is_kubernetes_node THEN 'node_agent' ELSE 'host_agent' END AS kind,
    f.value->>'collector_version' AS version, count(*)::integer AS agents
FROM server s LEFT JOIN server_fact f ON f.server_key = s.key AND f.name = 'system'
WHERE s.uninstalled_at IS NULL
  OR s.uninstalled_at < (SELECT max(last_received_at) FROM report_stream r WHERE r.server_key = s.key)
GROUP BY 1, 2
UNION ALL
SELECT 'cluster_collector', collector_version, count(*)::integer FROM cluster GROUP BY 2
ORDER BY 1, 2 DESC NULLS LAST`;

export const createInstallationStore = ({ pool }: Database): Installation => {
  const one = async <Row extends object>(statement: string, values: unknown[] = []): Promise<Row> => {
    const [row] = (await pool.query<Row>(statement, values)).rows;
    if (row === undefined) throw new Error('a statement of one row returned none');
    return row;
  };
  return {
    ingest: async (now, windowMs) => ({
      ...(await one<Omit<IngestFigures, 'clustersReporting' | 'clustersSilent'>>(SERVERS, [now])),
      ...(await one<Pick<IngestFigures, 'reports' | 'lagP50Seconds' | 'lagHighestSeconds'>>(REPORTS, [now - windowMs])),
      ...(await one<Pick<IngestFigures, 'clustersReporting' | 'clustersSilent'>>(CLUSTERS, [
        now - COLLECTOR_SILENT_SECONDS * 1000,
      ])),
    }),
    rollups: async () => {
      const { rows } = await pool.query<{ level: string; completeTo: number }>(PROGRESS);
      return ROLLUP_LEVELS.map(({ name, stepSeconds }) => ({
        bucketSeconds: stepSeconds,
        completeTo: rows.find(({ level }) => level === name)?.completeTo ?? null,
      }));
    },
    database: async (now) => {
      const figures = await one<Pick<DatabaseFigures, 'sizeBytes' | 'version' | 'folder'>>(SIZE);
      const { rows: largestTables } = await pool.query<{ name: string; bytes: number }>(TABLES);
      const { rows: history } = await pool.query<DatabaseSize>(HISTORY, [now - HISTORY_MS, now]);
      return { ...figures, largestTables, history };
    },
    recordSize: async (now) => {
      await pool.query(RECORD_SIZE, [Math.floor(now / HOUR_MS) * HOUR_MS]);
    },
    replicas: async (time) => (await pool.query<Replica>(REPLICAS, [time])).rows,
    channels: async ({ organisationId }) => {
      const { rows } = await pool.query<ChannelHealth & { total: number }>(CHANNELS, [organisationId]);
      return { channels: rows.map(({ total: _total, ...channel }) => channel), total: rows[0]?.total ?? 0 };
    },
    agents: async () => (await pool.query<AgentCount>(AGENTS)).rows,
  };
};
