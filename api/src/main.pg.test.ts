/**
 * The API as a process: what it prints for a person, with which code it ends, and the command for who is locked out.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { checkBackup } from './database/backup/restore-backup.ts';
import { readRecentLog } from './telemetry/recent-log.ts';
import { testStorage } from './testing/postgres.ts';

const ROOT = join(import.meta.dirname, '../..');
const db = testStorage();
const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-main-'));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true });
});

const databaseUrl = (): string => {
  const { host, user, database } = db.connection() as { host: string; user: string; database: string };
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;
};

interface Ran {
  code: number | null;
  out: string;
  err: string;
}
const begin = (script: string[], env: Record<string, string>): { child: ChildProcess; ended: Promise<Ran> } => {
  const child = spawn(process.execPath, script, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PLIMSOLL_DATA_DIR: dataDir, PLIMSOLL_PORT: '0', ...env },
  });
  running.add(child);
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]): Ran => ({ code: code as number | null, out, err }),
  );
  return { child, ended };
};
const run = (script: string[], env: Record<string, string> = {}): Promise<Ran> =>
  begin(script, { DATABASE_URL: databaseUrl(), ...env }).ended;

/** Starts the API, waits for it to say it listens, and ends it as a service manager does. */
const startAndStop = async (env: Record<string, string> = {}): Promise<Ran> => {
  const { child, ended } = begin([join(ROOT, 'api/src/main.ts')], { DATABASE_URL: databaseUrl(), ...env });
  const lines: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  const listens = vi.waitFor(() => expect(lines.join('')).toContain('listening'), { timeout: 60_000, interval: 20 });
  await Promise.race([listens, ended]);
  child.kill('SIGTERM');
  return ended;
};
const signInLines = ({ out }: Ran): string[] => out.split('\n').filter((line) => line.startsWith('Sign in: '));

describe('started', () => {
  const enrolmentFile = join(dataDir, 'local-enrolment');

  test('without an account it prints the link for the first one, and ends with 0 on a signal', async () => {
    const ran = await startAndStop({ PLIMSOLL_LOCAL_ENROLMENT_FILE: enrolmentFile });
    expect(ran.code).toBe(0);
    expect(signInLines(ran)).toEqual([
      expect.stringMatching(/^Sign in: http:\/\/127\.0\.0\.1:\d+\/login#setup=\S{20,}$/),
    ]);
    expect(readFileSync(enrolmentFile, 'utf8')).toMatch(/^\S{20,}\n$/);
    expect(statSync(enrolmentFile).mode & 0o777).toBe(0o600);
  });

  test('it writes the backup of the day, with the key that seals secrets when a passphrase protects it', async () => {
    const folder = join(dataDir, 'backups');
    mkdirSync(folder);
    const PLIMSOLL_BACKUP_PASSPHRASE = 'correct horse battery';
    const { child, ended } = begin([join(ROOT, 'api/src/main.ts')], {
      DATABASE_URL: databaseUrl(),
      PLIMSOLL_BACKUP_DIR: folder,
      PLIMSOLL_BACKUP_PASSPHRASE,
    });
    const written = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.backup'));
    await vi.waitFor(() => expect(written()).toHaveLength(1), { timeout: 60_000, interval: 50 });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    const backup = createReadStream(join(folder, written()[0] ?? ''));
    const { manifest } = await checkBackup(backup, PLIMSOLL_BACKUP_PASSPHRASE);
    expect(manifest.secretKey).toBe(readFileSync(join(dataDir, 'secret.key'), 'utf8').trim());
  });

  test('on IPv6 alone it takes the reports of a collector, whose address is a URL of IPv6', async () => {
    const api = begin([join(ROOT, 'api/src/main.ts')], {
      DATABASE_URL: databaseUrl(),
      PLIMSOLL_HOST: '::1',
      PLIMSOLL_LOCAL_ENROLMENT_FILE: enrolmentFile,
    });
    let url = '';
    api.child.stderr?.on('data', (chunk: Buffer) => (url ||= /http:\/\/\[::1\]:\d+/.exec(chunk.toString())?.[0] ?? ''));
    await vi.waitFor(() => expect(url).not.toBe(''), { timeout: 60_000, interval: 20 });
    const collector = begin([join(ROOT, 'collector/src/main.ts'), 'run'], {
      PLIMSOLL_URL: url,
      PLIMSOLL_ENROLMENT_TOKEN_FILE: enrolmentFile,
      PLIMSOLL_STATE_DIR: join(dataDir, 'collector'),
    });
    const reports = () => db.sql('SELECT 1 FROM report_ledger');
    await vi.waitFor(async () => expect((await reports()).length).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 50,
    });
    for (const { child, ended } of [collector, api]) {
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
  });

  test('unattended it makes the account, names it to the person at the terminal, and to no log', async () => {
    const admin = { PLIMSOLL_ADMIN_EMAIL: 'Ada@Example.org', PLIMSOLL_ADMIN_PASSWORD: 'correct horse battery' };
    expect(signInLines(await startAndStop(admin))).toEqual([]);
    expect(signInLines(await startAndStop({ PLIMSOLL_LOCAL_ENROLMENT_FILE: enrolmentFile }))).toEqual([
      expect.stringMatching(
        /^Sign in: http:\/\/127\.0\.0\.1:\d+\/login as ada@example\.org \(locked out: stop Plimsoll, then npm start -- --sign-in-link ada@example\.org\)$/,
      ),
    ]);
    const inLog = await startAndStop();
    expect(inLog.out + inLog.err).not.toContain('ada@example.org');
  });

  test('with settings at fault it names every one of them and ends with 78, which no service manager starts again', async () => {
    const ran = await run([join(ROOT, 'api/src/main.ts')], { PLIMSOLL_PORT: 'http', PLIMSOLL_LOG_LEVEL: 'loud' });
    expect(ran.code).toBe(78);
    expect(ran.err).toContain('PLIMSOLL_PORT is "http"');
    expect(ran.err).toContain('PLIMSOLL_LOG_LEVEL');
  });

  test('without its database it says so and ends with 1', async () => {
    const nowhere = `postgresql://x@localhost/x?host=${encodeURIComponent(dataDir)}`;
    const ran = await run([join(ROOT, 'api/src/main.ts')], { DATABASE_URL: nowhere });
    expect([ran.code, ran.err]).toEqual([1, expect.stringContaining('plimsoll: ')]);
    expect(ran.out).not.toContain('Sign in: ');
    // The support bundle needs the reason after the terminal is gone.
    const [last = ''] = readRecentLog(dataDir, 1);
    expect(ran.err).toContain((JSON.parse(last) as { level: 'fatal'; msg: string }).msg);
  });
});

describe('locked out', () => {
  test.each([
    ['node api/src/cli/recover.ts', 8420, [join(ROOT, 'api/src/cli/recover.ts')]],
    ['npm start -- --sign-in-link', 8421, [join(ROOT, 'scripts/start/main.ts'), '--port', '8421', '--sign-in-link']],
  ])('%s EMAIL prints a link that lets in', async (_name, port, script) => {
    const ran = await run([...script, 'ADA@example.org'], { PLIMSOLL_PORT: '8420' });
    const [line = ''] = signInLines(ran);
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(line).toMatch(new RegExp(`^Sign in: http://127.0.0.1:${String(port)}/auth/callback#access_token=\\S{20,}$`));
    const stored = await db.sql(
      `SELECT FROM sign_in_code c JOIN account a ON a.id = c.account_id
       WHERE a.email = 'ada@example.org' AND c.expires_at BETWEEN now() AND now() + interval '16 minutes'`,
    );
    expect(stored.length).toBeGreaterThan(0);
  });

  test.each([
    ['an address nobody has', ['who@example.org'], 1, 'Account who@example.org not found'],
    ['nothing', [], 2, 'Usage: '],
    ['--help', ['--help'], 0, 'Usage: '],
  ])('recover.ts with %s', async (_name, args, code, said) => {
    const ran = await run([join(ROOT, 'api/src/cli/recover.ts'), ...args]);
    expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(said)]);
    expect(ran.out).toBe('');
  });
});
