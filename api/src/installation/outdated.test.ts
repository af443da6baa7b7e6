import { expect, test } from 'vitest';
import { isOutdated } from './outdated.ts';

test.each([
  ['0.1.0', '0.1.3', false],
  ['0.1.9', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['0.10.0', '0.9.0', false],
  ['1.0.0', '2.0.0', true],
  ['2.0.0', '1.9.0', false],
  ['0.1.0-rc.1', '0.2.0', true],
  ['development', '0.2.0', false],
  [null, '0.2.0', false],
])('an agent %s beside the API %s: %s', (agent, api, expected) => {
  expect(isOutdated(agent, api)).toBe(expected);
});
