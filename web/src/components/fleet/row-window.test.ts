import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowWindow } from './row-window.ts';

const ROW_PX = 40;

describe('the drawn part of a list', () => {
  it('has the rows in sight and 256 px on each side, and leaves the room of the others', () => {
    const sight = { fromPx: 800, toPx: 1200 };
    expect(rowWindow(100, ROW_PX, sight)).toEqual({ first: 13, end: 37, above: 520, below: 2520 });
  });

  it('has two rows on each side if 256 px are less', () => {
    expect(rowWindow(10, 200, { fromPx: 800, toPx: 1200 })).toMatchObject({ first: 2, end: 8 });
  });

  it('has the nearest row while the list is out of sight, whose height is measured', () => {
    expect(rowWindow(100, ROW_PX, { fromPx: -5000, toPx: -4000 })).toMatchObject({ first: 0, end: 1 });
    expect(rowWindow(100, ROW_PX, { fromPx: 9000, toPx: 9900 })).toMatchObject({ first: 99, end: 100 });
    expect(rowWindow(0, ROW_PX, { fromPx: 0, toPx: 900 })).toEqual({ first: 0, end: 0, above: 0, below: 0 });
  });

  it('has with its room the height of the whole list, wherever the window is, and all rows in sight', () => {
    const list = fc.record({
      rows: fc.integer({ min: 1, max: 500 }),
      fromPx: fc.integer({ min: -3000, max: 25_000 }),
      heightPx: fc.integer({ min: 100, max: 2000 }),
    });
    fc.assert(
      fc.property(list, ({ rows, fromPx, heightPx }) => {
        const { first, end, above, below } = rowWindow(rows, ROW_PX, { fromPx, toPx: fromPx + heightPx });
        expect(above + (end - first) * ROW_PX + below).toBe(rows * ROW_PX);
        expect(Math.min(above, below)).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(first);
        // The part of the list that the window shows, if any.
        const listPx = rows * ROW_PX;
        const [top, bottom] = [Math.max(0, fromPx), Math.min(listPx, fromPx + heightPx)];
        const isDrawn = top >= bottom || (above <= top && listPx - below >= bottom);
        expect(isDrawn).toBe(true);
      }),
    );
  });
});
