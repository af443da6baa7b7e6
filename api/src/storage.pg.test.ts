import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeEachPostgres } from './testing/postgres.ts';
import { silentLogger } from './database/connection.ts';
import { openDatabase } from './database/database.ts';
import { createPostgresStorage } from './postgres-storage.ts';

describeEachPostgres('storage', (db) => {
  it('has every table and column the generated client asks for', async () => {
    const { prisma, pool } = openDatabase(db.connection(), silentLogger, { poolSize: 2 });
    const models = [
      prisma.account,
      prisma.session,
      prisma.signInCode,
      prisma.enrolmentToken,
      prisma.server,
      prisma.agentToken,
    ] as { findFirst(): Promise<unknown> }[];
    expect(await Promise.all(models.map((model) => model.findFirst()))).toEqual(models.map(() => null));
    await prisma.$disconnect();
    await pool.end();
  });

  it('reads the time of PostgreSQL', async () => {
    const storage = createPostgresStorage({ connection: db.connection() });
    const read = async (): Promise<number> =>
      (await db.sql<{ now: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now'))[0]?.now ??
      0;
    const [before, time, after] = [await read(), await storage.time(), await read()];
    expect([before, time, after].toSorted((a, b) => a - b)).toEqual([before, time, after]);
    await storage.close();
  });

  it('comes back by itself after its connections were cut', async () => {
    const storage = createPostgresStorage({ connection: { ...db.connection() } });
    // A ping gives up after a second, which a busy machine may need for a new connection.
    const isUp = () =>
      expect
        .poll(
          () =>
            storage.ping().then(
              () => 'up',
              () => 'down',
            ),
          { timeout: 30_000 },
        )
        .toBe('up');
    await isUp();
    await db.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'plimsoll'",
    );
    await isUp();
    await storage.close();
  });
});

it('gives up a ping after a second when the server accepts and says nothing', async () => {
  const folder = mkdtempSync('/tmp/plimsoll-mute-');
  const mute = createServer().listen(join(folder, '.s.PGSQL.5432'));
  await once(mute, 'listening');
  const storage = createPostgresStorage({ connection: { host: folder, port: 5432, user: 'x', database: 'x' } });
  const begun = performance.now();
  await expect(storage.ping()).rejects.toThrow(/no answer within 1000 ms/);
  expect(performance.now() - begun).toBeGreaterThan(990);
  mute.close();
  rmSync(folder, { recursive: true });
});

it('says at once that there is no server', async () => {
  const storage = createPostgresStorage({ connection: { host: '/nonexistent', port: 5432, user: 'x', database: 'x' } });
  await expect(storage.ping()).rejects.toMatchObject({ code: 'ENOENT' });
  await storage.close();
});
