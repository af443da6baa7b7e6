import { describe, expect, it } from 'vitest';
import { joinShortGaps } from './join-short-gaps.ts';

/** A bucket a minute; a dot is one nothing came in. */
const minutes = (picture: string) =>
  picture.split('').map((sign, index) => ({ at: index * 60, avg: sign === '.' ? null : Number(sign) }));
const picture = (text: string, gaps: { from: number; to: number }[] = []) =>
  joinShortGaps(minutes(text), gaps)
    .map(({ avg }) => avg ?? '.')
    .join('');

describe('buckets nothing came in', () => {
  it('are left out between reports that come every other bucket, or every fifth', () => {
    expect(picture('1.2.3.4')).toBe('1234');
    expect(picture('1....2....3....4')).toBe('1234');
  });

  it('are left out where one report slipped into its neighbour', () => {
    expect(picture('1234.678')).toBe('1234678');
  });

  it('stay where reports are missing', () => {
    expect(picture('1234..789')).toBe('1234..789');
    expect(picture('1.2.3.....4.5')).toBe('123.....45');
  });

  it('stay in a gap that was told, however short', () => {
    expect(picture('1234.678', [{ from: 230, to: 310 }])).toBe('1234.678');
    expect(picture('12.4567.9', [{ from: 400, to: 500 }])).toBe('124567.9');
  });

  it('stay before the first report and after the last', () => {
    expect(picture('..123..')).toBe('..123..');
    expect(picture('...')).toBe('...');
    expect(picture('')).toBe('');
  });

  it('are not there in a full series, which is given back as it is', () => {
    const points = minutes('1234');
    expect(joinShortGaps(points, [])).toBe(points);
  });
});

it('joins reports that are as far apart as a gap may be, and not a second further', () => {
  // Reports come every two minutes, so that five minutes are no gap.
  const at = (last: number) => [0, 120, 240, 360, last].map((time, index) => ({ at: time, avg: index }));
  const withHole = (last: number) => [...at(last).slice(0, 4), { at: 420, avg: null }, ...at(last).slice(4)];
  expect(joinShortGaps(withHole(660), []).some(({ avg }) => avg === null)).toBe(false);
  expect(joinShortGaps(withHole(661), []).some(({ avg }) => avg === null)).toBe(true);
});

it('keeps apart what a gap touches on one side only by its end', () => {
  expect(picture('12.456', [{ from: 0, to: 60 }])).toBe('12456');
  expect(picture('12.456', [{ from: 180, to: 300 }])).toBe('12456');
});
