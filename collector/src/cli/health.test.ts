import { describe, expect, it } from 'vitest';
import { DEFAULTS } from '../settings.ts';
import type { Status } from '../send/status.ts';
import { judgeServer } from './check.ts';
import { describeSettings } from './config.ts';
import { type Finding, judgeRunning, judgeSources, printFindings, remedyOf } from './health.ts';
import { statusOf } from '../testing/status.ts';

const status = (change: Partial<Status>): Status => statusOf({ collected_at: 1000, accepted_at: 1000, ...change });
const states = (findings: Finding[]): string[] => findings.map(({ name, state }) => `${name} ${state}`);

describe('judgeRunning', () => {
  const alive = (): boolean => true;

  it.each([
    ['well', status({}), 1030, ['service ok', 'delivery ok']],
    ['never started', null, 1030, ['service fail']],
    ['hanging', status({}), 1181, ['service fail']],
    ['refused', status({ last_error: 'agent_token_unknown', pending: 9 }), 1030, ['service ok', 'delivery fail']],
    ['a clock that is right', status({ clock_skew_seconds: -29.9 }), 1030, ['service ok', 'delivery ok']],
    ['a clock never compared', status({ clock_skew_seconds: null }), 1030, ['service ok', 'delivery ok']],
    ['a wrong clock', status({ clock_skew_seconds: 30 }), 1030, ['service ok', 'delivery ok', 'clock warn']],
    ['reports dropped', status({ refused: { since: 900, reason: 'x' } }), 1030, ['service ok', 'delivery fail']],
    ['just started', status({ accepted_at: null, pending: 1 }), 1030, ['service ok', 'delivery warn']],
  ] as [string, Status | null, number, string[]][])('%s', (_what, seen, now, expected) => {
    expect(states(judgeRunning(seen, now, alive))).toEqual(expected);
  });

  it('says since when and why reports are refused', () => {
    const refused = { since: 1_770_000_000, reason: 'up: Invalid input' };
    const [, finding] = judgeRunning(status({ refused }), 1030, alive);
    expect(finding?.text).toBe('reports refused since 2026-02-02T02:40:00Z: up: Invalid input; 0 reports wait');
    expect(finding?.remedy).toContain('plimsoll update');
  });

  it('says that the token is unknown, since when, and what to do', () => {
    const unknown = { last_error: 'agent_token_unknown', token_refused_since: 1_770_000_000, pending: 9 };
    const [, finding] = judgeRunning(status(unknown), 1030, alive);
    expect(finding).toMatchObject({
      name: 'delivery',
      state: 'fail',
      text: expect.stringMatching(/does not know the token of this host since 2026-02-02T02:40:00Z.*9 reports wait$/),
      remedy: expect.stringContaining('plimsoll enrol --token'),
    });
  });

  it('warns of another machine with its machine id', () => {
    const [, , finding] = judgeRunning(status({ shares_machine_id_with: ['ct102'] }), 1030, alive);
    expect(finding).toMatchObject({ name: 'machine', state: 'warn', text: expect.stringContaining('ct102') });
    expect(finding?.remedy).toContain('systemd-machine-id-setup');
  });

  it('knows a process that is gone', () => {
    const [finding] = judgeRunning(status({}), 1030, () => false);
    expect(finding).toMatchObject({ state: 'fail', remedy: expect.stringContaining('systemctl start plimsoll') });
  });
});

it.each([
  ['ECONNREFUSED', 'reachable'],
  ['ENOTFOUND', 'name service'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ca_file'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ca_file'],
  ['agent_token_unknown', 'plimsoll enrol'],
  ['redirected', '"url"'],
  ['timeout', '10 s'],
  ['http_500', 'kept for 24 h'],
])('%s has a remedy that speaks of %s', (code, word) => {
  expect(remedyOf(code)).toContain(word);
});

it('names failed sources and those that could say more', () => {
  const sources = {
    cpu: { ok: true, duration_ms: 1, error: null },
    units: { ok: true, duration_ms: 1, error: 'systemd does not run here' },
    memory: { ok: false, duration_ms: 1, error: '/proc/meminfo has no "MemTotal" line' },
  };
  expect(states(judgeSources(sources))).toEqual(['source units warn', 'source memory fail']);
});

it.each([
  [{ kind: 'failed', code: 'ECONNREFUSED' }, 'fail'],
  [{ kind: 'answer', status: 400, body: null, retryAfterSeconds: null }, 'ok'],
  [{ kind: 'answer', status: 404, body: null, retryAfterSeconds: null }, 'fail'],
  [{ kind: 'answer', status: 503, body: { code: 'busy' }, retryAfterSeconds: 5 }, 'warn'],
] as const)('a server that gives %j: %s', (reply, state) => {
  expect(judgeServer('https://x', reply).state).toBe(state);
});

it('prints what is wrong with what to do', () => {
  const lines: string[] = [];
  printFindings([{ name: 'a', state: 'fail', text: 'broken', remedy: 'mend it' }], (text) => lines.push(text));
  expect(lines.join('')).toBe('FAIL  a: broken\n      → mend it\n');
});

it('never prints a secret among the settings', () => {
  const settings = { ...DEFAULTS, enrolment_token: 'hunter2', proxy: 'http://me:hunter2@proxy:3128', tags: { a: '1' } };
  const text = describeSettings({
    settings,
    origins: { proxy: 'PLIMSOLL_PROXY' },
    warnings: [],
    tokenProblem: null,
  }).join('\n');
  expect(text).not.toContain('hunter2');
  expect(text).toMatch(/^proxy = \(set\) +# PLIMSOLL_PROXY$/m);
  expect(text).toMatch(/^tags = a=1 +# default$/m);
});
