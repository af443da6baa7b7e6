// SQL prunes: each deletion joins the retention settings with the rows of a large table.
import type { RetentionSettings } from '../store.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';

/** Deleting years of rows takes longer than a query may. */
const TIMEOUT = "SET LOCAL statement_timeout = '120s'";

const older = (column: string, days: string): string =>
  `${column} < ${at('$1')} - make_interval(days => r.${days}) AND s.account_id = r.account_id`;
const pruneTable = (table: string, column: string, days: string): string =>
  `DELETE FROM ${table} d USING retention_setting r, server s WHERE d.server_key = s.key AND ${older(`d.${column}`, days)}`;
const pruneOfNodes = (table: string): string =>
  `DELETE FROM ${table} d USING retention_setting r, cluster s, kube_node n WHERE d.node_key = n.key AND n.cluster_key = s.key
    AND ${older('d.ts', 'metrics_days')}`;
const pruneOfClusters = (table: string, column: string): string =>
  `DELETE FROM ${table} d USING retention_setting r, cluster s WHERE d.cluster_key = s.key
    AND ${older(`d.${column}`, 'events_days')}`;
const ALERTS_OF_CLUSTERS = `DELETE FROM alert d USING retention_setting r, cluster s WHERE d.cluster_key = s.key
    AND ${older('d.resolved_at', 'alerts_days')}`;
const OWN_ALERTS = `DELETE FROM alert s USING retention_setting r WHERE ${older('s.resolved_at', 'alerts_days')}`;
const SILENCES = `DELETE FROM alert_silence s USING retention_setting r
  WHERE ${older("LEAST(s.ends_at, COALESCE(s.deleted_at, 'infinity'))", 'alerts_days')}`;
/**
 * Deletes rows older than the retention of their account. Partitions older than the general retention are dropped by
 * database/prune.ts.
 */
const PRUNED: Record<string, string> = {
  samples: pruneTable('host_sample', 'ts', 'metrics_days'),
  rollups_5m: pruneTable('host_rollup_5m', 'ts', 'metrics_days'),
  rollups_1h: pruneTable('host_rollup_1h', 'ts', 'metrics_days'),
  filesystems: pruneTable('filesystem_history', 'ts', 'metrics_days'),
  fleet_rollups: `DELETE FROM fleet_rollup d USING retention_setting r
    WHERE d.account_id = r.account_id AND d.ts < ${at('$1')} - make_interval(days => r.metrics_days)`,
  events: pruneTable('activity_event', 'at', 'events_days'),
  processes: pruneTable('server_list_history', 'ts', 'processes_days'),
  process_minutes: pruneTable('process_minute', 'ts', 'processes_days'),
  process_blocks: pruneTable('process_block', 'ts', 'processes_days'),
  alerts: pruneTable('alert', 'resolved_at', 'alerts_days'),
  cluster_alerts: ALERTS_OF_CLUSTERS,
  account_alerts: OWN_ALERTS,
  silences: SILENCES,
  kube_samples: pruneOfNodes('kube_sample'),
  kube_rollups: pruneOfNodes('kube_rollup_5m'),
  kube_events: pruneOfClusters('kube_event', 'last_at'),
  kube_jobs: pruneOfClusters('kube_job', 'failed_at'),
  container_ends: pruneOfClusters('kube_container_end', 'at'),
};

export const createRetentionStore = ({ pool, prisma }: Database): RetentionSettings => ({
  get: async ({ accountId }) => {
    const row = await prisma.retentionSetting.findUnique({ where: { accountId } });
    if (!row) return null;
    return { metrics: row.metricsDays, alerts: row.alertsDays, events: row.eventsDays, processes: row.processesDays };
  },
  put: async ({ accountId }, { metrics, alerts, events, processes }) => {
    const days = { metricsDays: metrics, alertsDays: alerts, eventsDays: events, processesDays: processes };
    await prisma.retentionSetting.upsert({ where: { accountId }, create: { accountId, ...days }, update: days });
  },
  reset: async ({ accountId }) => {
    await prisma.retentionSetting.deleteMany({ where: { accountId } });
  },
  prune: async (now) => {
    const removed: Record<string, number> = {};
    for (const [kind, statement] of Object.entries(PRUNED)) {
      const rows = await inTransaction(pool, async (client) => {
        await client.query(TIMEOUT);
        return (await client.query(statement, [now])).rowCount ?? 0;
      });
      if (rows > 0) removed[kind] = rows;
    }
    return removed;
  },
});
