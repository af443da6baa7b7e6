import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRanking, newestSights, type Sight } from './ranked-sights.ts';

const sight = (serverKey: number, pid: number, cpu: number | null, memory: number, at = 1): Sight => ({
  serverKey,
  at,
  process: {
    pid,
    name: 'a',
    command: '',
    user: 'root',
    status: 'S',
    cpu_percent: cpu,
    memory_percent: 0,
    memory_bytes: memory,
    threads: 1,
    started_at: 1,
  },
});
const processOf = (pid: number, cpu: number) => sight(1, pid, cpu, 1).process;

test('a process is taken as it was last seen, in whatever order its lists come', () => {
  const lists = [
    { at: 2, processes: [processOf(1, 20), processOf(1, 21)] },
    { at: 3, processes: [processOf(2, 30)] },
    { at: 1, processes: [processOf(1, 10), processOf(3, 11)] },
  ];
  const seen = newestSights(7, lists).map(({ at, process }) => [at, process.pid, process.cpu_percent]);
  expect(seen).toEqual([
    [2, 1, 20],
    [3, 2, 30],
    [1, 3, 11],
  ]);
});

test('unknown CPU comes last, and equal figures go by the other, the server and the pid', () => {
  const sights = [sight(2, 1, null, 9), sight(2, 2, 0, 1), sight(1, 4, 0, 5), sight(1, 3, 0, 5), sight(2, 3, 0, 5)];
  const ranked = (rank: 'cpu' | 'memory') => {
    const ranking = createRanking(rank, { limit: 9, offset: 0 });
    ranking.add(sights);
    return ranking.page().rows.map(({ serverKey, process }) => [serverKey, process.pid]);
  };
  expect(ranked('cpu')).toEqual([
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 2],
    [2, 1],
  ]);
  expect(ranked('memory')).toEqual([
    [2, 1],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 2],
  ]);
});

test('a page is a part of the whole order, however many servers there are', () => {
  const anyPage = fc.record({ limit: fc.integer({ min: 1, max: 40 }), offset: fc.nat(60) });
  fc.assert(
    fc.property(anyPage, fc.constantFrom('cpu' as const, 'memory' as const), (page, rank) => {
      const servers = Array.from({ length: 120 }, (_, server) =>
        Array.from({ length: 60 }, (_none, pid) => sight(server, pid, (server * 31 + pid * 17) % 101, (pid * 7) % 13)),
      );
      const [part, whole] = [createRanking(rank, page), createRanking(rank, { limit: 1e6, offset: 0 })];
      for (const sights of servers) {
        part.add(sights);
        whole.add(sights);
      }
      const all = whole.page().rows;
      expect(part.page()).toEqual({ rows: all.slice(page.offset, page.offset + page.limit), total: 7200 });
    }),
    { numRuns: 20 },
  );
});
