// SQL prunes: each deletion joins the retention settings with the rows of a large table.
import { PROCESS_HISTORY, PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { PoolClient } from 'pg';
import { packedQuarters, unpackedQuarters } from '../../processes/quarter-block.ts';
import type { RetentionSettings } from '../store.ts';
import { inTransaction } from '../../database/database.ts';
import { LINE_EVENTS } from '../../database/line-events.ts';
import type { Database } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';

/** Deleting years of rows takes longer than a query may. */
const TIMEOUT = "SET LOCAL statement_timeout = '120s'";

/**
 * Days that each account keeps: what it set, but at most $2 of all but its alerts. $2 null: no plan is in force. A null
 * in the answer deletes nothing.
 */
const KEPT = `(SELECT a.id AS organisation_id, k.alerts_days, LEAST(k.metrics_days, $2::integer) AS metrics_days,
    LEAST(k.events_days, $2::integer) AS events_days, LEAST(k.processes_days, $2::integer) AS processes_days
  FROM account a LEFT JOIN retention_setting k ON k.organisation_id = a.id
  WHERE k.organisation_id IS NOT NULL OR $2::integer IS NOT NULL) r`;

const older = (column: string, days: string): string =>
  `${column} < ${at('$1')} - make_interval(days => r.${days}) AND s.organisation_id = r.organisation_id`;
const pruneTable = (table: string, column: string, days: string): string =>
  `DELETE FROM ${table} d USING ${KEPT}, server s WHERE d.server_key = s.key AND ${older(`d.${column}`, days)}`;
/** A block goes when its newest list may go. */
const pruneBlocks = (table: string, seconds: number): string =>
  `DELETE FROM ${table} d USING ${KEPT}, server s WHERE d.server_key = s.key
    AND ${older(`d.ts + interval '${seconds} seconds'`, 'processes_days')}`;
const pruneOfNodes = (table: string): string =>
  `DELETE FROM ${table} d USING ${KEPT}, cluster s, kube_node n WHERE d.node_key = n.key AND n.cluster_key = s.key
    AND ${older('d.ts', 'metrics_days')}`;
const pruneOfClusters = (table: string, column: string): string =>
  `DELETE FROM ${table} d USING ${KEPT}, cluster s WHERE d.cluster_key = s.key
    AND ${older(`d.${column}`, 'events_days')}`;
const ALERTS_OF_CLUSTERS = `DELETE FROM alert d USING ${KEPT}, cluster s WHERE d.cluster_key = s.key
    AND ${older('d.resolved_at', 'alerts_days')}`;
const OWN_ALERTS = `DELETE FROM alert s USING ${KEPT} WHERE ${older('s.resolved_at', 'alerts_days')}`;
const SILENCES = `DELETE FROM alert_silence s USING ${KEPT}
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
  containers: pruneTable('container_history', 'ts', 'metrics_days'),
  fleet_rollups: `DELETE FROM fleet_rollup d USING ${KEPT}
    WHERE d.organisation_id = r.organisation_id AND d.ts < ${at('$1')} - make_interval(days => r.metrics_days)`,
  events: `${pruneTable('activity_event', 'at', 'events_days')} AND d.event_type NOT IN ${LINE_EVENTS}`,
  // Lines explain alerts, so they stay as long.
  lines: `${pruneTable('activity_event', 'at', 'alerts_days')} AND d.event_type IN ${LINE_EVENTS}`,
  last_words: `DELETE FROM last_words d USING ${KEPT}, cluster s WHERE d.cluster_key = s.key AND ${older('d.at', 'alerts_days')}`,
  changes: `DELETE FROM change s USING ${KEPT} WHERE ${older('s.at', 'events_days')}`,
  processes: pruneTable('server_list_history', 'ts', 'processes_days'),
  process_minutes: pruneTable('process_minute', 'ts', 'processes_days'),
  process_blocks: pruneBlocks('process_block', PROCESS_MINUTES.blockSeconds),
  process_quarters: pruneTable('process_quarter', 'ts', 'processes_days'),
  process_quarter_blocks: pruneBlocks('process_quarter_block', PROCESS_HISTORY.blockSeconds),
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

/** $1 now, ms; $2 days of the plan or null. Blocks whose first lists are too old, and since when lists are kept, ms. */
const CUT_BLOCKS = `SELECT d.server_key AS key, d.ts,
    (extract(epoch FROM ${at('$1')} - make_interval(days => r.processes_days)) * 1000)::double precision AS since
  FROM process_quarter_block d, ${KEPT}, server s
  WHERE d.server_key = s.key AND ${older('d.ts', 'processes_days')}`;
/** Locked, because the job that packs merges late lists. */
const READ_BLOCK = 'SELECT packed FROM process_quarter_block WHERE server_key = $1 AND ts = $2 FOR UPDATE';
const DELETE_BLOCK = 'DELETE FROM process_quarter_block WHERE server_key = $1 AND ts = $2';
const WRITE_BLOCK = 'UPDATE process_quarter_block SET lists = $3, packed = $4 WHERE server_key = $1 AND ts = $2';

interface OldBlock {
  key: number;
  ts: Date;
  since: number;
}
/** Deletes the lists of a block that are older than `since` (ms). Returns false if it has none. */
async function cutBlock(client: PoolClient, { key, ts, since }: OldBlock): Promise<boolean> {
  const { rows } = await client.query<{ packed: Buffer }>(READ_BLOCK, [key, ts]);
  const lists = rows.flatMap(({ packed }) => unpackedQuarters(packed));
  const kept = lists.filter(({ slot }) => slot >= since);
  if (kept.length === lists.length) return false;
  if (kept.length === 0) await client.query(DELETE_BLOCK, [key, ts]);
  else await client.query(WRITE_BLOCK, [key, ts, kept.length, packedQuarters(kept)]);
  return true;
}

export const createRetentionStore = ({ pool, prisma }: Database): RetentionSettings => ({
  get: async ({ organisationId }) => {
    const row = await prisma.retentionSetting.findUnique({ where: { organisationId } });
    if (!row) return null;
    return { metrics: row.metricsDays, alerts: row.alertsDays, events: row.eventsDays, processes: row.processesDays };
  },
  put: async ({ organisationId }, { metrics, alerts, events, processes }) => {
    const days = { metricsDays: metrics, alertsDays: alerts, eventsDays: events, processesDays: processes };
    await prisma.retentionSetting.upsert({
      where: { organisationId },
      create: { organisationId, ...days },
      update: days,
    });
  },
  reset: async ({ organisationId }) => {
    await prisma.retentionSetting.deleteMany({ where: { organisationId } });
  },
  prune: async (now, planDays) => {
    const removed: Record<string, number> = {};
    for (const [kind, statement] of Object.entries(PRUNED)) {
      const rows = await inTransaction(pool, async (client) => {
        await client.query(TIMEOUT);
        return (await client.query(statement, [now, planDays])).rowCount ?? 0;
      });
      if (rows > 0) removed[kind] = rows;
    }
    const { rows } = await pool.query<OldBlock>(CUT_BLOCKS, [now, planDays]);
    for (const block of rows)
      if (await inTransaction(pool, (client) => cutBlock(client, block)))
        removed['process_quarter_blocks'] = (removed['process_quarter_blocks'] ?? 0) + 1;
    return removed;
  },
});
