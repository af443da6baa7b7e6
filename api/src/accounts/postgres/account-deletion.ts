// SQL removes an account's rows: the deletions span many tables in one transaction.
import type { PoolClient } from 'pg';
import type { AccountDeletion } from '../store.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { KUBERNETES_LEVEL } from '../../database/set-aside.ts';
import { type OrganisationId, ownOrganisationOf, personIdOf } from '../../tenancy/ids.ts';

/** Deleting years of rows takes longer than a query may. */
const TIMEOUT = "SET LOCAL statement_timeout = '120s'";

/** Nodes first: that waits for what their agents are writing, and a later report finds no node to belong to. */
const DELETE_NODES = `DELETE FROM kube_node n USING cluster c WHERE n.cluster_key = c.key AND c.organisation_id = $1 RETURNING n.key`;
/** Without a foreign key, which every sample would pay for. */
const OF_NODES = ['kube_sample', 'kube_rollup_5m'];

const purgeNodes = async (client: PoolClient, organisationId: OrganisationId): Promise<void> => {
  await client.query(TIMEOUT);
  const { rows } = await client.query<{ key: number }>(DELETE_NODES, [organisationId]);
  const keys = rows.map(({ key }) => key);
  for (const table of OF_NODES) await client.query(`DELETE FROM ${table} WHERE node_key = ANY($1)`, [keys]);
  const setAside = 'DELETE FROM rollup_set_aside WHERE subject_key = ANY($1) AND level = $2';
  await client.query(setAside, [keys, KUBERNETES_LEVEL]);
};

/** Entries about the person stay in the logs of other organisations, without the name. */
const FORGET_NAME = `UPDATE audit_log SET person_name = 'deleted account' WHERE person_id = $1`;

export const createAccountDeletion = ({ pool, prisma }: Database): AccountDeletion => ({
  planDeletion: async (personId, time) => {
    const deletionAt = time === null ? null : new Date(time);
    await prisma.account.updateMany({ where: { id: personId }, data: { deletionAt } });
  },
  deletionAt: async (personId) => {
    const row = await prisma.account.findUnique({ where: { id: personId }, select: { deletionAt: true } });
    return row?.deletionAt?.getTime() ?? null;
  },
  serverKeys: async (personId) => {
    const { rows } = await pool.query<{ key: number }>('SELECT key FROM server WHERE organisation_id = $1', [
      ownOrganisationOf(personId),
    ]);
    return rows.map(({ key }) => key);
  },
  delete: async (personId) => {
    const organisationId = ownOrganisationOf(personId);
    await inTransaction(pool, async (client) => {
      await purgeNodes(client, organisationId);
      // Without a foreign key, which every result would pay for.
      await client.query('DELETE FROM check_result WHERE organisation_id = $1', [organisationId]);
      await client.query('DELETE FROM audit_log WHERE organisation_id = $1', [organisationId]);
      await client.query(FORGET_NAME, [personId]);
      await client.query('DELETE FROM account WHERE id = $1', [personId]);
    });
  },
  listDue: async (now) => {
    const where = { deletionAt: { lte: new Date(now) } };
    return (await prisma.account.findMany({ where, select: { id: true } })).map(({ id }) => personIdOf(id));
  },
});
