import { describe, expect, it } from 'vitest';
import type { Report } from '@plimsoll/contract/wire/report';
import { evaluate, type Tracks } from './evaluate.ts';
import { DEFAULT_RULES } from '../rules/rules.ts';

const MINUTE = 60_000;
const DAYS = 30;
const rules = DEFAULT_RULES.filter(({ metric }) => metric === 'cpu_usage');
const reportOf = (percent: number): Report => ({
  seq: 1,
  ts: 0,
  up: 0,
  kind: 'host',
  window_seconds: 60,
  cpu: {
    percent,
    io_wait_percent: null,
    steal_percent: null,
    user_percent: null,
    system_percent: null,
    per_core_percent: [],
  },
});

/** Normal numbers from a seed (mulberry32 and Box–Muller). */
function normals(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Returns the changes that send a message: an opening, a rise of the level, an end. */
function messages(values: Iterable<number>): { sent: number; crossings: number; firstAt: number | null } {
  let tracks: Tracks = {};
  let newest: number | null = null;
  const found = { sent: 0, crossings: 0, firstAt: null as number | null };
  let was = 0;
  let minute = 0;
  for (const value of values) {
    minute += 1;
    const at = minute * MINUTE;
    const result = evaluate(rules, { tracks, newest }, [{ at, receivedAt: at, report: reportOf(value) }]);
    tracks = result.tracks;
    newest = at;
    for (const { kind, level } of result.transitions)
      if (kind === 'opened' || kind === 'resolved' || (kind === 'level' && level === 'critical')) {
        found.sent += 1;
        found.firstAt ??= minute;
      }
    if (minute > 1 && was < 80 !== value < 80) found.crossings += 1;
    was = value;
  }
  return found;
}

/** `memory`: how much of a value is left in the next one; the spread of the values stays the same. */
function* noise(seed: number, deviation: number, memory: number): Generator<number> {
  const next = normals(seed);
  let value = 0;
  for (let minute = 0; minute < DAYS * 1440; minute += 1) {
    value = memory * value + Math.sqrt(1 - memory * memory) * next() * deviation;
    yield Math.min(100, Math.max(0, 80 + value));
  }
}

describe('30 days of noise round the line of the default rule', () => {
  it.each([
    [2, 0],
    [4, 0],
    [8, 0],
    [2, 0.5],
    [4, 0.5],
    [8, 0.5],
    [2, 0.9],
    [4, 0.9],
    [8, 0.9],
    [4, 0.97],
    [8, 0.97],
    [8, 0.99],
  ])('with a deviation of %d points and memory %d send at most 8 messages a day', (deviation, memory) => {
    for (const seed of [1, 2, 3]) {
      const { sent, crossings } = messages(noise(seed, deviation, memory));
      expect(crossings / DAYS).toBeGreaterThan(40);
      expect(sent / DAYS).toBeLessThanOrEqual(8);
    }
  });
  it('hide no step: it is found with the fifth sample', () => {
    const quiet = Array.from({ length: 60 }, () => 40);
    const step = Array.from({ length: 10 }, () => 88);
    expect(messages([...quiet, ...step])).toMatchObject({ sent: 1, firstAt: 65 });
  });
});
