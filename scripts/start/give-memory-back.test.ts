import { expect, test } from 'vitest';
import { isTimeToCollect } from './give-memory-back.ts';

const MIB = 2 ** 20;

test.each([
  { name: 'after a start', minute: { cpu: 0.005, heap: 40 * MIB, heapAfterLast: 0 }, wanted: true },
  { name: 'while somebody looks', minute: { cpu: 0.05, heap: 60 * MIB, heapAfterLast: 30 * MIB }, wanted: false },
  { name: 'after they left', minute: { cpu: 0.002, heap: 60 * MIB, heapAfterLast: 30 * MIB }, wanted: true },
  { name: 'with little to gain', minute: { cpu: 0.002, heap: 33 * MIB, heapAfterLast: 30 * MIB }, wanted: false },
  { name: 'with a pause of a second', minute: { cpu: 0.002, heap: 900 * MIB, heapAfterLast: 0 }, wanted: false },
])('memory is given back: $name → $wanted', ({ minute, wanted }) => {
  expect(isTimeToCollect(minute)).toBe(wanted);
});
