import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HostParts, hostParts } from '../host-agent.ts';
import { DEFAULTS, type Settings } from '../settings.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { enrolAsClone, enrolPatiently } from './enrol.ts';

const ENROLLED = { server_id: 'server-1', agent_token: 'plm_agent_x', interval: 30 };
type Told = Response | Error;
const told = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });
const refusedConnection = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });

/** A host whose dashboard answers so, one after the other; what it asked, said and when, in seconds from the start. */
function host(answers: Told[], change: Partial<Settings> = {}) {
  const settings: Settings = {
    ...DEFAULTS,
    url: 'https://plimsoll.example',
    state_dir: join(temporaryFolder(), 'state'),
    enrolment_token: 'plm_enrol_hunter2',
    ...change,
  };
  const clock = fakeClock();
  const start = clock.up();
  const stop = new AbortController();
  const askedAt: number[] = [];
  const lines: string[] = [];
  const parts: HostParts = {
    ...hostParts(settings, () => undefined, false),
    clock,
    random: () => 0.5,
    log: (level, message, fields) => void lines.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
    fetchFrom: () => {
      askedAt.push(clock.up() - start);
      const next = answers.shift();
      if (answers.length === 0) stop.abort();
      return next instanceof Response ? Promise.resolve(next) : Promise.reject(next ?? refusedConnection);
    },
  };
  const enrol = () => enrolPatiently(settings, parts, 'plm_enrol_hunter2', stop.signal);
  const kept = (): boolean => existsSync(join(settings.state_dir, 'agent.json'));
  return { settings, parts, askedAt, lines, enrol, kept, stop };
}

describe('enrolPatiently', () => {
  it('takes what it gets at once, keeps it, and does not say the secret', async () => {
    const { enrol, kept, lines, askedAt } = host([told(200, ENROLLED)]);
    expect(await enrol()).toEqual({
      kind: 'enrolled',
      credentials: { server_id: 'server-1', agent_token: 'plm_agent_x' },
      intervalSeconds: 30,
    });
    expect([kept(), askedAt]).toEqual([true, [0]]);
    expect(lines).toEqual(['info enrolled {"server_id":"server-1"}']);
  });

  it('tries ever less often while nobody is there, and says so once', async () => {
    const { enrol, lines, askedAt } = host([
      ...Array.from({ length: 5 }, () => refusedConnection),
      told(200, ENROLLED),
    ]);
    expect(await enrol()).not.toBeNull();
    // 1 s + half of 5 s · 2ⁿ.
    expect(askedAt).toEqual([0, 3.5, 9.5, 20.5, 41.5, 82.5]);
    expect(lines).toEqual([
      'warn the server cannot be reached, enrolling again and again {"code":"ECONNREFUSED"}',
      'info enrolled {"server_id":"server-1"}',
    ]);
  });

  it('waits as long as a busy server asks', async () => {
    const busy = told(503, { code: 'busy' }, { 'retry-after': '17' });
    const { enrol, askedAt } = host([busy, told(200, ENROLLED)]);
    await enrol();
    expect(askedAt).toEqual([0, 17]);
  });

  it.each([400, 401, 403, 410])('ends when the server says %d: the token will never work', async (status) => {
    const answers = [told(status, { detail: 'Expired', code: 'x' }), told(200, ENROLLED)];
    const { enrol, kept, lines, askedAt } = host(answers);
    expect(await enrol()).toBeNull();
    expect([kept(), askedAt]).toEqual([false, [0]]);
    expect(lines).toEqual(['error enrolment refused: Expired {"code":"x"}']);
  });

  it('ends when it is told to stop', async () => {
    const { enrol, askedAt, kept } = host([refusedConnection, refusedConnection]);
    expect([await enrol(), askedAt.length, kept()]).toEqual([null, 2, false]);
    const { enrol: never, askedAt: notAsked, stop } = host([told(200, ENROLLED)]);
    stop.abort();
    expect([await never(), notAsked]).toEqual([null, []]);
  });
});

describe('enrolAsClone', () => {
  it('enrols as another server, and leaves the keeping to its caller', async () => {
    const bodies: string[] = [];
    const { settings, parts, kept } = host([told(200, ENROLLED)]);
    const { fetchFrom } = parts;
    const spied: HostParts['fetchFrom'] = async (url, init) => {
      const text = new Response(init.body).body?.pipeThrough(new DecompressionStream('gzip'));
      bodies.push(await new Response(text).text());
      return fetchFrom(url, init);
    };
    expect(await enrolAsClone(settings, { ...parts, fetchFrom: spied })).toEqual({
      server_id: 'server-1',
      agent_token: 'plm_agent_x',
    });
    expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ cloned: true, enrolment_token: 'plm_enrol_hunter2' });
    expect(kept()).toBe(false);
  });

  it.each<[string, Told, string]>([
    ['refused', told(401, { code: 'token_expired' }), 'token_expired'],
    ['out of reach', refusedConnection, 'ECONNREFUSED'],
  ])('is none when it is %s, and says why', async (_what, answer, code) => {
    const { settings, parts, lines } = host([answer]);
    expect(await enrolAsClone(settings, parts)).toBeNull();
    expect(lines).toEqual([`error enrolling as a clone failed {"code":"${code}"}`]);
  });

  it('without a token names the command that helps, and asks nobody', async () => {
    const { settings, parts, lines, askedAt } = host([told(200, ENROLLED)], { enrolment_token: null });
    expect(await enrolAsClone(settings, parts)).toBeNull();
    expect([askedAt, lines[0]]).toEqual([[], expect.stringContaining('plimsoll enrol --token TOKEN')]);
  });
});
