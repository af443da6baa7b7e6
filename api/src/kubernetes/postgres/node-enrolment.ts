// SQL enrols a node: its server, its token and its mark are one transaction.
import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import { inTransaction } from '../../database/database.ts';
import { milliseconds } from '../../database/time.ts';
import type { RunningNode } from '../same-node.ts';
import type { ClusterReports } from '../store.ts';

const FIND_NODE = `SELECT n.key, n.server_id, n.uid FROM kube_node n WHERE n.cluster_key = $1 AND n.name = $2 AND n.gone_at IS NULL
  ORDER BY n.first_seen_at DESC LIMIT 1`;
const FIND_RUNNING = `SELECT n.object->>'boot_id' AS "bootId",
    ${milliseconds('(SELECT max(r.last_received_at) FROM report_stream r WHERE r.server_key = s.key)')} AS "heardAt"
  FROM kube_node n LEFT JOIN server s ON s.id = n.server_id
  WHERE n.cluster_key = $1 AND n.name = $2 AND n.gone_at IS NULL ORDER BY n.first_seen_at DESC LIMIT 1`;
const UPSERT_SERVER = `INSERT INTO server (id, organisation_id, machine_hash, hostname, created_at, is_kubernetes_node)
  SELECT $1, c.organisation_id, $2, $3, to_timestamp($4 / 1000.0), true FROM cluster c WHERE c.key = $5
  ON CONFLICT (id) DO UPDATE SET hostname = excluded.hostname, uninstalled_at = NULL, is_kubernetes_node = true
  RETURNING key`;

export const createNodeEnrolment = (pool: Pool): Pick<ClusterReports, 'findRunningNode' | 'enrolNode'> => ({
  findRunningNode: async ({ clusterKey }, name) => {
    const { rows } = await pool.query<RunningNode>(FIND_RUNNING, [clusterKey, name]);
    return rows[0] ?? null;
  },
  enrolNode: (agent, node, now) =>
    inTransaction(pool, async (client) => {
      const found = await client.query<{ key: number; server_id: string; uid: string }>(FIND_NODE, [
        agent.clusterKey,
        node.name,
      ]);
      const known = found.rows[0];
      if (!known) return null;
      const machine = createHash('sha256').update(`plimsoll node ${known.server_id}`).digest();
      const { rows } = await client.query<{ key: number }>(UPSERT_SERVER, [
        known.server_id,
        machine,
        node.hostname,
        now,
        agent.clusterKey,
      ]);
      const serverKey = rows[0]?.key;
      await client.query('DELETE FROM agent_token WHERE server_key = $1', [serverKey]);
      await client.query(
        'INSERT INTO agent_token (token_hash, server_key, created_at) VALUES ($1, $2, to_timestamp($3 / 1000.0))',
        [node.tokenHash, serverKey, now],
      );
      await client.query(
        `UPDATE kube_node SET cluster_token_id = $2, enrolled_at = COALESCE(enrolled_at, to_timestamp($3 / 1000.0))
           WHERE key = $1`,
        [known.key, agent.tokenId, now],
      );
      return { serverId: known.server_id };
    }),
});
