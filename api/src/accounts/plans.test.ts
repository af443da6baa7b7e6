import { expect, test } from 'vitest';
import { requireHistory, requireServers } from './plans.ts';

test('off: nothing is limited', () => {
  expect(() => requireHistory(null, 365)).not.toThrow();
  expect(() => requireServers(null, 1000)).not.toThrow();
});

test('on: the error names the limit and the remedy', () => {
  expect(() => requireHistory('free', 7)).not.toThrow();
  expect(() => requireHistory('free', 8)).toThrow(
    expect.objectContaining({ code: 'plan_limit', message: 'history: at most 7 days on Free' }),
  );
  expect(() => requireServers('free', 2)).not.toThrow();
  expect(() => requireServers('free', 3)).toThrow(expect.objectContaining({ message: 'servers: at most 3 on Free' }));
  expect(() => requireServers('business', 10_000)).not.toThrow();
});
