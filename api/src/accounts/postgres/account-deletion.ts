// SQL removes an account's rows: the deletions span many tables in one transaction.
import type { PoolClient } from 'pg';
import type { AccountDeletion } from '../store.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { KUBERNETES_LEVEL } from '../../database/set-aside.ts';

/** Deleting years of rows takes longer than a query may. */
const TIMEOUT = "SET LOCAL statement_timeout = '120s'";

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

export const createAccountDeletion = ({ pool, prisma }: Database, purgeServer: PurgeServer): AccountDeletion => ({
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
