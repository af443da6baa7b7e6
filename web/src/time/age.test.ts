import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageText, momentMs, shortAge, uptimeText } from './age.ts';

describe('ages', () => {
  it.each([
    [0, '0 s', '0s'],
    [59.9, '59 s', '59s'],
    [60, '1 min', '1m'],
    [3599, '59 min', '59m'],
    [3600, '1 h', '1h'],
    [86_399, '23 h', '23h'],
    [86_400, '24 h', '1d'],
    [172_800, '2 d', '2d'],
    [-5, '0 s', '0s'],
    [Number.NaN, 'Unknown', 'Unknown'],
  ])('%d s is "%s" and "%s"', (seconds, long, short) => {
    expect(ageText(seconds)).toBe(long);
    expect(shortAge(seconds)).toBe(short);
  });
});

describe('momentMs', () => {
  it('reads ISO times and epoch seconds, and knows what is neither', () => {
    expect(momentMs('2026-01-01T00:00:00.000Z')).toBe(1_767_225_600_000);
    expect(momentMs(1_767_225_600)).toBe(1_767_225_600_000);
    expect([momentMs('soon'), momentMs(null), momentMs(undefined), momentMs(Number.NaN)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('uptimeText', () => {
  it.each([
    [null, null],
    [-1, null],
    [0, '0m'],
    [59, '0m'],
    [720, '12m'],
    [15_120, '4h 12m'],
    [533_000, '6d 4h'],
  ])('%s s is %s', (seconds, text) => expect(uptimeText(seconds)).toBe(text));
});

describe('the hours of an uptime', () => {
  it.each([
    [3599, '59m'],
    [3600, '1h 0m'],
    [86_399, '23h 59m'],
    [86_400, '1d 0h'],
    [86_400 + 13 * 3600, '1d 13h'],
    [86_400 + 23 * 3600 + 3599, '1d 23h'],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
  ])('%d s is %s', (seconds, text) => expect(uptimeText(seconds)).toBe(text));

  it('never say more than has passed, nor a day or more less', () => {
    const UNITS = { d: 86_400, h: 3600, m: 60 };
    const inSeconds = (text: string) =>
      [...text.matchAll(/(\d+)([dhm])/g)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * UNITS[unit as keyof typeof UNITS],
        0,
      );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (seconds) => {
        const shown = inSeconds(uptimeText(seconds) ?? '');
        expect(seconds - shown).toBeGreaterThanOrEqual(0);
        expect(seconds - shown).toBeLessThan(seconds < 86_400 ? 60 : 3600);
      }),
    );
  });
});
