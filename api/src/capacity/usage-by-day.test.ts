import { expect, test } from 'vitest';
import { addValue, encodeHistogram, type Histogram, LEAST } from './histogram.ts';
import { usageByDay } from './usage-by-day.ts';

const packed = (values: readonly number[], least: number): string => {
  const histogram: Histogram = new Map();
  for (const value of values) addValue(histogram, value, least);
  return encodeHistogram(histogram).toString('base64');
};
const row = (container: string, day: string, cores: readonly number[]) => ({
  namespace: 'shop',
  kind: 'Deployment',
  workload: 'web',
  container,
  day,
  cpu: packed(cores, LEAST.cpuCores),
  memory: packed([2 ** 20], LEAST.memoryBytes),
});

test('each container has the p95 and the maximum of its days, within 2 %', () => {
  const usual = Array<number>(99).fill(0.1);
  const found = usageByDay([
    row('app', '2026-01-01', [...usual, 2]),
    row('app', '2026-01-02', []),
    row('proxy', '2026-01-02', [0.5]),
  ]);
  const [first, second] = found.get('app') ?? [];
  expect(first?.day).toBe('2026-01-01');
  expect(first?.cpu.p95 ?? 0).toBeCloseTo(0.1, 2);
  expect((first?.cpu.max ?? 0) / 2).toBeCloseTo(1, 1);
  expect((first?.memory.max ?? 0) / 2 ** 20).toBeCloseTo(1, 1);
  // No figure is not zero.
  expect(second).toMatchObject({ day: '2026-01-02', cpu: { p95: null, max: null } });
  expect(found.get('proxy')).toHaveLength(1);
});
