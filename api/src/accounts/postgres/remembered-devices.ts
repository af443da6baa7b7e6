import type { RememberedDevices } from '../store.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import { timestamp as at } from '../../database/time.ts';
import type { PersonId } from '../../tenancy/ids.ts';

const INSERT = `INSERT INTO remembered_device (device_hash, account_id, created_at, expires_at)
  VALUES ($1, $2, ${at('$3')}, ${at('$4')})`;
/** The row just inserted is in the newest. */
const TRIM = `DELETE FROM remembered_device WHERE account_id = $1 AND (expires_at <= ${at('$2')} OR device_hash NOT IN
  (SELECT device_hash FROM remembered_device WHERE account_id = $1 ORDER BY created_at DESC, device_hash LIMIT $3))`;

export const createRememberedDeviceStore = ({ pool }: Database): RememberedDevices => ({
  create: ({ deviceHash, personId, expiresAt }, most, now) =>
    inTransaction(pool, async (client) => {
      await client.query(INSERT, [deviceHash, personId, now, expiresAt]);
      await client.query(TRIM, [personId, now, most]);
    }),
  find: async (deviceHash, now) => {
    const text = `SELECT account_id FROM remembered_device WHERE device_hash = $1 AND expires_at > ${at('$2')}`;
    const { rows } = await pool.query<{ account_id: PersonId }>(text, [deviceHash, now]);
    return rows[0]?.account_id ?? null;
  },
  forget: async (personId, except) => {
    const text = 'DELETE FROM remembered_device WHERE account_id = $1 AND device_hash IS DISTINCT FROM $2';
    await pool.query(text, [personId, except]);
  },
});
