import * as fc from 'fast-check';
import type { VirtualItem } from '@tanstack/react-virtual';
import { describe, expect, it } from 'vitest';
import { rowWindow } from './row-window.ts';

const ROW_PX = 40;
/** Rows of a list that begins `offset` px down the page, from the first to the last that is drawn. */
const drawn = (from: number, to: number, offset: number): VirtualItem[] =>
  Array.from({ length: to - from + 1 }, (_, step) => {
    const index = from + step;
    const start = offset + index * ROW_PX;
    return { key: index, index, start, end: start + ROW_PX, size: ROW_PX, lane: 0 };
  });

describe('the drawn part of a list', () => {
  it('counts its last row to it, and leaves the room of the others', () => {
    expect(rowWindow(drawn(10, 19, 0), 100 * ROW_PX)).toEqual({ first: 10, end: 20, above: 400, below: 3200 });
  });

  it('is empty before the first measure: the list keeps its height', () => {
    expect(rowWindow([], 4000)).toEqual({ first: 0, end: 0, above: 0, below: 4000 });
  });

  it('has with its room the height of the whole list, wherever the list stands on the page', () => {
    const list = fc.record({
      count: fc.integer({ min: 1, max: 500 }),
      offset: fc.integer({ min: 0, max: 3000 }),
      a: fc.nat(),
      b: fc.nat(),
    });
    fc.assert(
      fc.property(list, ({ count, offset, a, b }) => {
        const [from, to] = [a % count, b % count].toSorted((x, y) => x - y) as [number, number];
        const { first, end, above, below } = rowWindow(drawn(from, to, offset), count * ROW_PX, offset);
        expect([first, end]).toEqual([from, to + 1]);
        expect(above + (end - first) * ROW_PX + below).toBe(count * ROW_PX);
        expect(Math.min(above, below)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
