import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { silentLogger } from './connection.ts';
import { migrate } from './migrate.ts';

const home = mkdtempSync('/tmp/plimsoll-migrations-');
afterAll(() => rmSync(home, { recursive: true }));
let folders = 0;
const migrations = (files: Record<string, string>): string => {
  const folder = join(home, String((folders += 1)));
  for (const [name, sql] of Object.entries(files)) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'migration.sql'), sql);
  }
  return folder;
};

describeEachPostgres('migrate', (db) => {
  /** A database of its own, empty. */
  const emptyDatabase = async (name: string) => {
    await db.sql(`CREATE DATABASE ${name} TEMPLATE template0`);
    return { ...db.connection(), database: name };
  };
  const drop = (name: string) => db.sql(`DROP DATABASE ${name} WITH (FORCE)`);

  it('applies what is pending, once, in order', async () => {
    const connection = await emptyDatabase('once');
    const folder = migrations({
      '2_b': 'INSERT INTO a VALUES (2)',
      '1_a': 'CREATE TABLE a (n int); INSERT INTO a VALUES (1)',
    });
    expect(await migrate(connection, silentLogger, folder)).toEqual(['1_a', '2_b']);
    expect(await migrate(connection, silentLogger, folder)).toEqual([]);
    await drop('once');
  });

  it('finds nothing to do where the whole history is applied', async () => {
    expect(await migrate(db.connection())).toEqual([]);
    const rows = await db.sql<{ checksum: string; finished: boolean }>(
      'SELECT checksum, finished_at IS NOT NULL AS finished FROM _prisma_migrations',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.checksum) && row.finished)).toBe(true);
  });

  it('leaves nothing of a migration that fails, and applies it once it is mended', async () => {
    const connection = await emptyDatabase('mended');
    const broken = migrations({ '1_a': 'CREATE TABLE a (n int); SELECT 1/0' });
    await expect(migrate(connection, silentLogger, broken)).rejects.toThrow(
      /1_a failed and was rolled back: division by zero/,
    );
    const mended = migrations({ '1_a': 'CREATE TABLE a (n int)' });
    expect(await migrate(connection, silentLogger, mended)).toEqual(['1_a']);
    await drop('mended');
  });

  it('lets one of several processes apply while the others wait', async () => {
    const connection = await emptyDatabase('together');
    const folder = migrations({
      '1_a': 'CREATE TABLE a (n int); SELECT pg_advisory_xact_lock(1)',
      '2_b': 'INSERT INTO a VALUES (1)',
    });
    // The first migration cannot end before both processes stand: one in it, the other at the door.
    const gate = new Client(connection);
    await gate.connect();
    await gate.query('SELECT pg_advisory_lock(1)');
    const waiting = async (): Promise<unknown> => {
      const { rows } =
        await gate.query(`SELECT count(*)::int AS n FROM pg_locks l JOIN pg_database d ON d.oid = l.database
        WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`);
      return rows[0];
    };
    const script = `import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)};
      const log = { info() {}, warn() {}, error() {} };
      console.log((await migrate(${JSON.stringify(connection)}, log, ${JSON.stringify(folder)})).length);`;
    const processes = [1, 2].map(async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [[output]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
      return String(output).trim();
    });
    await vi.waitFor(async () => expect(await waiting()).toEqual({ n: 2 }), { timeout: 60_000, interval: 20 });
    await gate.end();
    expect((await Promise.all(processes)).toSorted()).toEqual(['0', '2']);
    await drop('together');
  });

  it.each([
    ['started and never finished', 'UPDATE _prisma_migrations SET finished_at = NULL'],
    ['was changed after it was applied', "UPDATE _prisma_migrations SET checksum = 'x'"],
    ['a newer version of Plimsoll added', "UPDATE _prisma_migrations SET migration_name = '9_later'"],
  ])('refuses a history that %s', async (message, damage) => {
    const original = await db.sql('SELECT * FROM _prisma_migrations');
    await db.sql(damage);
    await expect(migrate(db.connection())).rejects.toThrow(message);
    await db.sql('DELETE FROM _prisma_migrations');
    for (const row of original) {
      await db.sql(`INSERT INTO _prisma_migrations SELECT * FROM json_populate_record(NULL::_prisma_migrations, $1)`, [
        JSON.stringify(row),
      ]);
    }
  });

  it('passes over a migration that was rolled back', async () => {
    await db.sql(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, rolled_back_at) VALUES ('x', 'y', '9_never', now())`,
    );
    expect(await migrate(db.connection())).toEqual([]);
  });
});
