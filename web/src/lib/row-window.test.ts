import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowWindow } from './row-window.ts';

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
