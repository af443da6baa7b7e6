import { expect, test } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { silentLogger } from './connection.ts';
import { openDatabase } from './database.ts';
import { underLock } from './job-lock.ts';
import { SESSION_SETTINGS } from './session-settings.ts';

const LOCK = 4242;

describeEachPostgres('a session', (db) => {
  test('has every setting as it is written', async () => {
    const { pool } = openDatabase(db.connection(), silentLogger);
    for (const [name, value] of Object.entries(SESSION_SETTINGS))
      expect((await pool.query('SELECT current_setting($1) AS value', [name])).rows).toEqual([{ value }]);
    await pool.end();
  });

  test('that hangs in the transaction of a job loses its lock to another replica', async () => {
    const [hung, other] = [openDatabase(db.connection(), silentLogger), openDatabase(db.connection(), silentLogger)];
    const taken = Promise.withResolvers<null>();
    const over = Promise.withResolvers<null>();
    const job = underLock(
      hung.pool,
      LOCK,
    )(async (client) => {
      await client.query("SET LOCAL idle_in_transaction_session_timeout = '20ms'");
      taken.resolve(null);
      await over.promise;
      await client.query('SELECT 1');
    });
    await Promise.race([taken.promise, job]);
    await expect.poll(() => underLock(other.pool, LOCK)(() => Promise.resolve('ran'))).toBe('ran');
    over.resolve(null);
    await expect(job).rejects.toThrow(/connection|terminat/i);
    await Promise.all([hung.pool.end(), other.pool.end()]);
  });
});
