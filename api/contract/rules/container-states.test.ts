import { expect, it } from 'vitest';
import { isBrokenContainer } from './container-states.ts';

it.each([
  [{ state: 'restarting' }, true],
  [{ state: 'unhealthy' }, true],
  [{ state: 'dead' }, true],
  [{ state: 'exited', exit_code: 1 }, true],
  [{ state: 'exited', exit_code: 137 }, true],
  [{ state: 'exited', exit_code: 0, oom_killed: true }, true],
  [{ state: 'exited', exit_code: 0 }, false],
  [{ state: 'exited', exit_code: 143 }, false],
  [{ state: 'exited', exit_code: null }, false],
  [{ state: 'running', exit_code: 1, oom_killed: true }, false],
  [{ state: 'paused' }, false],
  [{}, false],
] as const)('a container with %o is broken: %s', (container, isBroken) => {
  expect(isBrokenContainer(container)).toBe(isBroken);
});
