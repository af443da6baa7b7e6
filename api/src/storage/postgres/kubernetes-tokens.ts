import type { ClusterAgent, ClusterTokens } from '../kubernetes-ports.ts';
import { isUuid } from './database.ts';
import type { Database } from './database.ts';

interface TokenRow {
  id: string;
  name: string | null;
  last_four: string;
  cluster_id: string | null;
  cluster_name: string | null;
  created_at: Date;
  last_used_at: Date | null;
}
const LIST = `SELECT t.id, t.name, t.last_four, c.uid AS cluster_id, c.name AS cluster_name, t.created_at, t.last_used_at
  FROM cluster_token t LEFT JOIN cluster c ON c.key = t.cluster_key
  WHERE t.account_id = $1 ORDER BY t.created_at DESC, t.id`;
const FIND = `SELECT id AS "tokenId", account_id AS "accountId", cluster_key AS "clusterKey", last_used_at AS "lastUsedAt"
  FROM cluster_token WHERE token_hash = $1`;
/** "Last used" to the minute is enough; a write per request is not. */
const TOUCH_AFTER_MS = 60_000;

export const clusterTokensOn = ({ pool }: Database): ClusterTokens => ({
  create: async ({ owner, tokenHash, name, lastFour }, now) => {
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO cluster_token (account_id, token_hash, name, last_four, created_at)
         VALUES (COALESCE($1, (SELECT id FROM account ORDER BY created_at, id LIMIT 1)), $2, $3, $4,
           to_timestamp($5 / 1000.0)) RETURNING id`,
      [owner?.accountId ?? null, tokenHash, name, lastFour, now],
    );
    return { id: rows[0]?.id ?? '' };
  },
  list: async (owner) => {
    const { rows } = await pool.query<TokenRow>(LIST, [owner.accountId]);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      lastFour: row.last_four,
      clusterId: row.cluster_id,
      clusterName: row.cluster_name,
      createdAt: row.created_at.getTime(),
      lastUsedAt: row.last_used_at?.getTime() ?? null,
    }));
  },
  revoke: async (owner, id) => {
    if (!isUuid(id)) return false;
    const { rowCount } = await pool.query('DELETE FROM cluster_token WHERE account_id = $1 AND id = $2', [
      owner.accountId,
      id,
    ]);
    return rowCount === 1;
  },
  find: async (tokenHash, now) => {
    const { rows } = await pool.query<ClusterAgent & { lastUsedAt: Date | null }>({
      name: 'cluster_token',
      text: FIND,
      values: [tokenHash],
    });
    const found = rows[0];
    if (!found) return null;
    const { lastUsedAt, ...agent } = found;
    if (now - (lastUsedAt?.getTime() ?? 0) > TOUCH_AFTER_MS)
      await pool.query('UPDATE cluster_token SET last_used_at = to_timestamp($2 / 1000.0) WHERE id = $1', [
        agent.tokenId,
        now,
      ]);
    return agent;
  },
});
