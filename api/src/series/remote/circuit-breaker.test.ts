import { beforeEach, expect, test, vi } from 'vitest';
import { TestClock } from '../../testing/app.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import { StoreUnavailable } from './types.ts';

let clock: TestClock;
let breaker: CircuitBreaker;
const slow = vi.fn<() => Promise<string>>(() => Promise.reject(new StoreUnavailable('no answer within 4 s')));
const well = vi.fn<() => Promise<string>>(() => Promise.resolve('points'));

beforeEach(() => {
  clock = new TestClock(0);
  breaker = new CircuitBreaker(clock);
  slow.mockClear();
  well.mockClear();
});
const fail = (read = slow) => expect(breaker.run(read)).rejects.toThrow('no answer within 4 s');

test('asks no more after two failures in a row, and refuses with the last reason', async () => {
  await fail();
  await fail();
  await fail();
  await expect(breaker.run(well)).rejects.toThrow(StoreUnavailable);
  expect([slow.mock.calls.length, well.mock.calls.length]).toEqual([2, 0]);
});

test('asks once in 30 s whether the store is well, and lets all others wait for nothing', async () => {
  await fail();
  await fail();
  clock.pass(30);
  let answer = (_points: string): void => undefined;
  const probe = breaker.run(
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  );
  await expect(breaker.run(well)).rejects.toThrow(StoreUnavailable);
  answer('points');
  expect(await probe).toBe('points');
  expect(await breaker.run(well)).toBe('points');
});

test('waits another 30 s when the store still fails', async () => {
  await fail();
  await fail();
  clock.pass(30);
  await fail();
  clock.pass(29);
  await fail();
  expect(slow).toHaveBeenCalledTimes(3);
  clock.pass(1);
  expect(await breaker.run(well)).toBe('points');
});

test('forgets a failure that an answer follows, and errors of our own', async () => {
  const broken = vi.fn<() => Promise<string>>(() => Promise.reject(new TypeError('no answer within 4 s')));
  await fail();
  await breaker.run(well);
  await fail();
  await fail(broken);
  await breaker.run(well);
  expect(slow).toHaveBeenCalledTimes(2);
});
