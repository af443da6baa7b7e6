import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cardWindow, rowWindow } from './row-window.ts';

describe('rowWindow', () => {
  it('draws what is in sight and a few beyond', () => {
    expect(rowWindow(5000, 40, 0, 720)).toEqual({ first: 0, end: 26, above: 0, below: (5000 - 26) * 40 });
    expect(rowWindow(5000, 40, 4000, 720)).toMatchObject({ first: 92, end: 126, above: 3680 });
  });

  it('always fills the height of all rows and covers the viewport', () => {
    const size = fc.integer({ min: 0, max: 6000 });
    fc.assert(
      fc.property(size, fc.integer({ min: 0, max: 300_000 }), fc.integer({ min: 0, max: 2000 }), (count, top, seen) => {
        const { first, end, above, below } = rowWindow(count, 40, top, seen);
        expect(above + (end - first) * 40 + below).toBe(count * 40);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        expect(end * 40).toBeGreaterThanOrEqual(Math.min(top + seen, count * 40));
      }),
    );
  });
});

describe('cardWindow', () => {
  const sight = { columns: 4, rowPx: 200, top: 0, viewportPx: 900 };

  it('draws whole rows in sight and two beyond', () => {
    expect(cardWindow(500, sight)).toEqual({ first: 0, end: 28, above: 0, below: (125 - 7) * 200 });
    expect(cardWindow(500, { ...sight, top: 4000 })).toEqual({ first: 72, end: 108, above: 3600, below: 19_600 });
  });

  it('ends with the last card of an unfinished row', () => {
    expect(cardWindow(101, { ...sight, top: 5200 })).toMatchObject({ end: 101, below: 0 });
  });

  it('draws the first rows of a grid far below the window, and the last of one far above', () => {
    expect(cardWindow(500, { ...sight, top: -3000 })).toMatchObject({ first: 0, end: 28 });
    expect(cardWindow(500, { ...sight, top: 90_000 })).toMatchObject({ first: 488, end: 500 });
  });

  it('leaves no card out between one row and the next, whatever the columns', () => {
    const columns = fc.integer({ min: 1, max: 8 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2000 }),
        columns,
        fc.integer({ min: 0, max: 400_000 }),
        (count, wide, top) => {
          const { first, end, above, below } = cardWindow(count, { ...sight, columns: wide, top });
          const rows = Math.ceil(count / wide);
          expect(first % wide).toBe(0);
          expect(above + Math.ceil((end - first) / wide) * 200 + below).toBe(rows * 200);
        },
      ),
    );
  });
});
