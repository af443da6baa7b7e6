import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { KeptPodSums } from './pod-sums.ts';

/** A pool that counts pods by what `pods` says, and lists the clusters of each statement. */
function counting(pods: ReadonlyMap<number, number>) {
  const asked: number[][] = [];
  const query = (_: string, [keys]: [number[], string | null]) => {
    asked.push(keys);
    const rows = keys
      .filter((key) => pods.has(key))
      .map((key) => ({ key, pods: pods.get(key) ?? 0, broken: 0, cpuRequest: null, memoryRequest: null }));
    return Promise.resolve({ rows });
  };
  return { asked, sums: new KeptPodSums({ query } as unknown as Pool) };
}

it('sums a cluster again only after a report of it, and one without pods is none', async () => {
  const pods = new Map([
    [1, 10],
    [2, 20],
  ]);
  const { asked, sums } = counting(pods);
  const read = async (versions: string[], scope: string | null = null) => {
    const clusters = versions.map((version, index) => ({ key: index + 1, version }));
    const found = await sums.read(clusters, scope);
    return clusters.map(({ key }) => found.get(key)?.pods);
  };
  expect(await read(['a', 'a', 'a'])).toEqual([10, 20, 0]);
  expect(await read(['a', 'a', 'a'])).toEqual([10, 20, 0]);
  pods.set(2, 21);
  expect(await read(['a', 'b', 'a'])).toEqual([10, 21, 0]);
  expect(asked).toEqual([[1, 2, 3], [2]]);
});

it('sums a part of the clusters each time', async () => {
  const { asked, sums } = counting(new Map([[1, 10]]));
  for (let i = 0; i < 2; i++) await sums.read([{ key: 1, version: 'a' }], '{"nodes":[7],"clusters":[]}');
  expect(asked).toEqual([[1], [1]]);
});
