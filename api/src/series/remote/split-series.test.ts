import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coldEnd, splitSeries } from './split-series.ts';
import type { Coverage } from './types.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = 400 * DAY;
const START = 300 * DAY;

const bucket = (at: number, count: number) => ({ at, count });
const coverage = (more: Partial<Coverage> = {}): Coverage => ({
  tenant: 1,
  since: 0,
  verifiedTo: NOW,
  hours: [],
  ...more,
});
const QUERY = { from: START, to: START + 3 * HOUR, bucketSeconds: 60 };
const MINUTES = Array.from({ length: 180 }, (_, index) => bucket(START + index * MINUTE, 1));
const ROLLUPS = Array.from({ length: 36 }, (_, index) => bucket(START + index * 5 * MINUTE, 5));
const split = (
  cold: Parameters<typeof splitSeries<{ at: number; count: number }>>[1],
  coarse = ROLLUPS,
  rollupsFrom = 0,
) => splitSeries(coarse, cold, QUERY, rollupsFrom);
const hour = (index: number) => START + index * HOUR;

describe('coldEnd', () => {
  it('is where PostgreSQL has buckets of this length', () => {
    const query = { from: NOW - 100 * DAY, to: NOW };
    expect(coldEnd({ ...query, bucketSeconds: 60 }, NOW)).toBe(NOW - 7 * DAY);
    expect(coldEnd({ ...query, bucketSeconds: 600 }, NOW)).toBe(NOW - 90 * DAY);
    expect(coldEnd({ ...query, bucketSeconds: 21_600 }, NOW)).toBe(query.from);
    expect(coldEnd({ ...query, to: NOW - 20 * DAY, bucketSeconds: 60 }, NOW)).toBe(NOW - 20 * DAY);
    expect(coldEnd({ ...query, bucketSeconds: 60 }, NOW + 1)).toBe(NOW - 7 * DAY + MINUTE);
  });
});

describe('splitSeries', () => {
  it('answers what the store has', () => {
    expect(split({ buckets: MINUTES, coverage: coverage() })).toEqual({ buckets: MINUTES, unavailable: [] });
  });

  it.each(['late', 'missing', 'refused', 'lost'] as const)('answers the rollups of an hour that is %s', (reason) => {
    const hours = [{ at: hour(1), reason, detail: null }];
    const { buckets, unavailable } = split({ buckets: MINUTES, coverage: coverage({ hours }) });
    const words = { late: 'not_verified', missing: 'not_verified', refused: 'refused', lost: 'lost' };
    expect(unavailable).toEqual([{ from: hour(1), to: hour(2), reason: words[reason] }]);
    expect(buckets.filter(({ count }) => count === 5).map(({ at }) => at)).toEqual(
      ROLLUPS.map(({ at }) => at).filter((at) => at >= hour(1) && at < hour(2)),
    );
  });

  it('answers the rollups after the hours that are verified, and while the store is away', () => {
    expect(split({ buckets: MINUTES, coverage: coverage({ verifiedTo: hour(1) }) }).unavailable).toEqual([
      { from: hour(1), to: hour(3), reason: 'not_verified' },
    ]);
    expect(split({ buckets: null, coverage: coverage() })).toEqual({
      buckets: ROLLUPS,
      unavailable: [{ from: hour(0), to: hour(3), reason: 'store_unavailable' }],
    });
  });

  it('finds that the store lacks an hour which has rollups', () => {
    const rest = MINUTES.filter(({ at }) => at >= hour(1));
    const { buckets, unavailable } = split({ buckets: rest, coverage: coverage() });
    expect(unavailable).toEqual([{ from: hour(0), to: hour(1), reason: 'lost' }]);
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(180);
  });

  it('has nothing to say of hours before the store, and of hours without a report', () => {
    expect(split({ buckets: [], coverage: coverage({ since: hour(3) }) })).toEqual({
      buckets: ROLLUPS,
      unavailable: [],
    });
    expect(split({ buckets: null, coverage: coverage() }, []).unavailable).toEqual([]);
  });

  it('says that an hour is missing whose rollups are gone', () => {
    const { unavailable } = split({ buckets: null, coverage: coverage() }, [], hour(2));
    expect(unavailable).toEqual([{ from: hour(0), to: hour(2), reason: 'store_unavailable' }]);
  });

  it('answers every sample once, whatever the store lacks', () => {
    const open = fc.constantFrom<'late' | 'lost' | null>('late', 'lost', null);
    fc.assert(
      fc.property(fc.tuple(open, open, open), fc.nat(3), fc.uniqueArray(fc.nat(2)), (reasons, verified, absent) => {
        const hours = reasons.flatMap((reason, index) =>
          reason === null ? [] : [{ at: hour(index), reason, detail: null }],
        );
        const stored = MINUTES.filter(({ at }) => !absent.some((index) => Math.floor((at - START) / HOUR) === index));
        const cold = { buckets: stored, coverage: coverage({ hours, verifiedTo: hour(verified) }) };
        const { buckets } = split(cold);
        expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(180);
        expect(buckets.map(({ at }) => at)).toEqual(buckets.map(({ at }) => at).toSorted((a, b) => a - b));
      }),
    );
  });
});
