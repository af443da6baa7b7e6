import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from '../lib/web-build.ts';
import { seedOfCommit, useSeed, withSeed } from './property-seed.ts';

const before = fc.readConfigureGlobal();
afterEach(() => fc.configureGlobal(before));

const drawn = (): number[] => {
  const values: number[] = [];
  fc.assert(fc.property(fc.integer(), (value) => void values.push(value)));
  return values;
};

describe('the seed of property tests', () => {
  it('is the one of the files of the last commit in CI, and that of the environment before it', () => {
    const seed = seedOfCommit(ROOT);
    expect(seed).not.toBeNull();
    expect(withSeed({ CI: 'true' }, ROOT)).toEqual({ CI: 'true', PLIMSOLL_PROPERTY_SEED: String(seed) });
    expect(withSeed({ CI: 'true', PLIMSOLL_PROPERTY_SEED: '7' }, ROOT)['PLIMSOLL_PROPERTY_SEED']).toBe('7');
  });

  it('is new in each run elsewhere, and where git knows no commit', () => {
    expect(withSeed({}, ROOT)).toEqual({});
    expect(withSeed({ CI: 'true' }, '/')).toEqual({ CI: 'true' });
  });

  it('draws the same inputs again', () => {
    useSeed({ PLIMSOLL_PROPERTY_SEED: '7' });
    const first = drawn();
    expect(drawn()).toEqual(first);
    useSeed({ PLIMSOLL_PROPERTY_SEED: '8' });
    expect(drawn()).not.toEqual(first);
  });
});
