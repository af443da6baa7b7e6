import { describe, expect, it } from 'vitest';
import {
  axisText,
  bytesQuantity,
  gigabytesText,
  kilobytesQuantity,
  megabytesPerSecond,
  numberText,
  plural,
  ratePlaces,
} from './figures.ts';

describe('numberText', () => {
  it('groups thousands and keeps its places', () => {
    expect(numberText(1244)).toBe('1,244');
    expect(numberText(47.94, 1)).toBe('47.9');
    expect(numberText(0, 1)).toBe('0.0');
  });

  it('never turns the unknown into nought', () => {
    expect([null, undefined, Number.NaN, Number.POSITIVE_INFINITY].map((value) => numberText(value))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

it('shortens an axis', () => {
  expect([0, 12.5, 999, 1000, 1250, 2500, 20_000].map(axisText)).toEqual([
    '0',
    '12.5',
    '999',
    '1k',
    '1.25k',
    '2.5k',
    '20k',
  ]);
});

describe('sizes', () => {
  it.each([
    [0, '0 KB'],
    [1023, '1,023 KB'],
    [1024, '1 MB'],
    [970_752, '948 MB'],
    [1024 * 1024, '1 GB'],
    [3_051_356, '2.91 GB'],
  ])('process memory of %d KB is %s', (kilobytes, text) => {
    const { value, unit } = kilobytesQuantity(kilobytes);
    expect(`${value} ${unit}`).toBe(text);
  });

  it('steps bytes at 1024', () => {
    expect(bytesQuantity(1023)).toEqual({ value: '1,023', unit: 'B' });
    expect(bytesQuantity(1536)).toEqual({ value: '1.50', unit: 'KB' });
  });

  it.each([
    [0.5, '0.5 GB'],
    [500, '500 GB'],
    [1023.4, '1023 GB'],
    [1023.6, '1 TB'],
    [1945.6, '1.9 TB'],
    [4096, '4 TB'],
  ])('%d GB is %s', (gigabytes, text) => expect(gigabytesText(gigabytes)).toBe(text));

  it('divides bandwidth by 1,048,576', () => {
    expect(megabytesPerSecond(1_048_576)).toBe(1);
    expect([0.2, 3, 24].map(ratePlaces)).toEqual([3, 2, 1]);
  });

  it('counts in words', () => {
    expect([plural(1, 'server'), plural(17, 'server'), plural(0, 'server')]).toEqual([
      '1 server',
      '17 servers',
      '0 servers',
    ]);
  });
});
