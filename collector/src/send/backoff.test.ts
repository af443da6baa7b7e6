import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffSeconds } from './backoff.ts';

it('waits between 1 s and 1 s + min(300 s, 5 s · 2ⁿ), however many failures', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(10_000), random, (failures, x) => {
      const seconds = backoffSeconds(failures, () => x);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(1 + Math.min(300, 5 * 2 ** failures));
    }),
  );
});
