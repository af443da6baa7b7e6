import { existsSync } from 'node:fs';
import * as fc from 'fast-check';
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

it('finds a region whose own name ends like a zone', () => {
  // Azure names no zones: "eastasia" has no zone "a", and "uksouth" ends with a letter of its own.
  expect(['eastasia', 'uksouth', 'sin', 'ash'].map(countryOf)).toEqual(['HK', 'GB', 'SG', 'US']);
});

it('answers a country or nothing, whatever a machine calls its region', () => {
  const names = fc.oneof(
    fc.string(),
    fc.constantFrom('constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'),
  );
  fc.assert(
    fc.property(names, (region) => {
      const country = countryOf(region);
      expect(country === null || COUNTRIES.includes(country)).toBe(true);
    }),
  );
});
