import { describe, expect, it } from 'vitest';
import { holdsMoment, momentParameter, parseMoment, rangeAround, steppedMoment, withMoment } from './moment.ts';
import { parseRange, withRange } from './range.ts';

const NOW_MS = 1_800_000_000_000;
const NOW = NOW_MS / 1000;

describe('a moment in the address', () => {
  it('comes back as it went in, beside the range', () => {
    const search = withMoment(withRange(new URLSearchParams('search=x'), { kind: 'relative', hours: 6 }), NOW + 0.9);
    expect(search.get('at')).toBe('2027-01-15T08:00Z');
    expect(parseMoment(search)).toBe(NOW);
    expect(parseRange(search)).toEqual({ kind: 'relative', hours: 6 });
    expect(withMoment(search, null).toString()).toBe('search=x&hours=6');
  });

  it('is a minute, and keeps the second of an alert; old links have epoch seconds', () => {
    const read = (text: string) => parseMoment(new URLSearchParams({ at: text }));
    expect(momentParameter(NOW + 61)).toBe('2027-01-15T08:01:01Z');
    expect([read('2027-01-15T08:01:01Z'), read('2027-01-15T08:00Z'), read(String(NOW))]).toEqual([NOW + 61, NOW, NOW]);
  });

  it.each(['', '-1', '1e9', '12.5', 'now', '9'.repeat(12), '2026-13-40T99:00Z', '2026-11-20', '2026-11-20T03:12'])(
    'is none where it says %j',
    (text) => {
      expect(parseMoment(new URLSearchParams({ at: text }))).toBeNull();
    },
  );
});

describe('the range around a moment', () => {
  const day = { kind: 'relative', hours: 24 } as const;

  it('stays where it shows the moment', () => {
    expect(rangeAround(day, null, NOW_MS)).toBe(day);
    expect(rangeAround(day, NOW - 86_399, NOW_MS)).toBe(day);
    const stretch = { kind: 'absolute', from: 100, to: 200 } as const;
    expect(rangeAround(stretch, 200, NOW_MS)).toBe(stretch);
    expect(holdsMoment(stretch, 201, NOW_MS)).toBe(false);
  });

  it('moves to it with its own length', () => {
    const at = NOW - 7 * 86_400;
    expect(rangeAround(day, at, NOW_MS)).toEqual({ kind: 'absolute', from: at - 43_200, to: at + 43_200 });
    const stretch = { kind: 'absolute', from: 1000, to: 1201 } as const;
    expect(rangeAround(stretch, 50, NOW_MS)).toEqual({ kind: 'absolute', from: 0, to: 151 });
  });

  it('never shows the future', () => {
    const stretch = { kind: 'absolute', from: 1000, to: 4600 } as const;
    expect(rangeAround(stretch, NOW - 60, NOW_MS)).toEqual({ kind: 'absolute', from: NOW - 1860, to: NOW });
  });
});

describe('keys along a chart', () => {
  const moments = Array.from({ length: 30 }, (_, index) => 100 + index * 10);

  it.each([
    ['ArrowRight', 150, 160],
    ['ArrowRight', 154, 160],
    ['ArrowLeft', 154, 150],
    ['ArrowLeft', 150, 140],
    ['ArrowRight', 390, 390],
    ['ArrowLeft', 100, 100],
    ['ArrowRight', 5000, 390],
    ['ArrowLeft', 0, 100],
    ['PageUp', 150, 250],
    ['PageDown', 250, 150],
    ['Home', 250, 100],
    ['End', 250, 390],
    ['a', 250, null],
  ])('%s from %i goes to %j', (key, at, expected) => {
    expect(steppedMoment(moments, at, key)).toBe(expected);
  });

  it('go nowhere without points', () => {
    expect(steppedMoment([], 5, 'ArrowRight')).toBeNull();
  });
});
