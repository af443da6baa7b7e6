import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryUse, type MemoryFigures } from './memory.ts';

const GiB = 2 ** 30;
const inBytes = (figures: MemoryFigures): MemoryFigures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, (value as number) * GiB]));

test.each<[string, MemoryFigures, number, number]>([
  ['Linux has a figure of what is available', { total: 64, available: 7, free: 1 }, 57, 7],
  ['the cache of ZFS above its minimum is available', { total: 64, available: 7, arc: 31, arcMinimum: 2 }, 28, 36],
  ['a small cache of ZFS changes nothing', { total: 64, available: 7, arc: 1, arcMinimum: 2 }, 57, 7],
  ['a cache of ZFS without its minimum is not counted', { total: 64, available: 7, arc: 31 }, 57, 7],
  [
    'huge pages that nobody uses are neither used nor available',
    { total: 64, available: 12, hugePagesFree: 48 },
    4,
    12,
  ],
  ['more huge pages than there is memory', { total: 64, available: 62, hugePagesFree: 48 }, 0, 62],
  ['an old kernel is estimated', { total: 10, free: 1, buffers: 0.5, cached: 3, shared: 1 }, 6.5, 3.5],
  ['an old kernel with many files known', { total: 10, free: 1, cached: 1, reclaimable: 6 }, 2, 8],
  ['an old kernel with ZFS', { total: 10, free: 1, arc: 5, arcMinimum: 1 }, 5, 5],
  ['macOS: wired, compressed, active', { total: 16, free: 1, active: 5, inactive: 4, wired: 3, compressed: 2 }, 10, 6],
  ['FreeBSD: active and wired', { total: 8, free: 1, active: 2, inactive: 3, wired: 2 }, 4, 4],
  ['FreeBSD with ZFS, whose cache is wired', { total: 8, active: 1, wired: 6, arc: 4, arcMinimum: 1 }, 4, 4],
  ['OpenTelemetry: the states together are the total', { used: 5, free: 1, inactive: 2 }, 5, 3],
  ['OpenTelemetry on Linux', { total: 16, used: 6, free: 2, buffers: 1, cached: 6 }, 6, 10],
  ['OpenTelemetry with two states', { used: 6, available: 4 }, 6, 4],
  ['OpenTelemetry on Linux, with both kinds of states', { used: 6, free: 2, cached: 8, available: 9 }, 7, 9],
  ['never more is available than there is', { total: 10, available: 12 }, 0, 10],
  ['never less than nothing', { total: 8, active: 6, wired: 6 }, 8, 0],
])('%s', (_, figures, used, available) => {
  expect(memoryUse(inBytes(figures))).toMatchObject({ used_bytes: used * GiB, available_bytes: available * GiB });
});

test.each<MemoryFigures>([{}, { total: 8 }, { total: 8, wired: 1 }, { total: 0, used: 0 }, { free: 3 }])(
  '%j does not suffice',
  (figures) => {
    expect(memoryUse(inBytes(figures))).toBeNull();
  },
);

test('used and available are never more than the total together, whatever an agent sends', () => {
  const names = ['total', 'available', 'free', 'buffers', 'cached', 'shared', 'used', 'inactive', 'active', 'wired'];
  const more = ['reclaimable', 'compressed', 'arc', 'arcMinimum', 'hugePagesFree'];
  const figures = fc.dictionary(fc.constantFrom(...names, ...more), fc.option(fc.integer({ min: 0, max: 1000 })));
  fc.assert(
    fc.property(figures, (sent) => {
      const use = memoryUse(sent) ?? { total_bytes: 0, used_bytes: 0, available_bytes: 0 };
      expect(Math.min(use.used_bytes, use.available_bytes)).toBeGreaterThanOrEqual(0);
      expect(use.used_bytes + use.available_bytes).toBeLessThanOrEqual(use.total_bytes);
    }),
  );
});
