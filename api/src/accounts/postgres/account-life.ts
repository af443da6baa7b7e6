// SQL removes an account's rows: deletions that join the retention and span many tables in one transaction.
import type { PoolClient } from 'pg';
import type { AccountLife, AuditLog, RetentionSettings } from '../store.ts';
import type { AuditEntry } from '../types.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { KUBERNETES_LEVEL } from '../../database/set-aside.ts';
import { timestamp as at } from '../../database/time.ts';

export const createAuditLogStore = ({ prisma }: Database): AuditLog => ({
  record: async ({ accountId, action, address, detail }, now) => {
    await prisma.auditEntry.create({
      data: { accountId, at: new Date(now), action, address, detail },
      select: { id: true },
    });
  },
  list: async ({ accountId }, { limit, offset }) => {
    const where = { accountId };
    const rows = await prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit, skip: offset });
    const entries = rows.map(({ id, at: time, action, address, detail }): AuditEntry => ({
      id: Number(id),
      at: time.getTime(),
      action,
      address,
      detail: detail as AuditEntry['detail'],
    }));
    return { entries, total: await prisma.auditEntry.count({ where }) };
  },
});

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
/** What each account may keep shorter than everyone; the partitions of everyone's retention are dropped elsewhere. */
const PRUNED: Record<string, string> = {
  samples: pruneTable('host_sample', 'ts', 'metrics_days'),
  rollups_5m: pruneTable('host_rollup_5m', 'ts', 'metrics_days'),
  rollups_1h: pruneTable('host_rollup_1h', 'ts', 'metrics_days'),
  fleet_rollups: `DELETE FROM fleet_rollup d USING retention_setting r
    WHERE d.account_id = r.account_id AND d.ts < ${at('$1')} - make_interval(days => r.metrics_days)`,
  events: pruneTable('activity_event', 'at', 'events_days'),
  processes: pruneTable('server_list_history', 'ts', 'processes_days'),
  alerts: pruneTable('alert', 'resolved_at', 'alerts_days'),
  kube_samples: pruneOfNodes('kube_sample'),
  kube_rollups: pruneOfNodes('kube_rollup_5m'),
  kube_events: pruneOfClusters('kube_event', 'last_at'),
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

/** Nodes first: that waits for what their agents are writing, and a later report finds no node to belong to. */
const DELETE_NODES = `DELETE FROM kube_node n USING cluster c WHERE n.cluster_key = c.key AND c.account_id = $1 RETURNING n.key`;
/** Without a foreign key, which every sample would pay for. */
const OF_NODES = ['kube_sample', 'kube_rollup_5m'];

const purgeNodes = async (client: PoolClient, accountId: string): Promise<void> => {
  await client.query(TIMEOUT);
  const { rows } = await client.query<{ key: number }>(DELETE_NODES, [accountId]);
  const keys = rows.map(({ key }) => key);
  for (const table of OF_NODES) await client.query(`DELETE FROM ${table} WHERE node_key = ANY($1)`, [keys]);
  const setAside = 'DELETE FROM rollup_set_aside WHERE subject_key = ANY($1) AND level = $2';
  await client.query(setAside, [keys, KUBERNETES_LEVEL]);
};

/** Deletes one server with all its rows; the servers' adapter brings it. */
type PurgeServer = (pool: Database['pool'], serverKey: number, now: number) => Promise<void>;

export const createAccountDeletion = ({ pool, prisma }: Database, purgeServer: PurgeServer): AccountLife => ({
  planDeletion: async ({ accountId }, time) => {
    const deletionAt = time === null ? null : new Date(time);
    await prisma.account.updateMany({ where: { id: accountId }, data: { deletionAt } });
  },
  deletionAt: async ({ accountId }) => {
    const row = await prisma.account.findUnique({ where: { id: accountId }, select: { deletionAt: true } });
    return row?.deletionAt?.getTime() ?? null;
  },
  delete: async ({ accountId }, now) => {
    const { rows } = await pool.query<{ key: number }>('SELECT key FROM server WHERE account_id = $1', [accountId]);
    // Server by server, so that no transaction grows with the account; a cut-off deletion is simply begun again.
    for (const { key } of rows) await purgeServer(pool, key, now);
    await inTransaction(pool, async (client) => {
      await purgeNodes(client, accountId);
      await client.query('DELETE FROM audit_log WHERE account_id = $1', [accountId]);
      await client.query('DELETE FROM account WHERE id = $1', [accountId]);
    });
  },
  listDue: async (now) => {
    const where = { deletionAt: { lte: new Date(now) } };
    return (await prisma.account.findMany({ where, select: { id: true } })).map(({ id }) => id);
  },
});
