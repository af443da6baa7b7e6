import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQuantity } from './quantity.ts';

describe('parseQuantity', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['100m', 0.1],
    ['1500m', 1.5],
    ['299000000n', 0.299],
    ['5u', 0.000005],
    ['.5', 0.5],
    ['1.', 1],
    ['64Mi', 67_108_864],
    ['1.5Gi', 1_610_612_736],
    ['8145340Ki', 8_340_828_160],
    ['2k', 2000],
    ['128M', 128_000_000],
    ['1e3', 1000],
    ['12E6', 12_000_000],
    ['12E', 12e18],
    ['-1', -1],
    [4, 4],
  ])('%j is %d', (text, value) => {
    expect(parseQuantity(text)).toBe(value);
  });

  it.each([
    '',
    'm',
    '1 Gi',
    '1KiB',
    'ki',
    '1e',
    '1e9999',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
    '١',
    null,
    undefined,
    {},
    '1'.repeat(65),
  ])('%j is no quantity', (text) => {
    expect(parseQuantity(text)).toBeNull();
  });

  it('reads back whatever is written in milli', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (milli) => {
        expect(parseQuantity(`${milli}m`)).toBe(Number(`${milli}e-3`));
      }),
    );
  });

  it('reads back whatever is written with a binary suffix', () => {
    const suffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
    fc.assert(
      fc.property(fc.nat(4095), fc.nat(5), (count, index) => {
        expect(parseQuantity(`${count}${suffixes[index]}`)).toBe(count * 1024 ** (index + 1));
      }),
    );
  });

  it('never answers anything but null or a finite number', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+.0-9eEKMGTPnumki]{0,20}$/)), (text) => {
        const value = parseQuantity(text);
        expect(value === null || Number.isFinite(value)).toBe(true);
      }),
    );
  });
});
