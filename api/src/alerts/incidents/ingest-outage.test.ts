import { expect, it } from 'vitest';
import { judgeSilence } from './ingest-outage.ts';

it.each([
  // silent, late, alive
  [1, 0, 0, 'single'],
  [2, 0, 0, 'single'],
  [3, 0, 0, 'outage'],
  [3, 0, 2, 'outage'],
  [3, 0, 3, 'single'],
  [251, 0, 249, 'outage'],
  [250, 0, 250, 'single'],
  // At first a part is silent and the others are late: nobody is judged yet.
  [100, 400, 400, 'wait'],
  [1, 2, 2, 'wait'],
  [1, 1, 2, 'single'],
  [0, 0, 10, 'single'],
] as const)('%i silent, %i late, %i alive: %s', (silent, late, alive, verdict) => {
  expect(judgeSilence({ silent, late, alive })).toBe(verdict);
});
