import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diskAt } from './runtime/disk.ts';
import { Spool } from './send/spool.ts';
import { temporaryFolder } from './testing/folder.ts';
import { contract, serve } from './testing/loopback-api.ts';
import { plimsoll, until } from './testing/process.ts';

describe('plimsoll run', () => {
  it('enrols, reports at once, says goodbye on SIGTERM and exits with 0 within 2 s', async () => {
    const { url, seen } = await serve(contract);
    const state = temporaryFolder();
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: state, PLIMSOLL_ENROLMENT_TOKEN: 'plm_enrol_secret' };
    const { child, output, ended } = plimsoll(['run'], environment);
    await until(() => seen.some(({ path }) => path.endsWith('/reports')));
    const stopped = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const took = performance.now() - stopped;
    // A start that only prints, a quarter of a second when idle, measures how busy the machine is.
    const started = performance.now();
    await plimsoll(['run', '--help'], {}).ended;
    expect(took).toBeLessThan(Math.max(2000, 8 * (performance.now() - started)));
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
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: temporaryFolder(), PLIMSOLL_ENROLMENT_TOKEN: 'old' };
    const { output, ended } = plimsoll(['run'], environment);
    expect(await ended).toBe(78);
    expect(output.err).toContain('Enrolment token is expired.');
  });

  it('exits with 78 when the server was deleted', async () => {
    const { url } = await serve((seen) =>
      seen.path.endsWith('/reports') ? { status: 410, body: {} } : contract(seen),
    );
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: temporaryFolder(), PLIMSOLL_ENROLMENT_TOKEN: 't' };
    const { output, ended } = plimsoll(['run'], environment);
    expect(await ended).toBe(78);
    expect(output.err).toContain('deleted in the dashboard');
  });

  it('exits with 78 when it is stopped while its token is unknown, and its status names that', async () => {
    const { url, seen } = await serve((request) =>
      request.path.endsWith('/reports') ? { status: 401, body: { code: 'agent_token_unknown' } } : contract(request),
    );
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: temporaryFolder(), PLIMSOLL_ENROLMENT_TOKEN: 't' };
    const { child, output, ended } = plimsoll(['run'], environment);
    await until(() => seen.some(({ path }) => path.endsWith('/reports')) && output.err.includes('does not know'));
    child.kill('SIGTERM');
    expect(await ended).toBe(78);
    expect(output.err).toMatch(/stopped; the server does not know the token of this host/);
  });

  it('exits with 78 when it is not enrolled and has no token', async () => {
    const { ended, output } = plimsoll(['run'], {
      PLIMSOLL_URL: 'http://127.0.0.1:1',
      PLIMSOLL_STATE_DIR: temporaryFolder(),
    });
    expect(await ended).toBe(78);
    expect(output.err).toContain('plimsoll enrol');
  });
});

describe('plimsoll', () => {
  it('prints what it would send', async () => {
    const { ended, output } = plimsoll(['once', '--print'], { PLIMSOLL_STATE_DIR: temporaryFolder() });
    expect(await ended).toBe(0);
    const printed = JSON.parse(output.out) as { cpu: { percent: number }; agent: { sources: object } };
    expect(printed.cpu.percent).toBeGreaterThanOrEqual(0);
    expect(Object.keys(printed.agent.sources)).toContain('filesystem');
  });

  it('says at its end how it went, and to the right stream', async () => {
    const [helped, wrong] = [plimsoll(['run', '--help'], {}), plimsoll(['runn'], {})];
    expect([await helped.ended, await wrong.ended]).toEqual([0, 64]);
    expect([helped.output.out, helped.output.err]).toEqual([expect.stringContaining('Exit status'), '']);
    expect([wrong.output.out, wrong.output.err]).toEqual(['', expect.stringContaining('Did you mean "run"?')]);
  });
});

describe('secrets', () => {
  const PLANTED = 'hunter2-Zq7x';

  it('appear in no spool byte, request, log line or support bundle', async () => {
    const { url, seen } = await serve((request) =>
      request.path.endsWith('/reports') ? { status: 500, body: {} } : contract(request),
    );
    const state = temporaryFolder();
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
    const environment = { PLIMSOLL_URL: url, PLIMSOLL_STATE_DIR: temporaryFolder(), PLIMSOLL_ENROLMENT_TOKEN: 't' };
    const before = plimsoll(['check'], environment);
    expect(await before.ended).toBe(1);
    expect(before.output.out).toContain('FAIL  enrolment: this host is not enrolled');
    plimsoll(['run'], environment);
    await until(() => seen.some(({ path }) => path.endsWith('/reports')));
    const status = async (): Promise<number | null> => plimsoll(['status'], environment).ended;
    await expect.poll(status, { timeout: 40_000 }).toBe(0);
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
    const state = temporaryFolder();
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
