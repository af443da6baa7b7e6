import type { Pool, PoolClient } from 'pg';
import { inTransaction } from './database.ts';

/** A job may take longer than a query, but it must not make queries wait for its locks. */
const LIMITS = ["SET LOCAL statement_timeout = '60s'", "SET LOCAL lock_timeout = '2s'"];

/**
 * Runs work in a transaction that holds `lock`. Returns null without running it while another replica holds the lock.
 */
export const underLock =
  (pool: Pool, lock: number) =>
  <T>(work: (client: PoolClient) => Promise<T>): Promise<T | null> =>
    inTransaction(
      pool,
      async (client, opened) => {
        const locked: { taken: boolean }[] = opened.at(-1)?.rows ?? [];
        return locked[0]?.taken === true ? work(client) : null;
      },
      [...LIMITS, `SELECT pg_try_advisory_xact_lock(${String(lock)}) AS taken`],
    );
