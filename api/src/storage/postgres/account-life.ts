import type { PoolClient } from 'pg';
import type { AccountLife, AuditEntry, AuditLog, Retention, RetentionSettings } from '../identity-ports.ts';
import { inTransaction } from './database.ts';
import type { Database } from './database.ts';
import { KUBERNETES_LEVEL } from './set-aside.ts';
import { milliseconds as ms, timestamp as at } from './time.ts';
import { purgeServer } from './servers.ts';

interface AuditRow {
  id: string;
  at: number;
  action: string;
  address: string | null;
  detail: Record<string, string>;
}
const entryOf = (row: AuditRow): AuditEntry => ({ ...row, id: Number(row.id) });

export const auditLogOn = ({ pool }: Database): AuditLog => ({
  record: async ({ accountId, action, address, detail }, now) => {
    const text = `INSERT INTO audit_log (account_id, at, action, address, detail) VALUES ($1, ${at('$2')}, $3, $4, $5)`;
    await pool.query(text, [accountId, now, action, address, JSON.stringify(detail)]);
  },
  list: async ({ accountId }, { limit, offset }) => {
    const text = `SELECT id, ${ms('at')} AS at, action, address, detail FROM audit_log WHERE account_id = $1
      ORDER BY id DESC LIMIT $2 OFFSET $3`;
    const { rows } = await pool.query<AuditRow>(text, [accountId, limit, offset]);
    const count = 'SELECT count(*)::integer AS total FROM audit_log WHERE account_id = $1';
    const counted = await pool.query<{ total: number }>(count, [accountId]);
    return { entries: rows.map(entryOf), total: counted.rows[0]?.total ?? 0 };
  },
});

/** Deleting years of rows takes longer than a query may. */
const TIMEOUT = "SET LOCAL statement_timeout = '120s'";

const PUT = `INSERT INTO retention_setting (account_id, metrics_days, alerts_days, events_days, processes_days)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id) DO UPDATE SET metrics_days = excluded.metrics_days,
    alerts_days = excluded.alerts_days, events_days = excluded.events_days, processes_days = excluded.processes_days`;
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

export const retentionOn = ({ pool }: Database): RetentionSettings => ({
  get: async ({ accountId }) => {
    const text = `SELECT metrics_days AS metrics, alerts_days AS alerts, events_days AS events, processes_days AS processes
      FROM retention_setting WHERE account_id = $1`;
    return (await pool.query<Retention>(text, [accountId])).rows[0] ?? null;
  },
  put: async ({ accountId }, { metrics, alerts, events, processes }) => {
    await pool.query(PUT, [accountId, metrics, alerts, events, processes]);
  },
  reset: async ({ accountId }) => {
    await pool.query('DELETE FROM retention_setting WHERE account_id = $1', [accountId]);
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

export const accountLifeOn = ({ pool }: Database): AccountLife => ({
  planDeletion: async ({ accountId }, time) => {
    await pool.query(`UPDATE account SET deletion_at = ${at('$2')} WHERE id = $1`, [accountId, time]);
  },
  deletionAt: async ({ accountId }) => {
    const text = `SELECT ${ms('deletion_at')} AS at FROM account WHERE id = $1`;
    return (await pool.query<{ at: number | null }>(text, [accountId])).rows[0]?.at ?? null;
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
    const text = `SELECT id FROM account WHERE deletion_at <= ${at('$1')}`;
    return (await pool.query<{ id: string }>(text, [now])).rows.map(({ id }) => id);
  },
});
