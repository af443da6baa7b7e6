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
