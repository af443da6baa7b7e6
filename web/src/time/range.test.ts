import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RANGE, endingAt, parseRange, rangeBounds, rangeLabel, rangeQuery, withRange } from './range.ts';

const search = (text: string) => new URLSearchParams(text);

describe('parseRange', () => {
  it('reads hours and absolute ranges', () => {
    expect(parseRange(search('hours=6'))).toEqual({ kind: 'relative', hours: 6 });
    expect(parseRange(search('from=1000&to=2000'))).toEqual({ kind: 'absolute', from: 1000, to: 2000 });
  });

  it.each([
    '',
    'hours=0',
    'hours=8761',
    'hours=1.5',
    'hours=abc',
    'hours=',
    'from=2000&to=1000',
    'from=5',
    'from=a&to=b',
    'from=1000&to=1059',
  ])('falls back to 24 h for "%s"', (text) => expect(parseRange(search(text))).toEqual(DEFAULT_RANGE));

  it('reads a stretch of exactly a minute, and the most hours there are', () => {
    expect(parseRange(search('from=1000&to=1060'))).toEqual({ kind: 'absolute', from: 1000, to: 1060 });
    expect(parseRange(search('hours=8760'))).toEqual({ kind: 'relative', hours: 8760 });
    expect(parseRange(search('hours=1'))).toEqual({ kind: 'relative', hours: 1 });
  });

  it('reads back what withRange wrote and keeps other parameters', () => {
    const hours = fc.integer({ min: 1, max: 8760 }).map((value) => ({ kind: 'relative' as const, hours: value }));
    const stretch = fc
      .tuple(fc.integer({ min: 0, max: 2e9 }), fc.integer({ min: 60, max: 1e6 }))
      .map(([from, length]) => ({ kind: 'absolute' as const, from, to: from + length }));
    fc.assert(
      fc.property(fc.oneof(hours, stretch), (range) => {
        const written = withRange(search('server=a&hours=3'), range);
        expect(written.get('server')).toBe('a');
        expect(parseRange(written)).toEqual(range);
      }),
    );
  });
});

describe('ranges', () => {
  it('leaves the default unsaid', () => {
    expect(withRange(search('hours=6'), DEFAULT_RANGE).toString()).toBe('');
  });

  it('asks by hours or by dates', () => {
    expect(rangeQuery({ kind: 'relative', hours: 12 })).toEqual({ hours: 12 });
    expect(rangeQuery({ kind: 'absolute', from: 1, to: 99 })).toEqual({ start_date: 1, end_date: 99 });
  });

  it('gives bounds in epoch seconds', () => {
    expect(rangeBounds({ kind: 'relative', hours: 1 }, 7_200_500)).toEqual({ from: 3600, to: 7200 });
  });

  it('labels hours and days', () => {
    expect([1, 6, 12, 24, 72, 168, 8760].map(rangeLabel)).toEqual(['1h', '6h', '12h', '24h', '3d', '7d', '1y']);
  });
});

describe('the edges of a range', () => {
  it('writes a stretch of broken seconds so that it still holds what it held', () => {
    const written = withRange(search(''), { kind: 'absolute', from: 1000.9, to: 2000.1 });
    expect(parseRange(written)).toEqual({ kind: 'absolute', from: 1000, to: 2001 });
  });

  it('replaces a range of the other kind: an address with both would show the older one', () => {
    expect(withRange(search('from=1000&to=2000&tab=x'), { kind: 'relative', hours: 6 }).toString()).toBe(
      'tab=x&hours=6',
    );
    expect(withRange(search('hours=6'), { kind: 'absolute', from: 1000, to: 2000 }).toString()).toBe(
      'from=1000&to=2000',
    );
  });

  it('says the default where the page has another one', () => {
    const page = { kind: 'relative' as const, hours: 168 };
    expect(withRange(search(''), page, page).toString()).toBe('');
    expect(withRange(search(''), DEFAULT_RANGE, page).toString()).toBe('hours=24');
    expect(parseRange(search('hours=nine'), page)).toEqual(page);
    const stretch = { kind: 'absolute' as const, from: 0, to: 60 };
    expect(withRange(search(''), DEFAULT_RANGE, stretch).toString()).toBe('hours=24');
  });

  it('of a moment is the hours before it, and a stretch stays', () => {
    expect(endingAt({ kind: 'relative', hours: 6 }, 100_000)).toEqual({ kind: 'absolute', from: 78_400, to: 100_000 });
    expect(endingAt({ kind: 'relative', hours: 6 }, undefined)).toEqual({ kind: 'relative', hours: 6 });
    const stretch = { kind: 'absolute' as const, from: 1000, to: 2000 };
    expect(endingAt(stretch, 100_000)).toEqual(stretch);
  });

  it('names days from two on, and a year', () => {
    expect([23, 24, 25, 36, 48, 49, 720, 2160].map(rangeLabel)).toEqual([
      '23h',
      '24h',
      '25h',
      '36h',
      '2d',
      '49h',
      '30d',
      '90d',
    ]);
  });
});
