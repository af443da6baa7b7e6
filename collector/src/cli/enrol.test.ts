import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installed, plimsoll } from '../testing/command.ts';
import { contract, NO_DASHBOARD, serve, SERVER_ID, type Told } from '../testing/loopback-api.ts';

const secretsIn = (state: string): boolean => existsSync(join(state, 'agent.json'));

describe('plimsoll enrol', () => {
  it('keeps the secret it got where only its user can read it, and shows it to nobody', async () => {
    const { url, seen } = await serve(contract);
    const { state, config } = installed({ url, tags: 'room=3', enrolment_token: 'plm_enrol_x' });
    const ran = await plimsoll(['enrol', ...config]);
    expect(ran).toEqual({ status: 0, out: `Enrolled as ${SERVER_ID}\n`, err: '' });
    const file = join(state, 'agent.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ server_id: SERVER_ID, agent_token: 'plm_agent_secret' });
    expect([statSync(file).mode & 0o777, statSync(state).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(seen).toEqual([
      {
        path: '/api/agent/v1/enrol',
        token: undefined,
        body: {
          enrolment_token: 'plm_enrol_x',
          machine_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          hostname: expect.stringMatching(/\S/),
          boot_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          tags: { room: '3' },
        },
      },
    ]);
  });

  it('says the same of the machine each time, so that a reinstalled host is the same server', async () => {
    const { url, seen } = await serve(contract);
    const { config } = installed({ url, enrolment_token: 't' });
    await plimsoll(['enrol', ...config]);
    await plimsoll(['enrol', ...config]);
    const [first, second] = seen.map(({ body }) => body['machine_hash']);
    expect(first).toBe(second);
  });

  it('takes the token of the command line before the one of the file', async () => {
    const { url, seen } = await serve(contract);
    const { config } = installed({ url, enrolment_token: 'of-the-file' });
    expect((await plimsoll(['enrol', '--token', 'typed', ...config])).status).toBe(0);
    expect(seen[0]?.body['enrolment_token']).toBe('typed');
  });

  it.each<[string, Told, number, string]>([
    ['unknown token', { status: 401, body: { detail: 'Unknown token', code: 'x' } }, 78, 'Unknown token'],
    ['expired token', { status: 403, body: { detail: 'Expired' } }, 78, 'Expired'],
    ['used-up token', { status: 410, body: { detail: 'Used up' } }, 78, 'Used up'],
    ['request not understood', { status: 422, body: {} }, 78, 'the server answered 422'],
    ['something else at this address', { status: 404, body: '<html>' }, 78, 'the server answered 404'],
    ['busy', { status: 429, body: { code: 'rate_limited' } }, 1, 'the server cannot be reached (rate_limited)'],
    ['restarting', { status: 503, body: {} }, 1, 'the server cannot be reached (http_503)'],
    ['broken', { status: 500, body: { code: 'internal' } }, 1, 'the server cannot be reached (internal)'],
    ['redirected', { status: 302, body: {}, headers: { location: '/elsewhere' } }, 1, '(redirected)'],
    ['empty answer', { status: 200, body: {} }, 1, '(answer_unreadable)'],
    ['answer without an id', { status: 200, body: { agent_token: 'a', interval: 60 } }, 1, '(answer_unreadable)'],
  ])('%s: exit status and reason, and nothing is kept', async (_what, told, status, reason) => {
    const { url } = await serve(() => told);
    const { state, config } = installed({ url, enrolment_token: 'plm_enrol_hunter2' });
    const ran = await plimsoll(['enrol', ...config]);
    expect(ran).toMatchObject({ status, out: '', err: expect.stringContaining(reason) });
    expect(ran.err).toMatch(/^Not enrolled: .*\n$/);
    expect(ran.err).not.toContain('hunter2');
    expect(secretsIn(state)).toBe(false);
  });

  it('a refused new enrolment leaves the old one as it was', async () => {
    let told: Told = { status: 200, body: { server_id: 'old', agent_token: 'old', interval: 60 } };
    const { url } = await serve(() => told);
    const { state, config } = installed({ url, enrolment_token: 't' });
    await plimsoll(['enrol', ...config]);
    told = { status: 401, body: {} };
    expect((await plimsoll(['enrol', ...config])).status).toBe(78);
    expect(readFileSync(join(state, 'agent.json'), 'utf8')).toContain('"server_id": "old"');
  });

  it('a dashboard that is down is named by the reason, without its address', async () => {
    const { config } = installed({ url: NO_DASHBOARD, enrolment_token: 't' });
    expect(await plimsoll(['enrol', ...config])).toEqual({
      status: 1,
      out: '',
      err: 'Not enrolled: the server cannot be reached (ECONNREFUSED)\n',
    });
  });

  it.each<[string, Record<string, string>, string[], string]>([
    ['no token', {}, [], 'enrolment_token is not set. Copy one from the Setup page'],
    ['a token of two words', {}, ['--token', 'a b'], 'must be one word'],
    ['an empty token', {}, ['--token', ''], 'must be one word'],
    ['no address', { url: '', enrolment_token: 't' }, [], 'url must be the address'],
    ['plain http', { url: 'http://plimsoll.example', enrolment_token: 't' }, [], 'allow_http = true'],
    [
      'an authority that is not there',
      { ca_file: '/nowhere/ca.pem', enrolment_token: 't' },
      [],
      '/nowhere/ca.pem cannot',
    ],
    [
      'an authority that is none',
      { ca_file: '/etc/hostname', enrolment_token: 't' },
      [],
      'holds no certificate in PEM',
    ],
  ])('%s is wrong use and asks nobody', async (_what, settings, argv, reason) => {
    const { url, seen } = await serve(contract);
    const { config } = installed({ url, ...settings });
    expect(await plimsoll(['enrol', ...argv, ...config])).toMatchObject({
      status: 64,
      err: expect.stringMatching(/^plimsoll enrol: /),
    });
    expect((await plimsoll(['enrol', ...argv, ...config])).err).toContain(reason);
    expect(seen).toEqual([]);
  });

  it('a state directory that cannot be made is named, and no token is spent on it', async () => {
    const { url, seen } = await serve(contract);
    const { state, config } = installed({ url, enrolment_token: 't' });
    writeFileSync(state, 'a file in the way');
    const { status, err } = await plimsoll(['enrol', ...config]);
    expect([status, err]).toEqual([1, expect.stringContaining(state)]);
    expect(seen).toEqual([]);
  });
});
