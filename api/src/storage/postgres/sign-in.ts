import type {
  Identities,
  SecondFactors,
  SessionList,
  SessionRecord,
  SignInFlows,
  Provider,
} from '../identity-ports.ts';
import { isUuid } from './database.ts';
import type { Database } from './database.ts';
import { milliseconds as ms, timestamp as at } from './time.ts';

interface SessionRow {
  id: string;
  created: number;
  expires: number;
  user_agent: string | null;
  address: string | null;
}
const LIST_SESSIONS = `SELECT id, ${ms('created_at')} AS created, ${ms('expires_at')} AS expires, user_agent, address
  FROM session WHERE account_id = $1 AND expires_at > ${at('$2')} ORDER BY created_at DESC`;

export const sessionListOn = ({ pool }: Database): SessionList => ({
  list: async ({ accountId }, now) =>
    (await pool.query<SessionRow>(LIST_SESSIONS, [accountId, now])).rows.map((row): SessionRecord => ({
      id: row.id,
      createdAt: row.created,
      expiresAt: row.expires,
      userAgent: row.user_agent,
      address: row.address,
    })),
  describe: async (tokenHash, { userAgent, address, method }) => {
    const text = 'UPDATE session SET user_agent = $2, address = $3, method = $4 WHERE token_hash = $1';
    await pool.query(text, [tokenHash, userAgent, address, method]);
  },
  revoke: async ({ accountId }, id) => {
    if (!isUuid(id)) return false;
    const { rowCount } = await pool.query('DELETE FROM session WHERE account_id = $1 AND id = $2', [accountId, id]);
    return rowCount === 1;
  },
});

interface FlowRow {
  provider: Provider;
  verifier: string;
  nonce: string;
  binding_hash: Buffer;
}
const CREATE_FLOW = `INSERT INTO sign_in_flow (state_hash, provider, verifier, nonce, binding_hash, expires_at)
  VALUES ($1, $2, $3, $4, $5, ${at('$6')})`;
/** Expired ones go along: nobody else clears them. */
const CONSUME_FLOW = `WITH gone AS (DELETE FROM sign_in_flow WHERE state_hash = $1 OR expires_at <= ${at('$2')} RETURNING *)
  SELECT provider, verifier, nonce, binding_hash FROM gone WHERE state_hash = $1 AND expires_at > ${at('$2')}`;

export const signInFlowsOn = ({ pool }: Database): SignInFlows => ({
  create: async (stateHash, { provider, verifier, nonce, bindingHash, expiresAt }) => {
    await pool.query(CREATE_FLOW, [stateHash, provider, verifier, nonce, bindingHash, expiresAt]);
  },
  consume: async (stateHash, now) => {
    const { rows } = await pool.query<FlowRow>(CONSUME_FLOW, [stateHash, now]);
    const row = rows[0];
    if (!row) return null;
    return { provider: row.provider, verifier: row.verifier, nonce: row.nonce, bindingHash: row.binding_hash };
  },
});

export const identitiesOn = ({ pool }: Database): Identities => ({
  find: async (provider, subject) => {
    const text = 'SELECT account_id FROM sign_in_identity WHERE provider = $1 AND subject = $2';
    const { rows } = await pool.query<{ account_id: string }>(text, [provider, subject]);
    return rows[0]?.account_id ?? null;
  },
  link: async ({ provider, subject, accountId }, now) => {
    const text = `INSERT INTO sign_in_identity (provider, subject, account_id, created_at) VALUES ($1, $2, $3, ${at('$4')})`;
    await pool.query(text, [provider, subject, accountId, now]);
  },
  describe: async (accountId, { name, avatarUrl, githubUsername }) => {
    const text = `UPDATE account SET name = $2, avatar_url = $3, github_username = COALESCE($4, github_username) WHERE id = $1`;
    await pool.query(text, [accountId, name, avatarUrl, githubUsername ?? null]);
  },
});

const SETTLE = `UPDATE account SET totp_last_step = $2, totp_confirmed_at = COALESCE(totp_confirmed_at, ${at('$3')})
  WHERE id = $1 AND totp_secret IS NOT NULL AND COALESCE(totp_last_step, 0) < $2`;
const CLEAR = 'totp_confirmed_at = NULL, totp_last_step = NULL';

export const secondFactorsOn = ({ pool }: Database): SecondFactors => ({
  get: async (accountId) => {
    const text = 'SELECT totp_secret, totp_confirmed_at IS NOT NULL AS confirmed FROM account WHERE id = $1';
    const { rows } = await pool.query<{ totp_secret: Buffer | null; confirmed: boolean }>(text, [accountId]);
    return { secret: rows[0]?.totp_secret ?? null, confirmed: rows[0]?.confirmed ?? false };
  },
  begin: async (accountId, secret) => {
    await pool.query(`UPDATE account SET totp_secret = $2, ${CLEAR} WHERE id = $1`, [accountId, secret]);
  },
  settle: async (accountId, step, now) => (await pool.query(SETTLE, [accountId, step, now])).rowCount === 1,
  remove: async (accountId) => {
    await pool.query(`UPDATE account SET totp_secret = NULL, ${CLEAR} WHERE id = $1`, [accountId]);
  },
});
