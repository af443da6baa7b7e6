/** Backup and restore as commands: exit codes, messages, the key of sealed secrets, and a kill at the worst moment. */
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readKeyFile } from '../accounts/secret-encryption.ts';
import { openEmbedded, startEmbedded } from '../database/embedded/start-embedded.ts';
import { migrate } from '../database/migrate.ts';
import { silentLogger } from '../database/connection.ts';
import { newAccount } from '../testing/batches.ts';
import { testStorage } from '../testing/postgres.ts';

const home = mkdtempSync('/tmp/plimsoll-cli-');
const db = testStorage();
const PASSPHRASE = 'correct horse battery';
const targets: string[] = [];
beforeAll(async () => {
  const organisationId = await newAccount(db.storage());
  // Random text, so that the file has many chunks and a kill meets the middle of it.
  await db.sql(
    `INSERT INTO audit_log (organisation_id, at, action, detail) SELECT $1, now(), 'x', json_build_object('a', sha512(random()::text::bytea))
     FROM generate_series(1, 20000)`,
    [organisationId],
  );
  readKeyFile(join(home, 'data'));
});
afterAll(async () => {
  for (const name of targets) await db.sql(`DROP DATABASE ${name} WITH (FORCE)`);
  rmSync(home, { recursive: true });
});

const urlOf = (name?: string): string => {
  const { host, user, database } = db.connection() as { host: string; user: string; database: string };
  return `postgresql://${user}@localhost/${name ?? database}?host=${encodeURIComponent(host)}`;
};
const newDatabase = async (): Promise<string> => {
  const name = `cli_${String(targets.length)}_${String(process.pid)}`;
  await db.sql(`CREATE DATABASE ${name} TEMPLATE template0`);
  targets.push(name);
  return name;
};
const begin = (command: string, args: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${command}.ts`), ...args], {
    env: { PATH: process.env['PATH'], PLIMSOLL_DATA_DIR: join(home, 'data'), DATABASE_URL: urlOf(), ...env },
  });
  const printed = { text: '' };
  child.stderr.on('data', (piece: Buffer) => (printed.text += piece.toString()));
  return { child, printed };
};
const run = async (command: string, args: string[], env: Record<string, string> = {}) => {
  const { child, printed } = begin(command, args, env);
  child.stdin.end();
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text: printed.text };
};
const kill = async (child: ChildProcessWithoutNullStreams): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'close');
};
const accountsOf = async (name: string): Promise<string[]> => {
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return (await client.query<{ name: string }>('SELECT name FROM account')).rows.map((row) => row.name);
  } finally {
    await client.end();
  }
};

test('an encrypted backup with the key, restored on an empty machine', async () => {
  const file = join(home, 'whole.backup');
  const env = { PLIMSOLL_BACKUP_PASSPHRASE: PASSPHRASE };
  const written = await run('backup', [file, '--include-secret-key'], env);
  expect(written.text).toMatch(/rows of \d+ tables, [\d.]+ MB in .*whole\.backup, encrypted/);
  expect(written.code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(join(home, 'data/secret.key'), 'utf8');
  expect(readFileSync(file, 'latin1')).not.toContain(key.trim());

  const name = await newDatabase();
  const place = { DATABASE_URL: urlOf(name), PLIMSOLL_DATA_DIR: join(home, 'other') };
  expect(await run('restore', [file], place)).toMatchObject({ code: 3, text: expect.stringContaining('is encrypted') });
  const wrong = { ...place, PLIMSOLL_BACKUP_PASSPHRASE: 'another passphrase' };
  expect(await run('restore', [file], wrong)).toMatchObject({ code: 3, text: expect.stringContaining('does not fit') });
  const restored = await run('restore', [file], { ...place, ...env });
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('restored: ') });
  expect(readFileSync(join(home, 'other/secret.key'), 'utf8').trim()).toBe(key.trim());
  expect(await accountsOf(name)).toEqual(['Ada']);
  expect(await run('restore', [file], { ...place, ...env })).toMatchObject({
    code: 4,
    text: expect.stringContaining('add --overwrite'),
  });
  expect(await run('restore', [file, '--check'], env)).toMatchObject({
    code: 0,
    text: expect.stringContaining('the backup is whole'),
  });
});

test('a backup without the key says what is missing, before and after', async () => {
  const file = join(home, 'plain.backup');
  expect((await run('backup', [file])).text).toContain('secret.key is not in the backup');
  const place = { DATABASE_URL: urlOf(await newDatabase()), PLIMSOLL_DATA_DIR: join(home, 'third') };
  expect((await run('restore', [file], place)).text).toContain('sealed with another secret.key: copy that file to');
});

test('wrong use ends with 2 and the remedy', async () => {
  const file = join(home, 'there.backup');
  writeFileSync(file, 'x');
  expect(await run('backup', [])).toMatchObject({ code: 2 });
  expect(await run('backup', [file])).toMatchObject({ code: 2, text: expect.stringContaining('exists. Choose') });
  expect(await run('backup', [join(home, 'n'), '--include-secret-key'])).toMatchObject({
    code: 2,
    text: expect.stringContaining('needs an encrypted backup'),
  });
  expect(await run('restore', [file])).toMatchObject({ code: 3, text: expect.stringContaining('not a backup') });
  expect(await run('restore', ['--help'])).toMatchObject({ code: 0 });
});

test('a folder gets a file named by the time and keeps the newest', async () => {
  const folder = join(home, 'daily');
  mkdirSync(folder);
  for (const day of ['20', '21', '22']) writeFileSync(join(folder, `plimsoll-2026-01-${day}T031500Z.backup`), '');
  writeFileSync(join(folder, 'notes.txt'), '');
  expect(await run('backup', [folder, '--keep', '2'])).toMatchObject({ code: 0 });
  const names = readdirSync(folder).toSorted();
  expect(names).toHaveLength(3);
  expect(names.slice(0, 2)).toEqual(['notes.txt', 'plimsoll-2026-01-22T031500Z.backup']);
  expect(await run('restore', [join(folder, 'wrong.backup')])).toMatchObject({
    code: 2,
    text: expect.stringContaining(`The newest backups in ${folder}: ${String(names[2])}, ${String(names[1])}.`),
  });
});

test('kill -9 in the middle of a backup leaves no file of that name', async () => {
  await db.sql('CREATE TABLE zz_gate (n int)');
  const holder = new Client(db.connection());
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE zz_gate IN ACCESS EXCLUSIVE MODE');
  const file = join(home, 'killed.backup');
  const { child } = begin('backup', [file]);
  const waiting =
    "SELECT 1 FROM pg_locks l JOIN pg_class c ON c.oid = l.relation WHERE c.relname = 'zz_gate' AND NOT l.granted";
  await vi.waitFor(async () => expect(await db.sql(waiting)).toHaveLength(1), { timeout: 60_000, interval: 20 });
  await kill(child);
  await holder.end();
  await db.sql('DROP TABLE zz_gate');
  expect(existsSync(file)).toBe(false);
  expect(await run('backup', [file])).toMatchObject({ code: 0 });
});

test('kill -9 in the middle of a restore leaves the database as it was', async () => {
  const file = join(home, 'source.backup');
  expect(await run('backup', [file])).toMatchObject({ code: 0 });
  const name = await newDatabase();
  const env = { DATABASE_URL: urlOf(name) };
  expect(await run('restore', [file], env)).toMatchObject({ code: 0 });
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  await client.query("UPDATE account SET name = 'Grace'");
  await client.end();
  const bytes = readFileSync(file);
  const { child } = begin('restore', ['-', '--overwrite'], env);
  child.stdin.on('error', () => {});
  // Everything but the end: the restore has its transaction open and waits for more.
  child.stdin.write(bytes.subarray(0, bytes.length - 10));
  const open = `SELECT 1 FROM pg_stat_activity
    WHERE datname = $1 AND application_name = 'plimsoll-restore' AND query LIKE 'COPY "audit_log"%'`;
  await vi.waitFor(async () => expect(await db.sql(open, [name])).toHaveLength(1), { timeout: 60_000, interval: 20 });
  await kill(child);
  expect(await accountsOf(name)).toEqual(['Grace']);
  expect(await run('restore', [file, '--overwrite'], env)).toMatchObject({ code: 0 });
  expect(await accountsOf(name)).toEqual(['Ada']);
});

test('the embedded database is read while Plimsoll runs on it, and while it is stopped', async () => {
  const dataDir = join(home, 'embedded');
  await expect(openEmbedded({ dataDir, logger: silentLogger })).rejects.toThrow('There is no database in');
  const running = await startEmbedded({ dataDir, logger: silentLogger });
  await migrate(running.connection);
  const env = { DATABASE_URL: '', PLIMSOLL_DATA_DIR: dataDir };
  const file = join(home, 'running.backup');
  expect(await run('backup', [file], env)).toMatchObject({ code: 0 });
  expect(await run('restore', [file], env)).toMatchObject({ code: 1, text: expect.stringContaining('already runs') });
  await running.stop();
  expect(await run('backup', [join(home, 'stopped.backup')], env)).toMatchObject({ code: 0 });
  expect(await run('restore', [file], env)).toMatchObject({ code: 0 });
});

test.each([
  ['to which nobody writes', () => {}],
  // A backup that stops coming, as over a connection that hangs.
  ['whose writer says nothing more', (fifo: string) => spawn('sh', ['-c', `exec 3>"$1"; exec sleep 60`, 'sh', fifo])],
])('restore of a named pipe %s ends at the first SIGTERM', async (_, write) => {
  const fifo = join(home, `pipe-${String(targets.length)}-${String(Date.now())}`);
  execFileSync('mkfifo', [fifo]);
  const { child, printed } = begin('restore', ['--check', fifo]);
  const writer = write(fifo);
  const reads = (): string => execFileSync('ps', ['-o', 'args=', '--ppid', String(child.pid)], { encoding: 'utf8' });
  await vi.waitFor(() => expect(reads()).toContain(`cat -- ${fifo}`), { timeout: 60_000, interval: 20 });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number | null];
  expect([code, printed.text]).toEqual([1, 'plimsoll: stopped by SIGTERM\n']);
  writer?.kill('SIGKILL');
});

test('restore reads a named pipe', async () => {
  const [fifo, file] = [join(home, 'pipe'), join(home, 'piped.backup')];
  expect((await run('backup', [file])).code).toBe(0);
  execFileSync('mkfifo', [fifo]);
  const writer = spawn('sh', ['-c', 'cat "$1" >"$2"', 'sh', file, fifo]);
  expect(await run('restore', ['--check', fifo])).toEqual({
    code: 0,
    text: expect.stringContaining('the backup is whole') as string,
  });
  writer.kill();
});
