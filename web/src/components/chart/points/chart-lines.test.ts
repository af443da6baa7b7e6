import { expect, it } from 'vitest';
import { chartLine } from './chart-lines.ts';

it('keeps a gap a gap and values on the scale', () => {
  const points = [12, null, 140, -3, 0].map((avg, index) => ({ at: index * 60, avg }));
  expect(chartLine(points, 100)).toEqual({ moments: [0, 60, 120, 180, 240], values: [12, null, 100, 0, 0] });
});
