/** A PostgreSQL that is stopped, starting, out of connections, full or read-only, seen through the whole app. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { packagedBinaries, usableBinaries } from '../database/embedded/binaries.ts';
import { asDatabaseUser, databaseUser } from '../database/embedded/run-as.ts';
import { createPostgresStorage } from '../postgres-storage.ts';
import type { Storage } from '../storage.ts';
import { createLogger } from '../telemetry/logger.ts';
import {
  reportsBody,
  testApp,
  TEST_PASSWORD,
  type Answer,
  type TestAgent,
  type TestApp,
  type TestUser,
} from '../testing/app.ts';
import { clusterOf, stopClusters, TEMPLATE_DATABASE, type Cluster } from '../testing/postgres-clusters.ts';
import { testStorage } from '../testing/postgres.ts';

/** SQL by hand (reports, agents), Prisma (sessions, accounts). */
const callsOf = (app: TestApp, user: TestUser, agent: TestAgent): (() => Promise<Answer>)[] => [
  () =>
    app.call('POST', '/api/agent/v1/reports', {
      token: agent.token,
      body: reportsBody(agent, app.clock.now(), [{}]),
    }),
  () => app.call('POST', '/api/agent/v1/bye', { token: agent.token, body: { reason: 'stop' } }),
  () => app.call('GET', '/api/auth/profile', { token: user.token }),
  () => app.call('POST', '/api/auth/local', { body: { email: user.email, password: TEST_PASSWORD } }),
];

async function expectUnavailable(calls: readonly (() => Promise<Answer>)[]): Promise<void> {
  const answers: Answer[] = [];
  for (const call of calls) answers.push(await call());
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
    answers.map(() => [503, 'storage_unavailable']),
  );
  for (const { headers, text } of answers) {
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThanOrEqual(30);
    // No path, host or statement of the database goes out.
    expect(text).not.toMatch(/socket|ECONN|SELECT|postgres/i);
  }
}

describe('a server that is away', () => {
  let folder: string;
  let cluster: Cluster;
  let opened: Storage | undefined;
  const connection = () => ({ ...cluster, database: TEMPLATE_DATABASE });
  const data = () => join(folder, 'bundled', 'data');
  const pidFile = () => join(data(), 'postmaster.pid');

  beforeAll(async () => {
    // Short: the path of a socket has at most 103 bytes.
    folder = mkdtempSync('/tmp/plimsoll-away-');
    chmodSync(folder, 0o755);
    cluster = await clusterOf('bundled', folder, { max_connections: '8', superuser_reserved_connections: '0' });
  });
  afterAll(async () => {
    await opened?.close();
    await stopClusters(folder);
  });

  const stop = async (): Promise<void> => {
    process.kill(Number(readFileSync(pidFile(), 'utf8').split('\n')[0]), 'SIGINT');
    await vi.waitFor(() => expect(existsSync(pidFile())).toBe(false), { timeout: 30_000, interval: 20 });
  };
  /** As a standby that takes no connections: what every PostgreSQL answers while it starts, for as long as it takes. */
  const startWithoutEnd = (): void => {
    const runAs = databaseUser();
    const signal = join(data(), 'standby.signal');
    writeFileSync(signal, '');
    if (runAs) chownSync(signal, runAs.uid, runAs.gid);
    const bin = usableBinaries(packagedBinaries(), join(folder, 'bundled', 'programs'), runAs);
    const flags = ['listen_addresses=', 'hot_standby=off', `unix_socket_directories=${cluster.host}`];
    const options = { ...asDatabaseUser(runAs), cwd: '/', detached: true, stdio: 'ignore' as const };
    spawn(join(bin, 'postgres'), ['-D', data(), ...flags.flatMap((flag) => ['-c', flag])], options).unref();
  };
  const codeOfConnecting = async (): Promise<unknown> => {
    const client = new Client(connection());
    try {
      await client.connect();
      return 'connected';
    } catch (error) {
      return (error as { code?: unknown }).code;
    } finally {
      await client.end().catch(() => {});
    }
  };

  test('out of connections, stopped, starting', async () => {
    const lines: { msg: string; suppressed?: number }[] = [];
    const log = createLogger(
      { level: 'info', format: 'json' },
      { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    );
    opened = createPostgresStorage({ connection: connection() });
    const before = testApp(opened);
    const user = await before.newUser();
    const agent = await before.newAgent(user);
    await opened.close();

    const full = createPostgresStorage({ connection: connection() });
    const holders: Client[] = [];
    for (;;) {
      const client = new Client(connection());
      client.on('error', () => {});
      const isIn = await client.connect().then(
        () => true,
        () => false,
      );
      if (!isIn) break;
      holders.push(client);
    }
    expect(await codeOfConnecting()).toBe('53300');
    await expectUnavailable(callsOf(testApp(full, { log }), user, agent));
    await full.close();
    for (const client of holders) await client.end();

    // A pool with a connection that breaks, then one that finds no server.
    opened = createPostgresStorage({ connection: connection() });
    const app = testApp(opened, { log });
    await vi.waitFor(async () => expect((await app.call('GET', '/readyz')).status).toBe(200), { timeout: 10_000 });
    await stop();
    expect(await codeOfConnecting()).toBe('ENOENT');
    await expectUnavailable(callsOf(app, user, agent));

    startWithoutEnd();
    await vi.waitFor(async () => expect(await codeOfConnecting()).toBe('57P03'), { timeout: 30_000, interval: 50 });
    await expectUnavailable(callsOf(app, user, agent));

    // The clocks stand still: each app logs one line, and no line has a stack.
    const about = lines.filter(({ msg }) => msg === 'the database is not available');
    expect(about).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain('    at ');
    rmSync(join(data(), 'standby.signal'));
  });
});

describe('a server without room, or read-only', () => {
  const db = testStorage();

  test('no room on the disk', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const agent = await app.newAgent(user);
    await db.sql(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$`);
    for (const table of ['host_sample', 'session', 'agent_sign_off'])
      await db.sql(
        `CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION full_disk()`,
      );
    const [report, bye, , signIn] = callsOf(app, user, agent);
    await expectUnavailable([report, bye, signIn].filter((call) => call !== undefined));
    for (const table of ['host_sample', 'session', 'agent_sign_off'])
      await db.sql(`DROP TRIGGER full_disk ON ${table}`);
    expect((await report?.())?.status).toBe(200);
  });

  test('a read-only standby after a failover', async () => {
    const before = testApp(db.storage());
    const user = await before.newUser();
    const agent = await before.newAgent(user);
    await db.sql(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
    );
    const storage = createPostgresStorage({ connection: db.connection() });
    const [report, bye, profile, signIn] = callsOf(testApp(storage), user, agent);
    await expectUnavailable([report, bye, signIn].filter((call) => call !== undefined));
    // Reads go on.
    expect((await profile?.())?.status).toBe(200);
    await storage.close();
  });
});
