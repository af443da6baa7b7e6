// SQL takes from a rate in one statement, so that replicas cannot take the same try.
import type { Pool } from 'pg';
import type { RateLimits } from './store.ts';
import { milliseconds as ms, timestamp as at } from './time.ts';

/**
 * $1 key  $2 now, ms  $3 ms between two tries  $4 ms in which the burst refills. A try moves the time at which the burst
 * is whole by $3. A try that would move it further than $4 from now is refused. Refused tries change nothing.
 */
const TAKE = `WITH taken AS (INSERT INTO rate_limit AS r (key, full_at) VALUES ($1, ${at('($2::float8 + $3::float8)')})
    ON CONFLICT (key) DO UPDATE SET full_at = GREATEST(r.full_at, ${at('$2')}) + $3::float8 * interval '1 millisecond'
    WHERE GREATEST(r.full_at, ${at('$2')}) + $3::float8 * interval '1 millisecond' <= ${at('($2::float8 + $4::float8)')}
    RETURNING key)
  SELECT EXISTS (SELECT FROM taken) AS "isTaken",
    (SELECT ${ms('full_at')} FROM rate_limit WHERE key = $1) AS "fullAt"`;

export const createRateLimits = ({ pool }: { pool: Pool }): RateLimits => ({
  take: async (key, { spacingMs, burst }, now) => {
    const values = [key, now, spacingMs, spacingMs * burst];
    const { rows } = await pool.query<{ isTaken: boolean; fullAt: number | null }>(TAKE, values);
    const [row] = rows;
    if (row === undefined || row.isTaken) return null;
    // Null: another replica wrote the first row meanwhile, and took all.
    return Math.max(1, (row.fullAt ?? now + spacingMs * burst) + spacingMs - spacingMs * burst - now);
  },
});
