import { expect, it } from 'vitest';
import { growthOf } from './memory.ts';

const flat = (value: number) => ({ api: value, database: value, collector: value });

it('does not count the warm-up or single peaks as growth', () => {
  const samples = Array.from({ length: 80 }, (_, index) => flat(index < 20 ? index * 5 : index % 9 === 0 ? 300 : 100));
  expect(growthOf(samples).api).toEqual({ from: 100, to: 100, percent: 0 });
});

it('counts a slow leak', () => {
  const samples = Array.from({ length: 80 }, (_, index) => flat(100 + index));
  expect(growthOf(samples).collector.percent).toBeGreaterThan(30);
});
