import type { ApiToken, ApiTokens, TokenScope } from '../identity-ports.ts';
import { isUuid } from './database.ts';
import type { Database } from './database.ts';
import { milliseconds as ms, timestamp as at } from './time.ts';

interface Row {
  id: string;
  name: string;
  last_four: string;
  scopes: TokenScope[];
  created: number;
  used: number | null;
}
const COLUMNS = `id, name, last_four, scopes, ${ms('created_at')} AS created, ${ms('last_used_at')} AS used`;
const tokenOf = (row: Row): ApiToken => ({
  id: row.id,
  name: row.name,
  lastFour: row.last_four,
  scopes: row.scopes,
  createdAt: row.created,
  lastUsedAt: row.used,
});

const REPLACE = `WITH old AS (SELECT 1 FROM api_token WHERE account_id = $1 AND name = $2)
  INSERT INTO api_token AS t (account_id, name, token_hash, last_four, scopes, created_at)
  VALUES ($1, $2, $3, $4, $5, ${at('$6')})
  ON CONFLICT (account_id, name) DO UPDATE SET id = gen_random_uuid(), token_hash = excluded.token_hash,
    last_four = excluded.last_four, scopes = excluded.scopes, created_at = excluded.created_at, last_used_at = NULL
  RETURNING ${COLUMNS}, EXISTS (SELECT FROM old) AS replaced`;
const FIND = `SELECT t.id, t.account_id, t.scopes, ${ms('t.last_used_at')} AS used
  FROM api_token t JOIN account a ON a.id = t.account_id WHERE t.token_hash = $1 AND a.is_active`;
const MINUTE_MS = 60_000;

export const apiTokensOn = ({ pool }: Database): ApiTokens => ({
  replace: async ({ accountId }, { name, tokenHash, lastFour, scopes }, now) => {
    const values = [accountId, name, tokenHash, lastFour, scopes, now];
    const { rows } = await pool.query<Row & { replaced: boolean }>(REPLACE, values);
    const row = rows[0];
    if (!row) throw new Error('the token just written is gone');
    return { token: tokenOf(row), replaced: row.replaced };
  },
  find: async (tokenHash, now) => {
    const { rows } = await pool.query<{ id: string; account_id: string; scopes: TokenScope[]; used: number | null }>(
      FIND,
      [tokenHash],
    );
    const row = rows[0];
    if (!row) return null;
    // Once a minute is exact enough to see whether a token is still in use, and spares a write per call.
    if (row.used === null || now - row.used >= MINUTE_MS)
      await pool.query(`UPDATE api_token SET last_used_at = ${at('$2')} WHERE id = $1`, [row.id, now]);
    return { id: row.id, accountId: row.account_id, scopes: row.scopes };
  },
  list: async ({ accountId }) => {
    const text = `SELECT ${COLUMNS} FROM api_token WHERE account_id = $1 ORDER BY created_at`;
    return (await pool.query<Row>(text, [accountId])).rows.map(tokenOf);
  },
  revoke: async ({ accountId }, id) => {
    if (!isUuid(id)) return false;
    const { rowCount } = await pool.query('DELETE FROM api_token WHERE account_id = $1 AND id = $2', [accountId, id]);
    return rowCount === 1;
  },
});
