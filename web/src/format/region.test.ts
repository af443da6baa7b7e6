import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COUNTRIES, countryOf } from './region.ts';

describe('countryOf', () => {
  it.each([
    ['eu-central-1', 'DE'],
    ['us-east-1b', 'US'],
    ['europe-west3-a', 'DE'],
    ['hel1', 'FI'],
    ['DE', 'DE'],
    ['home', null],
    ['zz', null],
    ['', null],
  ])('%s is %s', (region, country) => expect(countryOf(region)).toBe(country));

  it('answers only countries that have a flag', () => {
    const folder = new URL('3x2/', import.meta.resolve('country-flag-icons'));
    expect(COUNTRIES.length).toBeGreaterThan(30);
    expect(COUNTRIES.filter((code) => !existsSync(new URL(`${code}.svg`, folder)))).toEqual([]);
  });
});
