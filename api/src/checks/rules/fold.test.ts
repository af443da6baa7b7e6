import { majorityOf } from '@plimsoll/contract/rules/check-limits';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { availabilityOf, type OutageStretch } from './availability.ts';
import { advance, type FoldChange, type FoldEvent, type FoldRule, freshMsOf, newFold } from './fold.ts';

const MINUTE = 60_000;
const event = (place: number, minute: number, ok: boolean | null): FoldEvent => ({
  place,
  at: minute * MINUTE,
  ok,
  reason: ok === null ? 'address_refused' : ok ? null : 'timeout',
  status: null,
  phase: null,
});
const RULE: FoldRule = { needed: 1, retries: 0, freshMs: 3 * MINUTE };
const statuses = (changes: readonly FoldChange[]) => changes.map(({ status, at }) => [status, at / MINUTE]);
const run = (events: readonly FoldEvent[], to: number, rule = RULE) =>
  statuses(advance(newFold(0), rule, events, to * MINUTE).changes);

describe('a check', () => {
  test('is down from its first failure, also with retries, and up with the first good result', () => {
    const events = [event(0, 1, true), event(0, 2, false), event(0, 3, false), event(0, 4, false), event(0, 5, true)];
    expect(run(events, 5)).toEqual([
      ['up', 1],
      ['down', 2],
      ['up', 5],
    ]);
    expect(run(events, 5, { ...RULE, retries: 2 })).toEqual([
      ['up', 1],
      ['down', 2],
      ['up', 5],
    ]);
    expect(run(events, 5, { ...RULE, retries: 3 })).toEqual([['up', 1]]);
  });

  test('of three places needs two that fail, and begins when the second failed', () => {
    const rule = { ...RULE, needed: 2 };
    const good = [1, 2, 3].map((place) => event(place, 1, true));
    expect(run([...good, event(1, 2, false)], 3, rule)).toEqual([['up', 1]]);
    expect(run([...good, event(1, 2, false), event(2, 3, false)], 3, rule)).toEqual([
      ['up', 1],
      ['down', 3],
    ]);
  });

  test('is unknown, never down, while fewer places vote than must fail', () => {
    const rule = { ...RULE, needed: 2 };
    expect(run([event(1, 1, false), event(2, 1, null)], 2, rule)).toEqual([]);
    const events = [event(1, 1, true), event(2, 1, true), event(1, 2, false), event(1, 3, false), event(1, 4, false)];
    // The second place is silent from minute 4 on.
    expect(run(events, 6, rule)).toEqual([
      ['up', 1],
      ['unknown', 4],
    ]);
  });

  test('that is never heard of again is unknown when its last vote ends', () => {
    expect(run([event(0, 1, true)], 60)).toEqual([
      ['up', 1],
      ['unknown', 4],
    ]);
  });

  test('a majority of places must fail by default', () => {
    expect([0, 1, 2, 3, 4, 5].map(majorityOf)).toEqual([1, 1, 2, 2, 3, 3]);
    expect(freshMsOf(60, 10_000)).toBe(190_000);
  });
});

/** Places that report, are silent or paused, and a clock of each that jumps. */
const histories = fc.record({
  needed: fc.integer({ min: 1, max: 3 }),
  retries: fc.integer({ min: 0, max: 2 }),
  results: fc.array(
    fc.record({
      place: fc.integer({ min: 0, max: 3 }),
      second: fc.integer({ min: 1, max: 1800 }),
      ok: fc.constantFrom(true, true, false, false, null),
    }),
    { maxLength: 60 },
  ),
  cuts: fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 6 }),
  maintenance: fc.array(fc.tuple(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 600 })), {
    maxLength: 3,
  }),
});
const SECOND = 1000;
const END = 2400;
const FRESH = 190;

/** Status of every second by the definition, from the raw results alone. */
function reference(rule: FoldRule, events: readonly FoldEvent[]): ('up' | 'down' | 'unknown')[] {
  const of = (second: number): 'up' | 'down' | 'unknown' => {
    const at = second * SECOND;
    let voted = 0;
    let failing = 0;
    for (const place of [0, 1, 2, 3]) {
      const own = events.filter((one) => one.place === place && one.at <= at);
      const latest = own.at(-1);
      if (latest === undefined || latest.ok === null || latest.at + FRESH * SECOND <= at) continue;
      voted += 1;
      const good = own.findLastIndex(({ ok }) => ok !== false);
      if (own.length - 1 - good > rule.retries) failing += 1;
    }
    return voted < rule.needed ? 'unknown' : failing >= rule.needed ? 'down' : 'up';
  };
  const confirmed = Array.from({ length: END }, (_, second) => of(second));
  // An outage reaches back to the first failure of the last needed place, but not before the status that was before.
  const result = [...confirmed];
  for (let second = 1; second < END; second += 1) {
    if (confirmed[second] !== 'down' || confirmed[second - 1] === 'down') continue;
    const firsts = [0, 1, 2, 3]
      .map((place) => events.filter((one) => one.place === place && one.at <= second * SECOND))
      .filter((own) => {
        const good = own.findLastIndex(({ ok }) => ok !== false);
        const latest = own.at(-1);
        return (
          latest !== undefined && latest.at + FRESH * SECOND > second * SECOND && own.length - 1 - good > rule.retries
        );
      })
      .map((own) => (own[own.findLastIndex(({ ok }) => ok !== false) + 1]?.at ?? 0) / SECOND)
      .toSorted((a, b) => a - b);
    const began = firsts[rule.needed - 1] ?? second;
    let from = second;
    const previous = confirmed[second - 1];
    while (from - 1 >= began && from > 0 && result[from - 1] === previous) from -= 1;
    for (let past = from; past < second; past += 1) result[past] = 'down';
  }
  return result;
}

test('outages and availability equal a reference from the raw results, however the results are cut into runs', () => {
  fc.assert(
    fc.property(histories, ({ needed, retries, results, cuts, maintenance }) => {
      const rule = { needed, retries, freshMs: FRESH * SECOND };
      const unique = new Map(results.map((one) => [`${String(one.place)} ${String(one.second)}`, one]));
      const events = [...unique.values()]
        .map(({ place, second, ok }) => ({ ...event(place, 0, ok), at: second * SECOND }))
        .toSorted((a, b) => a.at - b.at);
      let fold = newFold(0);
      const changes: FoldChange[] = [];
      for (const cut of [...cuts.toSorted((a, b) => a - b), END]) {
        const advanced = advance(
          fold,
          rule,
          events.filter(({ at }) => at <= cut * SECOND),
          cut * SECOND,
        );
        ({ fold } = advanced);
        changes.push(...advanced.changes);
      }
      const expected = reference(rule, events);
      const found = expected.map(
        (_, second) => changes.findLast(({ at }) => at <= second * SECOND)?.status ?? 'unknown',
      );
      expect(found).toEqual(expected);

      const outages = [{ status: 'unknown' as const, at: 0 }, ...changes].flatMap(
        ({ status, at }, index): OutageStretch[] =>
          status === 'up' ? [] : [{ kind: status, beganAt: at, endedAt: changes[index]?.at ?? null }],
      );
      const planned = maintenance.map(([from, length]) => ({ from: from * SECOND, to: (from + length) * SECOND }));
      const range = { from: 0, to: END * SECOND, since: 0 };
      const { goodMs, downMs, unknownMs, maintenanceMs } = availabilityOf(outages, planned, range);
      const isPlanned = (second: number) =>
        planned.some(({ from, to }) => second * SECOND >= from && second * SECOND < to);
      const count = (status: string) =>
        expected.filter((one, second) => one === status && !isPlanned(second)).length * SECOND;
      expect([goodMs, downMs, unknownMs]).toEqual([count('up'), count('down'), count('unknown')]);
      expect(maintenanceMs).toBe(expected.filter((_, second) => isPlanned(second)).length * SECOND);
    }),
  );
});
