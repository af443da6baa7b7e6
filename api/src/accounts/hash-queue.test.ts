import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HashQueue } from './hash-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Hashes that end when the test says so; `begun` names them in the order of their start. */
function bench(queue: HashQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    hash: (name: string, isTrusted = false): Promise<unknown> =>
      queue
        .run(() => {
          begun.push(name);
          return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
        }, isTrusted)
        .catch((error: unknown) => error),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

test('two run at once, and a remembered device is served before strangers that wait longer', async () => {
  const { hash, begun, end } = bench(new HashQueue());
  for (const name of ['a', 'b', 'c', 'd']) void hash(name);
  void hash('owner', true);
  expect(begun).toEqual(['a', 'b']);
  await end('a');
  expect(begun).toEqual(['a', 'b', 'owner']);
  await end('b');
  await end('owner');
  expect(begun).toEqual(['a', 'b', 'owner', 'c', 'd']);
});

test('strangers fill their places and not those of remembered devices', async () => {
  const { hash, begun, end } = bench(new HashQueue({ atOnce: 1, mostWaiting: 2, waitMs: 1000 }, () => 0));
  for (const name of ['a', 'b', 'c']) void hash(name);
  expect(await hash('d')).toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 });
  void hash('owner', true);
  await end('a');
  expect(begun).toEqual(['a', 'owner']);
});

test('who waits too long is refused, and the place stays free', async () => {
  const queue = new HashQueue({ atOnce: 1, mostWaiting: 2, waitMs: 1000 }, () => 0.999);
  const { hash, begun, end } = bench(queue);
  void hash('a');
  const late = hash('b');
  await vi.advanceTimersByTimeAsync(1000);
  expect(await late).toMatchObject({ code: 'overloaded', retryAfterSeconds: 6 });
  await end('a');
  void hash('c');
  expect(begun).toEqual(['a', 'c']);
});

test('a hash that fails gives its place back', async () => {
  const queue = new HashQueue({ atOnce: 1, mostWaiting: 0, waitMs: 1000 });
  await expect(queue.run(() => Promise.reject(new Error('x')), false)).rejects.toThrow('x');
  expect(await queue.run(() => Promise.resolve('next'), false)).toBe('next');
});
