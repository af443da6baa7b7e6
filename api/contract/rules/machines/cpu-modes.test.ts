import { expect, it } from 'vitest';
import { cpuKind } from './cpu-modes.ts';

it.each([
  ['idle', 'idle'],
  ['iowait', 'io-wait'],
  ['wait', 'io-wait'],
  ['steal', 'steal'],
  ['user', 'user'],
  ['nice', 'user'],
  ['guest', 'inside'],
  ['guest_nice', 'inside'],
  ['irq', 'system'],
  ['softirq', 'system'],
  ['interrupt', 'system'],
  ['spin', 'system'],
  ['kernel', 'system'],
  ['sys', 'system'],
  ['a mode of tomorrow', 'system'],
  ['__proto__', 'system'],
])('time in %s is %s', (mode, kind) => {
  expect(cpuKind(mode, null)).toBe(kind);
});

it.each(['interrupt', 'DPC'])('time in %s is inside that of the kernel on Windows', (mode) => {
  expect([cpuKind(mode, 'windows'), cpuKind(mode, 'linux')]).toEqual(['inside', 'system']);
});
