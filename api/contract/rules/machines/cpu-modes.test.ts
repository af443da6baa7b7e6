import { expect, it } from 'vitest';
import { cpuKind } from './cpu-modes.ts';

it.each([
  ['idle', 'idle'],
  ['iowait', 'io-wait'],
  ['wait', 'io-wait'],
  ['steal', 'steal'],
  ['user', 'user'],
  ['nice', 'user'],
  ['guest', 'guest'],
  ['guest_nice', 'guest'],
  ['irq', 'system'],
  ['softirq', 'system'],
  ['interrupt', 'system'],
  ['spin', 'system'],
  ['kernel', 'system'],
  ['sys', 'system'],
  ['a mode of tomorrow', 'system'],
])('time in %s is %s', (mode, kind) => {
  expect(cpuKind(mode)).toBe(kind);
});
