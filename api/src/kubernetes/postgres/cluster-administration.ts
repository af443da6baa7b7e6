// SQL deletes a cluster: its rows are in many tables, some of them without a foreign key.
import type { PoolClient } from 'pg';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { KUBERNETES_LEVEL } from '../../database/set-aside.ts';
import type { ClusterAdministration } from '../store.ts';

/** Deleting years of samples takes longer than a query may. */
const TIMEOUT = "SET LOCAL statement_timeout = '120s'";

const LOCK = `SELECT c.key AS "clusterKey", c.name, c.reported_name AS "reportedName", c.is_renamed AS "isRenamed",
    (SELECT count(*)::int FROM kube_node n WHERE n.cluster_key = c.key AND n.gone_at IS NULL) AS nodes,
    (SELECT count(*)::int FROM alert a WHERE a.cluster_key = c.key AND a.resolved_at IS NULL) AS "openAlerts",
    (SELECT count(*)::int FROM cluster_token t WHERE t.cluster_key = c.key) AS tokens
  FROM cluster c WHERE c.organisation_id = $1 AND c.uid = $2 FOR UPDATE OF c`;
const RENAME = `UPDATE cluster SET name = COALESCE($2, reported_name), is_renamed = $2::text IS NOT NULL WHERE key = $1
  RETURNING name`;
const NODE_SERVERS = `SELECT s.key FROM kube_node n JOIN server s ON s.id = n.server_id
  JOIN cluster c ON c.key = n.cluster_key AND c.organisation_id = s.organisation_id WHERE c.key = $1 ORDER BY s.key`;
const DELETE_NODES = 'DELETE FROM kube_node WHERE cluster_key = $1 RETURNING key';
/** Without a foreign key, which every sample would pay for. */
const OF_NODES = ['kube_sample', 'kube_rollup_5m'];

/** Nodes before the cluster: that waits for what their agents write, and a later report finds no node to belong to. */
async function deleteRows(client: PoolClient, clusterKey: number): Promise<void> {
  const { rows } = await client.query<{ key: number }>(DELETE_NODES, [clusterKey]);
  const keys = rows.map(({ key }) => key);
  for (const table of OF_NODES) await client.query(`DELETE FROM ${table} WHERE node_key = ANY($1)`, [keys]);
  await client.query('DELETE FROM rollup_set_aside WHERE subject_key = ANY($1) AND level = $2', [
    keys,
    KUBERNETES_LEVEL,
  ]);
  await client.query('DELETE FROM cluster_token WHERE cluster_key = $1', [clusterKey]);
  await client.query('DELETE FROM cluster WHERE key = $1', [clusterKey]);
}

export const createClusterAdministration = ({ pool }: Database): ClusterAdministration => ({
  lock: async ({ organisationId }, clusterId) => {
    type Row = NonNullable<Awaited<ReturnType<ClusterAdministration['lock']>>>;
    return (await pool.query<Row>(LOCK, [organisationId, clusterId])).rows[0] ?? null;
  },
  rename: async (clusterKey, name) =>
    (await pool.query<{ name: string | null }>(RENAME, [clusterKey, name])).rows[0]?.name ?? null,
  serverKeys: async (clusterKey) =>
    (await pool.query<{ key: number }>(NODE_SERVERS, [clusterKey])).rows.map(({ key }) => key),
  remove: (clusterKey) =>
    inTransaction(pool, async (client) => {
      await client.query(TIMEOUT);
      await deleteRows(client, clusterKey);
    }),
});
