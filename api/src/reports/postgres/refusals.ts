// SQL counts a refusal as a sign of life of the server's newest stream in the same statement.
import { timestamp as at } from '../../database/time.ts';
import type { Database } from '../../database/database.ts';
import type { Refusals } from '../store.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

/**
 * $1 server key  $2 now, ms  $3 code  $4 detail. A server that talks is not offline, also if no stream of the request can
 * be read. `xmax = 0`: the row is new.
 */
const RECORD = `WITH heard AS (
    UPDATE report_stream SET last_received_at = GREATEST(last_received_at, ${at('$2')})
    WHERE key = (SELECT key FROM report_stream WHERE server_key = $1 ORDER BY last_received_at DESC LIMIT 1)
  ), refused AS (
    INSERT INTO report_refusal AS f (server_key, since, last_at, code, detail)
    SELECT key, ${at('$2')}, ${at('$2')}, $3, $4 FROM server WHERE key = $1
    ON CONFLICT (server_key) DO UPDATE SET last_at = GREATEST(f.last_at, excluded.last_at), code = excluded.code,
      detail = excluded.detail
    RETURNING server_key, xmax = 0 AS is_new
  )
  SELECT s.organisation_id AS "organisationId" FROM refused JOIN server s ON s.key = refused.server_key WHERE is_new`;

export const createRefusalStore = ({ pool }: Database): Refusals => ({
  record: async ({ serverKey }, { code, detail }, now) => {
    const { rows } = await pool.query<{ organisationId: OrganisationId | null }>(RECORD, [
      serverKey,
      now,
      code,
      detail,
    ]);
    return rows[0] ?? null;
  },
  end: async (serverKey) => {
    await pool.query('DELETE FROM report_refusal WHERE server_key = $1', [serverKey]);
  },
});
