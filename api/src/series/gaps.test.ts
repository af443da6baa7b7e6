import { describe, expect, it } from 'vitest';
import { explainGap } from './gaps.ts';
import type { GapFacts, LedgerEntry } from './gaps.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const T = Date.UTC(2026, 0, 10, 12);
const entry = (minutes: number, parts: Partial<LedgerEntry> = {}): LedgerEntry => ({
  at: T + minutes * MINUTE,
  upSeconds: 100_000 + minutes * 60,
  boot: 1,
  stream: 1,
  seq: 1000 + minutes,
  ...parts,
});
const facts = (parts: Partial<GapFacts>): GapFacts => ({
  before: entry(0),
  after: entry(60),
  signOffs: [],
  resumedAt: [],
  dropped: [],
  outages: [],
  intervalSeconds: 60,
  ...parts,
});
const reasons = (parts: Partial<GapFacts>, now = T + 2 * HOUR) =>
  explainGap(facts(parts), now).map(({ reason }) => reason);

describe('a host that is silent still', () => {
  it('is not explained before it is heard', () => {
    expect(explainGap(facts({ after: null }), T + HOUR)).toMatchObject([{ from: T, to: T + HOUR, reason: 'silent' }]);
  });
  it('has an agent that signed off', () => {
    const signOffs = [{ at: T + MINUTE, reason: 'uninstall' }];
    const [gap] = explainGap(facts({ after: null, signOffs }), T + HOUR);
    expect(gap).toMatchObject({ reason: 'agent_stopped', detail: /signed off \(uninstall\) at 2026-01-10 12:01 UTC/ });
  });
});

it.each([
  ['silent still', null],
  ['back', entry(60, { seq: 1001 })],
])('of several goodbyes the last one counts: %s', (_name, after) => {
  const signOffs = [
    { at: T + MINUTE, reason: 'restart' },
    { at: T + 2 * MINUTE, reason: 'stop' },
  ];
  const [gap] = explainGap(facts({ after, signOffs }), T + 2 * HOUR);
  expect(gap?.detail).toContain('signed off (stop) at 2026-01-10 12:02 UTC');
});

describe('another boot', () => {
  it('is a reboot when the host is back within minutes', () => {
    expect(reasons({ after: entry(5, { boot: 2, upSeconds: 120, seq: 1001 }) })).toEqual(['rebooted']);
  });
  it('says the host was off when it took longer', () => {
    const [gap] = explainGap(facts({ after: entry(60, { boot: 2, upSeconds: 60, seq: 1001 }) }), T + 2 * HOUR);
    expect(gap).toMatchObject({ reason: 'host_off', from: T, to: T + HOUR, detail: /up to 59 min/ });
  });
  it('is cut in two when the agent came long after the boot', () => {
    const gaps = explainGap(facts({ after: entry(60, { boot: 2, upSeconds: 50 * 60, seq: 1001 }) }), T + 2 * HOUR);
    expect(gaps).toMatchObject([
      { from: T, to: T + 10 * MINUTE, reason: 'rebooted' },
      { from: T + 10 * MINUTE, to: T + HOUR, reason: 'agent_stopped' },
    ]);
  });
  it.each([
    ['15 min', 5 * 60, 'rebooted'],
    ['longer', 5 * 60 - 1, 'host_off'],
  ])('%s without the host, up for %i s since, is: %s', (_name, upSeconds, reason) => {
    expect(reasons({ after: entry(20, { boot: 2, upSeconds, seq: 1001 }) })).toEqual([reason, 'agent_stopped']);
  });
  it('is one stretch while the agent came within two and a half intervals of it', () => {
    expect(reasons({ after: entry(10, { boot: 2, upSeconds: 150, seq: 1001 }) })).toEqual(['rebooted']);
    expect(reasons({ after: entry(10, { boot: 2, upSeconds: 151, seq: 1001 }) })).toEqual([
      'rebooted',
      'agent_stopped',
    ]);
  });
  it('never begins before the report that came last, however the clock was set', () => {
    const gaps = explainGap(facts({ after: entry(60, { boot: 2, upSeconds: 9e9, seq: 1001 }) }), T + 2 * HOUR);
    expect(gaps.map(({ from, to }) => [from, to])).toEqual([
      [T, T],
      [T, T + HOUR],
    ]);
  });
});

describe('the same boot', () => {
  it('without a missing seq says the agent took no samples', () => {
    expect(reasons({ after: entry(60, { seq: 1001 }) })).toEqual(['agent_stopped']);
    expect(reasons({ after: entry(60, { stream: 2, seq: 1 }) })).toEqual(['agent_stopped']);
  });
  it('names the goodbye', () => {
    const signOffs = [{ at: T + MINUTE, reason: 'restart' }];
    expect(explainGap(facts({ signOffs, after: entry(60, { seq: 1001 }) }), T + 2 * HOUR)[0]?.detail).toContain(
      '(restart)',
    );
  });
  it('with every missing seq given up says they were dropped, and why', () => {
    const dropped = [{ from: 1001, to: 1059, why: 'spool_full' }];
    expect(explainGap(facts({ dropped }), T + 2 * HOUR)).toMatchObject([{ reason: 'dropped', detail: /spool_full/ }]);
  });
  it('with some on the way says the link was lost, and how many', () => {
    const dropped = [{ from: 1001, to: 1010, why: 'spool_full' }];
    expect(explainGap(facts({ dropped }), T + 2 * HOUR)).toMatchObject([{ reason: 'link_lost', detail: /49 reports/ }]);
  });
  it('lays it at our own door when this API was down', () => {
    expect(reasons({ outages: [{ from: T + MINUTE, to: T + 50 * MINUTE }] })).toEqual(['server_down']);
    for (const [from, to] of [
      [T - HOUR, T],
      [T + HOUR, T + 2 * HOUR],
    ] as const)
      expect(reasons({ outages: [{ from, to }] })).toEqual(['link_lost']);
  });
  it('is unexplained when they did not come within 26 h', () => {
    expect(reasons({}, T + HOUR + 26 * HOUR)).toEqual(['link_lost']);
    expect(reasons({}, T + HOUR + 26 * HOUR + 1)).toEqual(['unexplained']);
  });
});

describe('a host that was suspended', () => {
  const back = entry(60, { seq: 1001 });
  it('is named where the collector says so', () => {
    const [gap] = explainGap(facts({ after: back, resumedAt: [back.at] }), T + 2 * HOUR);
    expect(gap).toMatchObject({
      from: T,
      to: back.at,
      reason: 'suspended',
      detail: /suspended and was back at 2026-01-10 13:00 UTC/,
    });
  });
  it('is no cause where the agent signed off, reports are missing or the host booted', () => {
    const resumedAt = [back.at];
    expect(reasons({ after: back, resumedAt, signOffs: [{ at: T + MINUTE, reason: 'stop' }] })).toEqual([
      'agent_stopped',
    ]);
    expect(reasons({ after: entry(60), resumedAt })).toEqual(['link_lost']);
    expect(reasons({ after: entry(5, { boot: 2, upSeconds: 120, seq: 1001 }), resumedAt })).toEqual(['rebooted']);
  });
});
