import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { axisText, bytesQuantity, gigabytesText, kilobytesQuantity, numberText, ratePlaces } from './figures.ts';
import { distanceText, meterLabel, pointsText } from '@plimsoll/contract/rules/load-words';

/** A number as a person would read the text: without its thousands' commas. */
const readBack = (text: string) => Number(text.replaceAll(',', ''));
const BYTES = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40, PB: 2 ** 50 } as const;
const isUnit = (unit: string): unit is keyof typeof BYTES => unit in BYTES;

describe('numbers at their edges', () => {
  it.each([
    [0, 0, '0'],
    [0.004, 2, '0.00'],
    [0.005, 2, '0.01'],
    [999.5, 0, '1,000'],
    [999.4, 0, '999'],
    [1e12, 0, '1,000,000,000,000'],
    [1_000_000.125, 1, '1,000,000.1'],
    [-12.34, 1, '-12.3'],
    [5, 4, '5.0000'],
  ])('%d with %d places is %s', (value, places, text) => expect(numberText(value, places)).toBe(text));

  it('writes no number where there is none', () => {
    const rubbish = [null, undefined, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    expect(rubbish.map((value) => numberText(value, 1))).toEqual([null, null, null, null, null]);
  });

  it('reads back within half of its last place', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e12, max: 1e12, noNaN: true }),
        fc.integer({ min: 0, max: 3 }),
        (value, places) => {
          const text = numberText(value, places) ?? '';
          expect(Math.abs(readBack(text) - value)).toBeLessThanOrEqual(0.5 * 10 ** -places + Math.abs(value) * 1e-12);
        },
      ),
    );
  });
});

describe('sizes at their edges', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1,023 B'],
    [1024, '1 KB'],
    [10 * 1024 + 512, '10.5 KB'],
    [2 ** 20 - 1, '1,024 KB'],
    [2 ** 30, '1 GB'],
    [1e12, '931 GB'],
    [2 ** 50 * 2048, '2,048 PB'],
  ])('%d bytes are %s', (bytes, text) => {
    const { value, unit } = bytesQuantity(bytes);
    expect(`${value} ${unit}`).toBe(text);
  });

  it.each([
    ['bytes', bytesQuantity, 1],
    ['kilobytes', kilobytesQuantity, 1024],
  ] as const)('of %s lose less than one per cent', (_, quantity, factor) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 48 }), (size) => {
        const { value, unit } = quantity(size);
        if (!isUnit(unit)) throw new Error(`${unit} is no unit of bytes`);
        const bytes = size * factor;
        expect(Math.abs(readBack(value) * BYTES[unit] - bytes) / bytes).toBeLessThan(0.01);
      }),
    );
  });

  it('never say 0 GB of a disk that is there', () => {
    expect([0.06, 0.94, 0.96, 1.4, 1023.49].map(gigabytesText)).toEqual([
      '0.1 GB',
      '0.9 GB',
      '1.0 GB',
      '1 GB',
      '1023 GB',
    ]);
  });
});

describe('axes and rates at their edges', () => {
  it('needs no more than a few letters on an axis', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999 }), (value) => {
        const text = axisText(value);
        expect(text.length).toBeLessThanOrEqual(7);
        const size = text.endsWith('k') ? Number(text.slice(0, -1)) * 1000 : Number(text);
        // Five is the most that two places of a thousand leave out; the rest is what binary fractions add.
        expect(Math.abs(size - value)).toBeLessThan(5.001);
      }),
    );
  });

  it('tells a small rate from nought', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0005, max: 2000, noNaN: true }), (rate) => {
        expect(Number(rate.toFixed(ratePlaces(rate)))).toBeGreaterThan(0);
      }),
    );
  });
});

describe('distances at their edges', () => {
  it.each([
    [0, 'at the line'],
    [0.004, '0.1 below'],
    [-0.04, '0.1 over'],
    [0.96, '1.0 below'],
    [1.4, '1 below'],
    [-19.5, '20 over'],
  ])('%d points are "%s"', (points, text) => expect(distanceText(points)).toBe(text));

  it('never reads 0 for a value beside its line', () => {
    fc.assert(
      fc.property(fc.double({ min: -100, max: 100, noNaN: true }), (points) => {
        fc.pre(points !== 0);
        expect(Number(pointsText(points))).toBeGreaterThan(0);
      }),
    );
  });

  it('is what a meter says, and nothing of a line that is not there', () => {
    expect(meterLabel('CPU', 91.4, 80)).toBe('CPU 91 %, 11 over the line');
    expect(meterLabel('Memory', 80, 80)).toBe('Memory 80 %, at the line');
    expect(meterLabel('Core 3', 0, null)).toBe('Core 3 0 %');
  });
});
