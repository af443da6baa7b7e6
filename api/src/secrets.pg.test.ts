/**
 * Every secret that Plimsoll takes or makes is planted in a running API, which then fails at all it can fail at. None may
 * be in the database, a backup, a log, an answer, /metrics, the command lines and environments of its children, or a
 * support bundle.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openContainer } from './database/backup/container.ts';
import { freePort } from './testing/free-port.ts';
import { testStorage } from './testing/postgres.ts';
import { tablesWith } from './testing/tables.ts';

const db = testStorage();
const home = mkdtempSync('/tmp/plimsoll-secrets-');
const backups = join(home, 'backups');
const SECRET_KEY = 'Cnry-secret-key-32-bytes-long-xx';
/** Nobody listens there, so that every connection fails and is logged. */
const NOBODY = 'http://127.0.0.1:9';

/** By what a finding is called. */
const secrets: Record<string, string> = {
  PLIMSOLL_SECRET_KEY: Buffer.from(SECRET_KEY).toString('base64'),
  'bytes of PLIMSOLL_SECRET_KEY': SECRET_KEY,
  'password in DATABASE_URL': 'Cnry-database',
  PLIMSOLL_ADMIN_PASSWORD: 'Cnry-admin correct horse',
  PLIMSOLL_BACKUP_PASSPHRASE: 'Cnry-backup correct horse battery',
  PLIMSOLL_CLUSTER_TOKEN: `plm_cluster_Cnry${'x'.repeat(39)}`,
  PLIMSOLL_SERIES_TOKEN: 'Cnry-series-token',
  PLIMSOLL_HEARTBEAT_URL: 'Cnry-heartbeat',
  GITHUB_CLIENT_SECRET: 'Cnry-github-secret',
  GOOGLE_CLIENT_SECRET: 'Cnry-google-secret',
  OIDC_CLIENT_SECRET: 'Cnry-oidc-secret',
  TELEGRAM_BOT_TOKEN: '123456:Cnry-env-telegram',
  'key of the AI settings': 'Cnry-ai-key-of-the-screen',
  'password of a member': 'Cnry-member correct horse',
};
const CHANNELS: readonly { type: string; secret: string; settings: Record<string, unknown> }[] = [
  {
    type: 'telegram',
    secret: '123456:Cnry-telegram',
    settings: { chat_id: '-1001', bot_token: '123456:Cnry-telegram' },
  },
  {
    type: 'webhook',
    secret: 'Cnry-webhook-16-characters',
    settings: { url: `${NOBODY}/hook`, secret: 'Cnry-webhook-16-characters' },
  },
  {
    type: 'webhook',
    secret: 'Cnry-webhook-path',
    settings: { url: `${NOBODY}/hook/Cnry-webhook-path?key=Cnry-webhook-path&last` },
  },
  { type: 'ntfy', secret: 'Cnry-ntfy-topic', settings: { server: NOBODY, topic: 'Cnry-ntfy-topic' } },
  {
    type: 'email',
    secret: 'Cnry-smtp-password',
    settings: {
      host: '127.0.0.1',
      port: 9,
      security: 'tls',
      username: 'ops',
      from: 'a@example.org',
      to: ['b@example.org'],
      password: 'Cnry-smtp-password',
    },
  },
  {
    type: 'slack',
    secret: 'Cnry-slack',
    settings: { webhook_url: 'https://hooks.slack.com/services/T0/B0/Cnry-slack' },
  },
  {
    type: 'discord',
    secret: 'Cnry-discord',
    settings: { webhook_url: 'https://discord.com/api/webhooks/1/Cnry-discord' },
  },
  { type: 'ntfy', secret: 'Cnry-ntfy-token', settings: { server: NOBODY, topic: 'ops', token: 'Cnry-ntfy-token' } },
  {
    type: 'teams',
    secret: 'Cnry-teams',
    settings: { webhook_url: 'https://example.logic.azure.com/workflows/Cnry-teams' },
  },
  {
    type: 'pagerduty',
    secret: 'Cnrypagerduty0123456789abcdef012',
    settings: { region: 'us', routing_key: 'Cnrypagerduty0123456789abcdef012' },
  },
];
for (const { type, secret } of CHANNELS) secrets[`secret of a channel, ${type}: ${secret}`] = secret;

const databaseUrl = (): string => {
  const { host, user, database } = db.connection() as { host: string; user: string; database: string };
  return `postgresql://${user}:Cnry-database@localhost/${database}?host=${encodeURIComponent(host)}`;
};
const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  DATABASE_URL: databaseUrl(),
  PLIMSOLL_DATA_DIR: home,
  PLIMSOLL_PORT: String(api.port),
  PLIMSOLL_PUBLIC_URL: api.url,
  PLIMSOLL_LOG_LEVEL: 'debug',
  PLIMSOLL_LOG_FORMAT: 'json',
  PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
  PLIMSOLL_ADMIN_EMAIL: 'ops@example.org',
  PLIMSOLL_BACKUP_DIR: backups,
  PLIMSOLL_SERIES_WRITE_URL: `${NOBODY}/write`,
  PLIMSOLL_SERIES_READ_URL: NOBODY,
  GITHUB_CLIENT_ID: 'id',
  GITHUB_URL: NOBODY,
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_ISSUER: NOBODY,
  OIDC_CLIENT_ID: 'id',
  OIDC_ISSUER: NOBODY,
  TELEGRAM_CHAT_ID: '-1001',
  TELEGRAM_API_URL: NOBODY,
  ...Object.fromEntries(Object.entries(secrets).filter(([name]) => /^[A-Z_]+$/.test(name))),
  PLIMSOLL_HEARTBEAT_URL: `${NOBODY}/${secrets['PLIMSOLL_HEARTBEAT_URL'] ?? ''}`,
});

const api = { port: 0, pid: 0, url: '', log: '', end: () => Promise.resolve() };
let session = '';
async function call(method: string, path: string, body?: object, token = session): Promise<Record<string, never>> {
  const answer = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as object) } as unknown as Record<string, never>;
}
const dataOf = (answer: Record<string, never>): Record<string, string> => {
  expect([answer['status'], answer['detail']]).toEqual([200, undefined]);
  return answer['data'] ?? {};
};
async function command(script: string, args: string[], env = environment()): Promise<{ out: Buffer; said: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cli', script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const [out, said] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]);
  expect([said, child.exitCode]).toEqual([expect.any(String), 0]);
  return { out, said };
}

beforeAll(async () => {
  mkdirSync(backups);
  api.port = await freePort();
  api.url = `http://127.0.0.1:${api.port}`;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(),
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (api.log += chunk.toString()));
  api.pid = child.pid ?? 0;
  api.end = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const listens = (): void => {
    if (child.exitCode === null && !api.log.includes('"listening"')) throw new Error('not yet');
  };
  await vi.waitFor(listens, { timeout: 60_000, interval: 50 });
  if (child.exitCode !== null) throw new Error(api.log);
});
afterAll(async () => {
  await api.end();
  rmSync(home, { recursive: true });
});

/** Secrets that people type, and those that the API shows once. */
async function plant(): Promise<void> {
  const credentials = { email: 'ops@example.org', password: secrets['PLIMSOLL_ADMIN_PASSWORD'] };
  session = dataOf(await call('POST', '/api/auth/local', credentials))['token'] ?? '';
  secrets['token of a session'] = session;
  for (const { type, settings } of CHANNELS)
    expect([type, await call('POST', '/api/notify/channels', { type, name: type, settings })]).toMatchObject([
      type,
      { status: 200 },
    ]);
  const ai = { provider: 'anthropic', base_url: 'https://model.example/v1', model: 'm' };
  dataOf(await call('PUT', '/api/ai/settings', { ...ai, api_key: secrets['key of the AI settings'] }));
  for (const scope of ['read', 'metrics'])
    secrets[`API token, ${scope}`] =
      dataOf(await call('POST', '/api/user/generate-auth-token', { name: scope, scopes: [scope] }))['token'] ?? '';
  for (const kind of ['enrolment', 'cluster'])
    secrets[`token, ${kind}`] =
      dataOf(await call('POST', `/api/user/${kind}-tokens`, kind === 'cluster' ? { name: 'harbour' } : {}))['token'] ??
      '';
  secrets['code of an invitation'] =
    dataOf(await call('POST', '/api/team/invitations', { role: 'viewer' }))['code'] ?? '';
  const { code = '' } = dataOf(await call('POST', '/api/team/invitations', { role: 'viewer' }));
  const member = { code, email: 'deckhand@example.org', password: secrets['password of a member'] };
  dataOf(await call('POST', '/api/team/sign-up', member));
  const { otpauth_url: otpauth = '' } = dataOf(await call('POST', '/api/auth/totp/begin', {}));
  secrets['secret of a second factor'] = new URL(otpauth).searchParams.get('secret') ?? '';
}

/** Fails beside every secret. Returns the answers. */
async function failAtAll(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const ask = async (method: string, path: string, body?: object, token?: string): Promise<void> => {
    found[`${method} ${path.split('&')[0]}`] = JSON.stringify(await call(method, path, body, token));
  };
  const { channels } = (await call('GET', '/api/notify/channels'))['data'] as unknown as { channels: { id: string }[] };
  for (const { id } of channels) await ask('POST', `/api/notify/channels/${id}/test`, {});
  for (const provider of ['github', 'google', 'oidc']) await ask('GET', `/api/auth/${provider}`);
  await ask('POST', '/api/ai/settings/test', {});
  await ask('POST', '/api/ai/chat', { question: 'Are there any active alerts?' });
  for (const [name, secret] of Object.entries(secrets)) {
    const quoted = encodeURIComponent(secret);
    await ask('GET', `/api/servers/list?of=${name}&token=${quoted}`, undefined, quoted);
    await call('POST', '/api/auth/local', { email: 'ops@example.org', password: `${secret}!` });
    await call('POST', '/api/team/join', { code: secret });
  }
  return found;
}

async function answers(): Promise<Record<string, string>> {
  const document = (await (await fetch(`${api.url}/openapi.json`)).json()) as {
    paths: Record<string, { get?: object }>;
  };
  const found: Record<string, string> = {};
  for (const [path, { get }] of Object.entries(document.paths)) {
    if (get === undefined || path.includes('{')) continue;
    const answer = await fetch(api.url + path, { headers: { authorization: `Bearer ${session}` }, redirect: 'manual' });
    if (answer.headers.get('content-type')?.includes('event-stream') === true) await answer.body?.cancel();
    else found[`GET ${path}`] = await answer.text();
  }
  found['GET /metrics'] = await (await fetch(`${api.url}/metrics`)).text();
  return found;
}

/** Command lines of the API and its children, and the environments of the children. */
function processes(): Record<string, string> {
  const parentOf = (pid: number): number => {
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    } catch {
      return 0;
    }
  };
  const children = readdirSync('/proc')
    .map(Number)
    .filter((pid) => parentOf(pid) === api.pid);
  return Object.fromEntries([
    ...[api.pid, ...children].map((pid) => [`cmdline ${pid}`, readFileSync(`/proc/${pid}/cmdline`, 'latin1')]),
    ...children.map((pid) => [`environ ${pid}`, readFileSync(`/proc/${pid}/environ`, 'latin1')]),
  ]) as Record<string, string>;
}

/** The content of a backup without a passphrase: a line of JSON and the rows of each table. */
async function rowsOf(file: string): Promise<string> {
  const { content } = await openContainer(createReadStream(file), null);
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return gunzipSync(Buffer.concat(pieces)).toString('latin1');
}

test('no secret is in a place where a person may look or a file may go', async () => {
  await plant();
  const failures = await failAtAll();
  const bundle = await command('support.ts', ['-']);
  const file = join(home, 'now.backup');
  // Without a passphrase, so that what is inside can be read.
  const backup = await command('backup.ts', [file], { ...environment(), PLIMSOLL_BACKUP_PASSPHRASE: '' });
  const places: Record<string, string> = {
    ...failures,
    ...(await answers()),
    ...processes(),
    'support bundle': gunzipSync(bundle.out).toString('latin1'),
    'said by the commands': bundle.said + backup.said,
    log: api.log,
    'api.log': readFileSync(join(home, 'api.log'), 'utf8'),
    backup: await rowsOf(file),
  };
  const found: string[] = [];
  for (const [name, secret] of Object.entries(secrets)) {
    for (const [place, content] of Object.entries(places))
      if (content.includes(secret)) found.push(`${name}: ${place}`);
    for (const table of await tablesWith(db, secret)) found.push(`${name}: table ${table}`);
  }
  expect(found).toEqual([]);
  // The sweep reached what it sweeps.
  expect(api.log.match(/"route":"\/api\/notify\/channels\/:id\/test","status":200/g)?.length ?? 0).toBe(
    CHANNELS.length + 1,
  );
  expect(places['backup']?.includes('deckhand@example.org')).toBe(true);
  expect(Object.keys(places).length).toBeGreaterThan(40);
});
