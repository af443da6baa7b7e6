import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { behindWords, bucketWords, growthWords, lagQuantity, untilFullWords } from './health-words.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const MB = 2 ** 20;
type Database = InstallationHealth['database'];
const database = (given: Partial<Database>): Database => ({
  location: 'embedded',
  postgres_version: '18',
  size_bytes: 400 * MB,
  largest_tables: [],
  growth_bytes_per_day: 12 * MB,
  growth_unknown_reason: null,
  growth_measured_from: '2026-11-17T12:00:00.000Z',
  free_bytes: 4096 * MB,
  free_unknown_reason: null,
  days_until_full: 341.3,
  days_until_full_unknown_reason: null,
  ...given,
});

describe('a delay', () => {
  it.each([
    [0, '0 ms'],
    [0.0204, '20 ms'],
    [0.9994, '999 ms'],
    [0.9996, '1.0 s'],
    [1, '1.0 s'],
    [1.44, '1.4 s'],
    [9.94, '9.9 s'],
    [9.96, '10 s'],
    [59.4, '59 s'],
    [59.7, '1 min'],
    [60, '1 min'],
    [720, '12 min'],
    [3569, '59 min'],
    [3599, '1.0 h'],
    [5400, '1.5 h'],
    [90_000, '25.0 h'],
  ])('of %d seconds has the unit that a person reads it in', (seconds, text) => {
    const { value, unit } = lagQuantity(seconds);
    expect(`${value ?? 'N/A'} ${unit ?? ''}`).toBe(text);
  });

  it('that is not known has no figure and no unit', () => {
    expect(lagQuantity(null)).toEqual({ value: null });
  });

  it('is never off by more than its last place, and never reaches the next unit', () => {
    const SECONDS = new Map([
      ['ms', 0.001],
      ['s', 1],
      ['min', 60],
      ['h', 3600],
    ]);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100_000, noNaN: true }), (seconds) => {
        const { value, unit = '' } = lagQuantity(seconds);
        const shown = Number(value?.replaceAll(',', ''));
        const step = SECONDS.get(unit) ?? Number.NaN;
        expect(Math.abs(shown * step - seconds)).toBeLessThanOrEqual(step * 0.501);
        expect(shown).toBeLessThan({ ms: 1000, s: 60, min: 60 }[unit] ?? Infinity);
      }),
    );
  });
});

describe('the growth of the database', () => {
  it('names its direction without a sign, and the time it was measured over', () => {
    expect(growthWords(database({}), NOW)).toBe('grows 12 MB a day, over 3 d');
    expect(growthWords(database({ growth_bytes_per_day: -3 * MB }), NOW)).toBe('shrinks 3 MB a day, over 3 d');
    expect(growthWords(database({ growth_bytes_per_day: 0 }), NOW)).toBe('does not grow, over 3 d');
  });

  it('names no time that is not known', () => {
    expect(growthWords(database({ growth_measured_from: null }), NOW)).toBe('grows 12 MB a day');
    expect(growthWords(database({ growth_measured_from: null, growth_bytes_per_day: 0 }), NOW)).toBe('does not grow');
  });

  it('has its reason while it is not known', () => {
    const unknown = { growth_bytes_per_day: null, growth_unknown_reason: 'two sizes are needed' };
    expect(growthWords(database(unknown), NOW)).toBe('growth N/A: two sizes are needed');
    expect(growthWords(database({ ...unknown, growth_unknown_reason: null }), NOW)).toBe('growth N/A: unknown');
  });
});

describe('the time until the disk is full', () => {
  it.each([
    [0, 'full in about 0 s'],
    [0.04, 'full in about 57 min'],
    [0.4, 'full in about 9 h'],
    [1.9, 'full in about 45 h'],
    [2, 'full in about 2 days'],
    [341.3, 'full in about 341 days'],
    [3650, 'full in about 3,650 days'],
    [3651, 'not full within 10 years'],
  ])('of %d days', (days, words) => expect(untilFullWords(database({ days_until_full: days }))).toBe(words));

  it('has its reason while there is no forecast', () => {
    const unknown = { days_until_full: null, days_until_full_unknown_reason: 'the database shrinks' };
    expect(untilFullWords(database(unknown))).toBe('forecast N/A: the database shrinks');
  });
});

it('tells a rollup that is up to date from one of which that is not known', () => {
  const level = (seconds: number | null) =>
    ({ behind_seconds: seconds }) as InstallationHealth['rollups']['levels'][number];
  expect([null, 0, 1, 5400].map((seconds) => behindWords(level(seconds)))).toEqual([
    null,
    'up to date',
    '1 s behind',
    '1 h behind',
  ]);
  expect([60, 300, 3600].map(bucketWords)).toEqual(['1 min', '5 min', '1 h']);
});
