import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskAt } from './lib/disk.ts';
import { Spool } from './send/spool.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
interface Seen {
  path: string;
  token: string | undefined;
  body: Record<string, unknown>;
}

/** A server that answers as `answer` says and notes what it was asked. */
async function serve(
  answer: (seen: Seen) => { status: number; body: unknown },
): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(gunzipSync(Buffer.concat(parts)).toString()) as Seen['body'];
      const one = { path: request.url ?? '', token: request.headers.authorization, body };
      seen.push(one);
      const { status, body: reply } = answer(one);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function contract({ path, body }: Seen): { status: number; body: unknown } {
  if (path.endsWith('/enrol')) {
    const server_id = '00000000-0000-4000-8000-000000000001';
    return { status: 200, body: { server_id, agent_token: 'plm_agent_secret', interval: 60 } };
  }
  if (path.endsWith('/bye')) return { status: 200, body: {} };
  const seqs = (body['reports'] as { seq: number }[]).map(({ seq }) => seq);
  const next = { interval: 60, delay: 0 };
  const ack = { upto: Math.max(...seqs), also: [] };
  return { status: 200, body: { ack, rejected: [], server_time: Date.now() / 1000, next, config_rev: 0 } };
}

function stateDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'collector-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function plimsoll(argv: string[], environment: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, ...argv], { env: { PATH: '/usr/bin:/bin', ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { child, output, ended };
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 15_000, interval: 20 }).toBe(true);
}

describe('plimsoll run', () => {
  it('enrols, reports at once, says goodbye on SIGTERM and exits with 0 within 2 s', async () => {
    const { url, seen } = await serve(contract);
    const state = stateDirectory();
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: state, PLIMSOLL_ENROLMENT_TOKEN: 'plm_enrol_secret' };
    const { child, output, ended } = plimsoll(['run'], environment);
    await until(() => seen.some(({ path }) => path.endsWith('/reports')));
    const stopped = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - stopped).toBeLessThan(2000);
    expect(seen.map(({ path, token }) => [path.split('/').at(-1), token])).toEqual([
      ['enrol', undefined],
      ['reports', 'Bearer plm_agent_secret'],
      ['bye', 'Bearer plm_agent_secret'],
    ]);
    const [report] = seen[1]!.body['reports'] as Record<string, unknown>[];
    const total = Number(/MemTotal:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024;
    expect(report).toMatchObject({ seq: 1, kind: 'host', memory: { total_bytes: total } });
    expect(statSync(join(state, 'agent.json')).mode & 0o777).toBe(0o600);
    expect(output.err).not.toMatch(/secret/);
    const lines = output.err.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'enrolled',
      'reporting',
      'stopped',
    ]);
  });

  it('exits with 78 when the enrolment is refused, and says what to do', async () => {
    const { url } = await serve(() => ({ status: 401, body: { detail: 'Enrolment token is expired.', code: 'x' } }));
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: stateDirectory(), PLIMSOLL_ENROLMENT_TOKEN: 'old' };
    const { output, ended } = plimsoll(['run'], environment);
    expect(await ended).toBe(78);
    expect(output.err).toContain('Enrolment token is expired.');
  });

  it('exits with 78 when the server was deleted', async () => {
    const { url } = await serve((seen) =>
      seen.path.endsWith('/reports') ? { status: 410, body: {} } : contract(seen),
    );
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: stateDirectory(), PLIMSOLL_ENROLMENT_TOKEN: 't' };
    const { output, ended } = plimsoll(['run'], environment);
    expect(await ended).toBe(78);
    expect(output.err).toContain('deleted in the dashboard');
  });

  it('exits with 78 when it is not enrolled and has no token', async () => {
    const { ended, output } = plimsoll(['run'], {
      PLIMSOLL_URL: 'http://127.0.0.1:1',
      PLIMSOLL_STATE_DIR: stateDirectory(),
    });
    expect(await ended).toBe(78);
    expect(output.err).toContain('plimsoll enrol');
  });
});

describe('plimsoll', () => {
  it('prints what it would send', async () => {
    const { ended, output } = plimsoll(['once', '--print'], { PLIMSOLL_STATE_DIR: stateDirectory() });
    expect(await ended).toBe(0);
    const printed = JSON.parse(output.out) as { cpu: { percent: number }; agent: { sources: object } };
    expect(printed.cpu.percent).toBeGreaterThanOrEqual(0);
    expect(Object.keys(printed.agent.sources)).toContain('filesystem');
  });

  it.each([
    [['--help'], 0, 'Usage: plimsoll COMMAND'],
    [['run', '--help'], 0, 'Exit status'],
    [['version'], 0, 'plimsoll 0.1.0'],
  ])('%j prints help', async (argv, status, text) => {
    const { ended, output } = plimsoll(argv, {});
    expect(await ended).toBe(status);
    expect(output.out).toContain(text);
  });

  it.each([
    [['runn'], 'Did you mean "run"?'],
    [['run', '--colour'], "Unknown option '--colour'"],
    [['run', '--config', '/nowhere/x.conf'], '/nowhere/x.conf: cannot be read'],
    [['enrol'], 'enrolment_token is not set'],
  ])('%j is wrong use', async (argv, text) => {
    const { ended, output } = plimsoll(argv, { PLIMSOLL_STATE_DIR: stateDirectory() });
    expect(await ended).toBe(64);
    expect(output.err).toContain(text);
  });
});

describe('secrets', () => {
  const PLANTED = 'hunter2-Zq7x';

  it('appear in no spool byte, request, log line or support bundle', async () => {
    const { url, seen } = await serve((request) =>
      request.path.endsWith('/reports') ? { status: 500, body: {} } : contract(request),
    );
    const state = stateDirectory();
    // A process that is not short-lived, with secrets in its arguments; it burns CPU so that it is among the top.
    const loop = 'for (;;) Math.random()';
    const victim = spawn(process.execPath, ['-e', loop, '--', `--password=${PLANTED}`, '--api-key', `${PLANTED}-b`]);
    onTestFinished(() => void victim.kill('SIGKILL'));
    const config = join(state, 'agent.conf');
    writeFileSync(config, `url = ${url}\nenrolment_token = plm_enrol_${PLANTED}\ninterval = 1\n`);
    const environment = { PLIMSOLL_STATE_DIR: state, DB_PASSWORD: PLANTED, PLIMSOLL_PROXY: '' };
    const { child, output, ended } = plimsoll(['run', '--config', config], environment);
    await until(() =>
      seen.some(({ path, body }) => path.endsWith('/reports') && JSON.stringify(body).includes('[redacted]')),
    );
    child.kill('SIGTERM');
    await ended;
    const bundle = plimsoll(['support-bundle', '--config', config], environment);
    expect(await bundle.ended).toBe(0);
    const spool = new Spool({ disk: diskAt(join(state, 'spool')), newStream: () => 'f'.repeat(32) });
    const spooled = await spool.load(spool.entries);
    expect(spooled.length).toBeGreaterThan(0);
    expect(JSON.stringify(spooled)).toContain('[redacted]');
    const reports = seen.filter(({ path }) => !path.endsWith('/enrol'));
    for (const text of [JSON.stringify(spooled), JSON.stringify(reports), output.err, output.out, bundle.output.out]) {
      expect(text.includes(PLANTED)).toBe(false);
    }
  });
});

describe('plimsoll status and check', () => {
  it('tell of a host that is not enrolled, and of one whose reports are accepted', async () => {
    const { url, seen } = await serve((request) =>
      request.path.endsWith('/enrol') && Object.keys(request.body).length === 0
        ? { status: 400, body: {} }
        : contract(request),
    );
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: stateDirectory(), PLIMSOLL_ENROLMENT_TOKEN: 't' };
    const before = plimsoll(['check'], environment);
    expect(await before.ended).toBe(1);
    expect(before.output.out).toContain('FAIL  enrolment: this host is not enrolled');
    plimsoll(['run'], environment);
    await until(() => seen.some(({ path }) => path.endsWith('/reports')));
    const status = async (): Promise<number | null> => plimsoll(['status'], environment).ended;
    await expect.poll(status, { timeout: 10_000 }).toBe(0);
    const after = plimsoll(['check'], environment);
    expect(await after.ended).toBe(0);
    expect(after.output.out).toMatch(/^ok {4}server: .* answers$/m);
    expect(after.output.out).toMatch(/^ok {4}delivery: accepted \d+ s ago; 0 reports wait$/m);
  });
});

describe('plimsoll change-owner', () => {
  it('asks for the token of the new owner and passes it on', async () => {
    const { url, seen } = await serve((request) =>
      request.path.endsWith('/change-owner') ? { status: 200, body: { owner: 'bob@example.com' } } : contract(request),
    );
    const state = stateDirectory();
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: state, PLIMSOLL_ENROLMENT_TOKEN: 't' };
    const unknown = plimsoll(['change-owner'], environment);
    unknown.child.stdin.end();
    expect(await unknown.ended).toBe(64);
    expect(await plimsoll(['enrol'], environment).ended).toBe(0);
    const { child, ended, output } = plimsoll(['change-owner'], environment);
    child.stdin.end('plm_api_new\n');
    expect(await ended).toBe(0);
    expect(output.out).toContain('bob@example.com');
    expect(seen.at(-1)).toMatchObject({ token: 'Bearer plm_agent_secret', body: { api_token: 'plm_api_new' } });
  });
});
