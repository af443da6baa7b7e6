import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { batchOf, enrolledAgent, itemOf, newAccount } from '../../testing/batches.ts';
import { fullCluster } from '../../testing/full-cluster.ts';
import { describeEachPostgres, type TestDatabase } from '../../testing/postgres.ts';
import type { Connection } from '../connection.ts';
import { silentLogger } from '../connection.ts';
import { migrate, MIGRATIONS_DIRECTORY } from '../migrate.ts';
import { checkBackup, restoreBackup, type RestoreOptions } from './restore-backup.ts';
import { digestTable, listSequences, listTables, SESSION } from './tables.ts';
import { type BackupOptions, writeBackupFile } from './write-backup.ts';

const home = mkdtempSync('/tmp/plimsoll-backup-');
afterAll(() => rmSync(home, { recursive: true }));
const PASSPHRASE = 'correct horse battery';
const HOSTILE = 'tab\there \\. \\N new\nline "quoted" \u2028 é 🚢';

const newFile = (): string => join(home, `${randomUUID()}.backup`);
const backup = (connection: Connection, file: string, options: Partial<BackupOptions> = {}) =>
  writeBackupFile(file, {
    connection,
    version: '0.1.0',
    now: Date.UTC(2026, 10, 24),
    passphrase: null,
    secretKey: null,
    secretKeyId: null,
    ...options,
  });
const restore = (connection: Connection, file: string, options: Partial<RestoreOptions> = {}) =>
  restoreBackup(createReadStream(file), { connection, passphrase: null, overwrite: false, ...options });

const withClient = async <T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ ...(connection as { host: string }), application_name: 'test' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
/** Rows, hash and order of everything that a backup must bring back. */
const contentOf = (connection: Connection) =>
  withClient(connection, async (client) => {
    await client.query(SESSION);
    const tables: Record<string, unknown> = {};
    for (const table of await listTables(client)) tables[table.table] = await digestTable(client, table);
    const history = await client.query('SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1');
    const objects = await client.query(
      `SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS object FROM pg_constraint
         WHERE connamespace = 'public'::regnamespace
       UNION ALL SELECT tgrelid::regclass::text || ' ' || tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
       UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
       UNION ALL SELECT viewname || definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1`,
    );
    return { tables, history: history.rows, objects: objects.rows, sequences: await listSequences(client) };
  });

describeEachPostgres('backup and restore', (db: TestDatabase) => {
  let agent: Awaited<ReturnType<typeof enrolledAgent>>;
  beforeAll(async () => {
    const storage = db.storage();
    await storage.maintenance.makePartitions(Date.now());
    await fullCluster(storage);
    const organisationId = await newAccount(storage);
    agent = await enrolledAgent(storage, organisationId, HOSTILE);
    const now = Date.now() - 3_600_000;
    const items = Array.from({ length: 50 }, (_, index) => itemOf(index + 1, now + index * 60_000));
    await storage.reports.accept(batchOf(agent, items));
    const detail = { text: HOSTILE };
    const by = { organisationId, person: null, token: null, address: null };
    await storage.tenancy.audit.record(by, 'password_changed', detail, Date.now());
  });
  const created: string[] = [];
  const emptyDatabase = async (): Promise<Connection> => {
    const name = `restored_${randomUUID().replaceAll('-', '')}`;
    await db.sql(`CREATE DATABASE ${name} TEMPLATE template0`);
    created.push(name);
    return { ...db.connection(), database: name };
  };
  afterAll(async () => {
    for (const name of created) await db.sql(`DROP DATABASE ${name} WITH (FORCE)`);
  });

  it.each([
    ['without encryption', null],
    ['encrypted', PASSPHRASE],
  ])('restores every row, key, index, trigger and sequence (%s)', async (_, passphrase) => {
    const file = newFile();
    const summary = await backup(db.connection(), file, { passphrase });
    const target = await emptyDatabase();
    const restored = await restore(target, file, { passphrase });
    expect(restored.rows).toBe(summary.rows);
    expect(summary.rows).toBeGreaterThan(100);
    const [before, after] = [await contentOf(db.connection()), await contentOf(target)];
    expect(after).toEqual(before);
    expect(readFileSync(file).includes('quoted')).toBe(false);
    expect(await checkBackup(createReadStream(file), passphrase)).toMatchObject({ rows: summary.rows });
  });

  it('takes one moment while rows are written', async () => {
    await db.sql('CREATE TABLE a_pair (n int PRIMARY KEY)');
    await db.sql('CREATE TABLE z_pair (n int PRIMARY KEY)');
    let written = 0;
    const state = { done: false };
    const writer = (async () => {
      await withClient(db.connection(), async (client) => {
        while (!state.done) {
          const row = (written += 1);
          await client.query(`WITH a AS (INSERT INTO a_pair VALUES (${row})) INSERT INTO z_pair VALUES (${row})`);
        }
      });
    })();
    const file = newFile();
    const writtenBefore = written;
    const target = await emptyDatabase();
    try {
      await backup(db.connection(), file);
    } finally {
      state.done = true;
      await writer;
      await db.sql('DROP TABLE a_pair, z_pair');
    }
    expect(written).toBeGreaterThan(writtenBefore);
    const { manifest } = await checkBackup(createReadStream(file), null);
    const pairs = manifest.tables.filter(({ table }) => table.endsWith('_pair'));
    expect(pairs).toHaveLength(2);
    expect(pairs[0]?.rows).toBe(pairs[1]?.rows);
    expect(pairs[0]?.rows).toBeLessThan(written);
    // The tables are no part of this version, so the file cannot be restored, and nothing is left of the attempt.
    await expect(restore(target, file)).rejects.toMatchObject({ code: 'damaged' });
    expect(await withClient(target, async (client) => (await listTables(client)).length)).toBe(0);
  });

  it('makes jobs that take locks skip their turn while it reads, and lets a start pass', async () => {
    const { maintenance } = db.storage();
    await db.sql('CREATE TABLE zz_gate (n int)');
    let running: Promise<unknown> = Promise.resolve();
    // The backup waits at this table, so what happens meanwhile happens while it reads.
    await withClient(db.connection(), async (holder) => {
      await holder.query('BEGIN; LOCK TABLE zz_gate IN ACCESS EXCLUSIVE MODE');
      running = backup(db.connection(), newFile());
      const waiting =
        "SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE c.relname = 'zz_gate' AND NOT l.granted";
      await vi.waitFor(async () => expect(await db.sql(waiting)).toHaveLength(1), { timeout: 30_000, interval: 20 });
      expect(await maintenance.makePartitions(Date.now())).toBeNull();
      expect(await maintenance.prune(Date.now())).toBeNull();
      expect(await migrate(db.connection())).toEqual([]);
    });
    await running;
    await db.sql('DROP TABLE zz_gate');
    expect(await maintenance.makePartitions(Date.now())).not.toBeNull();
  });

  it('restores into a newer version and applies what came later', async () => {
    const own = join(home, `newer-${db.kind}`);
    mkdirSync(own);
    const names = readdirSync(MIGRATIONS_DIRECTORY, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of names) {
      mkdirSync(join(own, name));
      writeFileSync(join(own, name, 'migration.sql'), readFileSync(join(MIGRATIONS_DIRECTORY, name, 'migration.sql')));
    }
    mkdirSync(join(own, '29990101000000_later'));
    writeFileSync(
      join(own, '29990101000000_later', 'migration.sql'),
      'ALTER TABLE account ADD COLUMN later integer NOT NULL DEFAULT 7',
    );
    const file = newFile();
    await backup(db.connection(), file);
    const target = await emptyDatabase();
    await restore(target, file, { migrations: own });
    expect(await migrate(target, silentLogger, own)).toEqual(['29990101000000_later']);
    const rows = await withClient(target, async (client) => (await client.query('SELECT later FROM account')).rows);
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows.map(({ later: value }: { later: number }) => value))).toEqual(new Set([7]));
    // The backup of the newer version does not fit this one.
    const newer = newFile();
    await backup(target, newer);
    await expect(restore(await emptyDatabase(), newer)).rejects.toThrow(
      'needs its migration 29990101000000_later. Restore it with that version or a newer one.',
    );
  });

  it('replaces rows only when asked, and the tables of another program never', async () => {
    const file = newFile();
    await backup(db.connection(), file);
    const target = await emptyDatabase();
    await migrate(target);
    await restore(target, file);
    await withClient(target, (client) => client.query("UPDATE account SET name = 'changed'"));
    await expect(restore(target, file)).rejects.toMatchObject({ code: 'not_empty' });
    await restore(target, file, { overwrite: true });
    expect((await contentOf(target)).tables).toEqual((await contentOf(db.connection())).tables);
    const foreign = await emptyDatabase();
    await withClient(foreign, (client) => client.query('CREATE TABLE orders (id int)'));
    await expect(restore(foreign, file, { overwrite: true })).rejects.toThrow('tables of another program');
    await expect(backup(foreign, newFile())).rejects.toMatchObject({ code: 'not_ours' });
  });

  it('does not restore while Plimsoll runs on the database', async () => {
    const file = newFile();
    await backup(db.connection(), file);
    const target = await emptyDatabase();
    const running = new Client({ ...(target as { host: string }), application_name: 'plimsoll' });
    await running.connect();
    await expect(restore(target, file)).rejects.toMatchObject({ code: 'in_use' });
    await running.end();
  });

  describe('of a damaged file', () => {
    it.each([
      ['cut off', 'truncated', (file: string) => truncateSync(file, readFileSync(file).length - 2000)],
      [
        'with one changed bit',
        'damaged',
        (file: string) => {
          const bytes = readFileSync(file);
          bytes[bytes.length - 3000] = (bytes[bytes.length - 3000] ?? 0) ^ 4;
          writeFileSync(file, bytes);
        },
      ],
    ])('%s leaves the database as it was', async (_, code, damage) => {
      const file = newFile();
      await backup(db.connection(), file);
      const target = await emptyDatabase();
      await restore(target, file);
      const before = await contentOf(target);
      damage(file);
      await expect(restore(target, file, { overwrite: true })).rejects.toMatchObject({ code });
      await expect(checkBackup(createReadStream(file), null)).rejects.toMatchObject({ code });
      expect(await contentOf(target)).toEqual(before);
    });
  });

  it('leaves no file behind where the database goes away', async () => {
    const file = newFile();
    const cut = backup(db.connection(), file, {
      progress: {
        piece: () => {},
        table: ({ table }) => {
          if (table !== 'account') return;
          void db.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'plimsoll-backup' AND datname = current_database()",
          );
        },
      },
    });
    await expect(cut).rejects.toThrow(/terminat|connection/i);
    expect(readdirSync(home).filter((name) => file.endsWith(name) || name.endsWith('.part'))).toEqual([]);
  });
});
