/** The support bundle as a command: what is in it, what never is, and that it is made where nothing works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../database/connection.ts';
import { startEmbedded } from '../database/embedded/start-embedded.ts';
import { SETTING_GROUPS } from '../settings/settings.ts';
import { createLogger } from '../telemetry/logger.ts';
import { RecentLog } from '../telemetry/recent-log.ts';
import { testApp } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { reportsBody } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { tablesWith } from '../testing/tables.ts';

const CANARY = 'Cnry7x';
const home = mkdtempSync('/tmp/plimsoll-support-');
const dataDir = join(home, 'data');
const db = testStorage();
const FILES = [
  'README.txt',
  'versions.json',
  'settings.json',
  'health.json',
  'migrations.json',
  'postgresql.json',
  'machine.json',
  'api.log',
  'postgresql.log',
];

/** A valid value of every setting but those that are shown; each holds the canary. */
const PLANTED: Record<string, string> = {
  PLIMSOLL_HOST: `${CANARY}.example.org`,
  PLIMSOLL_PUBLIC_URL: `https://u:${CANARY}@plimsoll.example.org`,
  PLIMSOLL_SERIES_WRITE_URL: `https://store.example.org/${CANARY}/write`,
  PLIMSOLL_SERIES_READ_URL: `https://store.example.org/${CANARY}`,
  PLIMSOLL_SERIES_DELETE_URL: `https://store.example.org/${CANARY}/delete`,
  PLIMSOLL_SERIES_TENANT_HEADER: CANARY,
  PLIMSOLL_SERIES_TOKEN: CANARY,
  PLIMSOLL_MESSAGE_PROXY_URL: `http://u:${CANARY}@proxy.example.org:3128`,
  PLIMSOLL_SECRET_KEY: Buffer.from(CANARY.padEnd(32, '.')).toString('base64'),
  PLIMSOLL_BACKUP_PASSPHRASE: `${CANARY} correct horse battery`,
  PLIMSOLL_ADMIN_EMAIL: `${CANARY}@example.org`,
  PLIMSOLL_ADMIN_PASSWORD: `${CANARY} correct horse`,
  GITHUB_CLIENT_ID: CANARY,
  GITHUB_CLIENT_SECRET: CANARY,
  GITHUB_URL: `https://u:${CANARY}@git.example.org`,
  GOOGLE_CLIENT_ID: CANARY,
  GOOGLE_CLIENT_SECRET: CANARY,
  GOOGLE_ISSUER: `https://u:${CANARY}@id.example.org`,
  OIDC_ADMIN_GROUPS: CANARY,
  OIDC_EDITOR_GROUPS: CANARY,
  OIDC_VIEWER_GROUPS: CANARY,
  OIDC_GROUPS_CLAIM: CANARY,
  OIDC_ISSUER: `https://u:${CANARY}@id.example.org`,
  OIDC_CLIENT_ID: CANARY,
  OIDC_CLIENT_SECRET: CANARY,
  PLIMSOLL_SIGN_UP_EMAILS: `${CANARY}@example.org`,
  PLIMSOLL_SIGN_UP_DOMAINS: `${CANARY}.org`,
  PLIMSOLL_SIGN_UP_GITHUB_ORGANISATIONS: CANARY,
  TELEGRAM_BOT_TOKEN: `123456:${CANARY}`,
  TELEGRAM_CHAT_ID: CANARY,
  TELEGRAM_API_URL: `https://u:${CANARY}@t.example.org`,
  PLIMSOLL_HEARTBEAT_URL: `https://hc.example.org/${CANARY}`,
  AI_MODEL: CANARY,
  AI_API_KEY: CANARY,
  AI_BASE_URL: `https://u:${CANARY}@ai.example.org`,
  PLIMSOLL_IMAGE_TAG: CANARY,
  PLIMSOLL_CLUSTER_TOKEN: `plm_cluster_${CANARY.padEnd(43, 'x')}`,
  PLIMSOLL_LOCAL_ENROLMENT_FILE: `/tmp/${CANARY}`,
  PLIMSOLL_WEB_DIR: `/tmp/${CANARY}`,
  PLIMSOLL_AGENT_DIR: `/tmp/${CANARY}`,
  PLIMSOLL_CHART_FILE: `/tmp/${CANARY}`,
};
/** Set by this test, or refused by the API unless they are addresses, lower case or a file that exists. */
const OWN = [
  'PLIMSOLL_DATA_DIR',
  'DATABASE_URL',
  'PLIMSOLL_LISTEN_URL',
  'DATABASE_CA_FILE',
  'PLIMSOLL_DATABASE_USER',
  'XDG_RUNTIME_DIR',
  'PLIMSOLL_TRUSTED_PROXIES',
  'PLIMSOLL_ALLOWED_PRIVATE_RANGES',
  'PLIMSOLL_CHECK_NETWORKS',
  'PLIMSOLL_IMAGE_REGISTRY',
  'PLIMSOLL_BACKUP_DIR',
];

const databaseUrl = (password = ''): string => {
  const { host, user, database } = db.connection() as { host: string; user: string; database: string };
  return `postgresql://${user}${password}@localhost/${database}?host=${encodeURIComponent(host)}`;
};

beforeAll(() => mkdirSync(dataDir));
afterAll(() => rmSync(home, { recursive: true }));

async function run(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'support.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], PLIMSOLL_DATA_DIR: dataDir, DATABASE_URL: databaseUrl(), ...env },
  });
  const [out, said] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said, out };
}

async function unpack(archive: Buffer): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const entry of Readable.from(archive).pipe(createGunzip()).pipe(extract()))
    files[entry.header.name.replace(/^plimsoll-support\//, '')] = await text(entry);
  return files;
}
const bundle = async (env: Record<string, string> = {}) => {
  const { code, said, out } = await run(['-'], env);
  const files = await unpack(out);
  const json = (name: string) => JSON.parse(files[name] ?? 'null') as Record<string, never>;
  return { code, said, files, json };
};

test('every setting is planted below, or its value is shown', () => {
  const names = SETTING_GROUPS.flatMap(({ rows }) =>
    rows.flatMap((setting) => (setting.isShown === true ? [] : setting.names)),
  );
  expect([...Object.keys(PLANTED), ...OWN].toSorted()).toEqual([...names].toSorted());
});

test('holds versions, settings, health, migrations, database, machine and log', async () => {
  const app = testApp(db.storage());
  const agent = await app.newAgent(await app.newUser());
  const body = reportsBody(agent, app.clock.now(), [fullReport('web-1', app.clock.now() / 1000)]);
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  const log = new RecentLog(dataDir);
  createLogger({ level: 'info', format: 'json' }, log).info({ origin: 'http://127.0.0.1:8420' }, 'listening');
  log.close();

  const { code, files, json, said } = await bundle({ PLIMSOLL_PORT: '8421', PLIMSOLL_ADMIN_PASSWORD_FILE: '' });
  expect([code, said]).toEqual([0, '']);
  expect(Object.keys(files)).toEqual(FILES);
  expect(json('versions.json')).toMatchObject({ plimsoll: expect.any(String), node: process.versions.node });
  const { settings, at_fault } = json('settings.json') as unknown as {
    settings: { name: string; set_by: string[]; value?: string }[];
    at_fault: string[];
  };
  expect(at_fault).toEqual([]);
  expect(settings).toContainEqual({ name: 'PLIMSOLL_PORT', set_by: ['PLIMSOLL_PORT'], value: '8421' });
  expect(settings).toContainEqual({ name: 'DATABASE_URL', set_by: ['DATABASE_URL'] });
  expect(settings).toContainEqual({ name: 'PLIMSOLL_ADMIN_PASSWORD', set_by: [] });
  expect(json('health.json')).toMatchObject({
    ingest: { servers_reporting: 1 },
    database: { size_bytes: expect.any(Number) },
    agents: [{ kind: 'host_agent', agents: 1 }],
  });
  expect(json('migrations.json')).toMatchObject({ pending: [], of_a_newer_version: [], unfinished: [] });
  expect(json('postgresql.json')).toMatchObject({
    version: expect.stringContaining('PostgreSQL'),
    settings: expect.arrayContaining([expect.objectContaining({ name: 'max_connections' })]),
    largest_tables: expect.arrayContaining([expect.objectContaining({ bytes: expect.anything() })]),
  });
  expect(json('machine.json')).toMatchObject({ disks: { data_folder: { available_bytes: expect.any(Number) } } });
  expect(JSON.parse(files['api.log'] ?? '')).toMatchObject({ msg: 'listening', origin: 'http://127.0.0.1:8420' });
});

test('holds no secret in any byte, wherever it was planted', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser(CANARY);
  const call = async (path: string, body: object) => {
    const { status, text: answer } = await app.call('POST', path, { token: user.token, body });
    expect([path, status, status < 300 ? '' : answer]).toEqual([path, expect.any(Number), '']);
  };
  await call('/api/notify/channels', {
    type: 'webhook',
    name: `token=${CANARY}`,
    settings: { url: `https://hooks.example.org/${CANARY}`, secret: `${CANARY}-sixteen-characters` },
  });
  const agent = await app.newAgent(user, CANARY);
  await db.sql(
    `INSERT INTO server_fact (server_key, name, value, sample_at)
     SELECT key, 'system', jsonb_build_object('collector_version', 'password=${CANARY}'), now() FROM server WHERE id = $1`,
    [agent.serverId],
  );
  await db.sql(
    `INSERT INTO api_uptime (started_at, seen_at, version, jobs) VALUES (now(), now(), 'pw=${CANARY}', $1)`,
    [JSON.stringify([{ name: 'prune', lastSuccessAt: null, lastFailureAt: 1, lastErrorCode: `token=${CANARY}` }])],
  );
  expect(await tablesWith(db, CANARY)).toEqual(expect.arrayContaining(['account', 'server', 'api_uptime']));

  const recent = new RecentLog(dataDir);
  const log = createLogger({ level: 'info', format: 'json' }, recent);
  log.error({ err: new Error(`connect postgresql://u:${CANARY}@db failed`) }, 'failed');
  log.error({ headers: { 'x-api-key': CANARY }, args: ['mysql', `--password=${CANARY}`] }, `Bearer ${CANARY}${CANARY}`);
  log.warn({ url: `https://h/x?key=1&token=${CANARY}` }, `${CANARY}@example.org signed in`);
  recent.write(`a line cut off, "password": "${CANARY}"\n`);
  recent.close();
  writeFileSync(join(dataDir, 'secret.key'), CANARY);

  for (const env of [PLANTED, { ...PLANTED, PLIMSOLL_PORT: CANARY, AI_PROVIDER: CANARY, OIDC_ISSUER: '' }]) {
    const { code, said, files } = await bundle({ ...env, DATABASE_URL: databaseUrl(`:${CANARY}`) });
    expect(code).toBe(0);
    expect(Object.entries({ ...files, said }).filter(([, content]) => content.includes(CANARY))).toEqual([]);
    expect(files['api.log']).toContain('[redacted]');
  }
});

test('is made where the settings are wrong, the database is away, or nothing was ever started', async () => {
  const wrong = await bundle({ PLIMSOLL_PORT: 'hunter2' });
  expect(wrong.code).toBe(0);
  expect(wrong.json('settings.json')).toMatchObject({ at_fault: ['PLIMSOLL_PORT'] });
  expect(wrong.files['health.json']).toContain('settings are wrong: see settings.json');
  expect(wrong.files['settings.json']).not.toContain('hunter2');

  const away = await bundle({ DATABASE_URL: `postgresql://x@localhost/x?host=${encodeURIComponent(home)}` });
  expect([away.code, Object.keys(away.files)]).toEqual([0, FILES]);
  expect(away.said).toContain('migrations.json could not be made');
  expect(away.json('machine.json')).toMatchObject({ processors: expect.any(Number) });

  const none = await bundle({ DATABASE_URL: '', PLIMSOLL_DATA_DIR: join(home, 'none') });
  expect([none.code, none.files['postgresql.json']]).toEqual([0, expect.stringContaining('There is no database in')]);
});

test('says what is wrong with the migrations of the database', async () => {
  await db.sql(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('x', 'y', '29990101000000_later')`,
  );
  const [{ name } = { name: '' }] = await db.sql<{ name: string }>(
    'SELECT migration_name AS name FROM _prisma_migrations ORDER BY started_at, migration_name LIMIT 1',
  );
  await db.sql('UPDATE _prisma_migrations SET checksum = $1 WHERE migration_name = $2', ['z', name]);
  const { json } = await bundle();
  expect(json('migrations.json')).toMatchObject({
    of_a_newer_version: ['29990101000000_later'],
    unfinished: ['29990101000000_later'],
    changed_after_they_were_applied: [name],
    pending: [],
  });
});

test('the embedded database is read while Plimsoll runs on it, with its log but no statement of it', async () => {
  const folder = join(home, 'embedded');
  const running = await startEmbedded({ dataDir: folder, logger: silentLogger });
  onTestFinished(() => running.stop());
  const env = { DATABASE_URL: '', PLIMSOLL_DATA_DIR: folder };
  const { json, files } = await bundle(env);
  expect(json('postgresql.json')).toMatchObject({ is_standby: false });
  expect(json('machine.json')).toMatchObject({ disks: { database: { available_bytes: expect.any(Number) } } });
  expect(files['postgresql.log']).toContain('ready to accept connections');
  // Nothing was migrated: the statement failed, and its text stays on the machine.
  expect(files['migrations.json']).toContain('failed');
  expect(files['postgresql.log']).toContain('_prisma_migrations');
  expect(files['postgresql.log']).not.toContain('STATEMENT');
});

test('writes a file that only its owner can read, never over another, and names it by the time in a folder', async () => {
  const file = join(home, 'support.tar.gz');
  const ran = await run([file]);
  expect([ran.code, ran.said]).toEqual([0, expect.stringContaining(`written to ${file}`)]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Object.keys(await unpack(readFileSync(file)))).toEqual(FILES);
  expect(await run([file])).toMatchObject({ code: 2, said: expect.stringContaining('exists. Choose another name') });
  const folder = join(home, 'folder');
  mkdirSync(folder);
  expect(await run([folder])).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^plimsoll-support-\d{4}-\d\d-\d\dT\d{6}Z\.tar\.gz$/)]);
});

test.each([
  [[], 2],
  [['a', 'b'], 2],
  [['--verbose', 'a'], 2],
  [['/nowhere/support.tar.gz'], 1],
  [['--help'], 0],
])('%j ends with %i', async (args, code) => {
  expect(await run(args)).toMatchObject({ code });
});
