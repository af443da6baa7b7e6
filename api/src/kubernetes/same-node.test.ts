import { expect, it } from 'vitest';
import { isAnotherNode } from './same-node.ts';

const NOW = 1_800_000_000_000;
const ONE = '0f5a3b1c-1111-4222-8333-444455556666';
const OTHER = '0f5a3b1c-1111-4222-8333-444455557777';
const running = { bootId: ONE, heardAt: NOW - 60_000 };
const at = { now: NOW, reportIntervalSeconds: 60 };

it.each([
  ['the same boot', running, ONE, false],
  ['another boot of a node that reports', running, OTHER, true],
  ['another boot of a node that is silent', { ...running, heardAt: NOW - 181_000 }, OTHER, false],
  ['another boot of a node that never reported', { ...running, heardAt: null }, OTHER, false],
  ['a node whose boot the collector does not know', { ...running, bootId: null }, OTHER, false],
  ['an agent that cannot read its boot', running, 'unknown', false],
])('%s', (_, known, bootId, expected) => {
  expect(isAnotherNode(known, bootId, at)).toBe(expected);
});
