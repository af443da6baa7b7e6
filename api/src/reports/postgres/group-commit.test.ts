import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { GroupCommit } from './group-commit.ts';

interface One {
  key: number;
  kind: string | null;
  /** Its presence makes the work fail, for all that go with it. */
  poison?: 'own' | 'database';
}
class Failure extends Error {
  readonly poison: One['poison'];
  constructor(poison: One['poison']) {
    super(poison);
    this.poison = poison;
  }
}

/** Work that ends when the test says so, in the order it began. */
const bench = (atOnce: number) => {
  const calls: One[][] = [];
  const running: (() => void)[] = [];
  const together = new GroupCommit<One, number>(
    (ones) => {
      calls.push([...ones]);
      return new Promise((resolve, reject) => {
        running.push(() => {
          const poison = ones.find((one) => one.poison)?.poison;
          if (poison) reject(new Failure(poison));
          else resolve(ones.map(({ key }) => key * 10));
        });
      });
    },
    {
      sizes: [1, 2, 4],
      atOnce,
      keyOf: ({ key }) => key,
      kindOf: ({ kind }) => kind,
      isCausedByOne: (error) => (error as Failure).poison === 'own',
    },
  );
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await new Promise(setImmediate);
      for (const end of running.splice(0)) {
        end();
        quiet = 0;
      }
    }
  };
  return { together, calls, settle };
};
const keysOf = (calls: One[][]): number[][] => calls.map((ones) => ones.map(({ key }) => key));

test('what comes one by one is worked on at once, alone', async () => {
  const { together, calls, settle } = bench(2);
  const first = together.run({ key: 1, kind: 'a' });
  const second = together.run({ key: 2, kind: 'a' });
  expect(keysOf(calls)).toEqual([[1], [2]]);
  await settle();
  expect(await Promise.all([first, second])).toEqual([10, 20]);
});

test('what comes while there is no room goes together, in sizes there are', async () => {
  const { together, calls, settle } = bench(1);
  const all = [1, 2, 3, 4, 5, 6, 7, 8].map((key) => together.run({ key, kind: 'a' }));
  await settle();
  expect(keysOf(calls)).toEqual([[1], [2, 3, 4, 5], [6, 7], [8]]);
  expect(await Promise.all(all)).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
});

test('one server twice and another kind are kept apart, and what goes alone waits for nobody', async () => {
  const { together, calls, settle } = bench(1);
  const ones = [
    { key: 9, kind: 'a' },
    { key: 1, kind: 'a' },
    { key: 1, kind: 'a' },
    { key: 2, kind: 'b' },
    { key: 3, kind: 'a' },
    { key: 4, kind: null },
    { key: 5, kind: null },
  ];
  const all = ones.map((one) => together.run(one));
  await settle();
  expect(keysOf(calls)).toEqual([[9], [4], [5], [1, 3], [1], [2]]);
  expect(await Promise.all(all)).toEqual([90, 10, 10, 20, 30, 40, 50]);
});

test('one that is at fault fails alone', async () => {
  const { together, calls, settle } = bench(1);
  const all = [0, 1, 2, 3, 4].map((key) =>
    together.run({ key, kind: 'a', ...(key === 2 && { poison: 'own' as const }) }),
  );
  const results = Promise.allSettled(all);
  await settle();
  expect((await results).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  expect(keysOf(calls)).toEqual([[0], [1, 2, 3, 4], [1], [2], [3], [4]]);
});

test('a database that is gone is not asked again for each', async () => {
  const { together, calls, settle } = bench(1);
  const all = [0, 1, 2].map((key) =>
    together.run({ key, kind: 'a', ...(key === 2 && { poison: 'database' as const }) }),
  );
  const results = Promise.allSettled(all);
  await settle();
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(keysOf(calls)).toEqual([[0], [1, 2]]);
});

test('everyone gets his own answer, whatever comes when', async () => {
  const one = fc.record({ key: fc.integer({ min: 1, max: 6 }), kind: fc.constantFrom('a', 'b', null) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(one, fc.boolean())),
      fc.integer({ min: 1, max: 3 }),
      async (arrivals, atOnce) => {
        const { together, calls, settle } = bench(atOnce);
        const all: Promise<number>[] = [];
        for (const [arrival, pause] of arrivals) {
          all.push(together.run(arrival));
          if (pause) await settle();
        }
        await settle();
        expect(await Promise.all(all)).toEqual(arrivals.map(([{ key }]) => key * 10));
        expect(calls.flat()).toHaveLength(arrivals.length);
        for (const ones of calls) expect(new Set(ones.map(({ key }) => key)).size).toBe(ones.length);
      },
    ),
  );
});
