import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import type { ClusterVersion } from './cluster-versions.ts';
import { KeptPodGroups } from './pod-groups.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;

/** A pool with one group of pods in each cluster, which lists the clusters of each statement. */
function grouping() {
  const asked: number[][] = [];
  const state = { fails: false };
  const query = async (_: string, [keys]: [number[]]) => {
    asked.push(keys);
    await Promise.resolve();
    if (state.fails) throw new Error('the database is away');
    return {
      rows: keys.map((clusterKey) => ({ clusterKey, bucket: 4, pods: 1, oldestAt: NOW - 60 * DAY, measuredAt: null })),
    };
  };
  return { asked, state, pool: { query } as unknown as Pool };
}
const versions = (...all: string[]): ClusterVersion[] =>
  all.map((version, index) => ({ key: index + 1, id: '', name: null, version }));

it('groups a cluster again only after a report of it, once for all who ask meanwhile', async () => {
  const { asked, pool } = grouping();
  const groups = new KeptPodGroups(pool);
  const both = [groups.read(versions('a', 'a'), {}, NOW), groups.read(versions('a', 'a'), {}, NOW)];
  expect((await Promise.all(both)).map((found) => found.length)).toEqual([2, 2]);
  await groups.read(versions('a', 'b'), {}, NOW);
  expect(asked).toEqual([[1, 2], [2]]);
});

it('keeps nothing of a statement that fails', async () => {
  const { asked, state, pool } = grouping();
  const groups = new KeptPodGroups(pool);
  state.fails = true;
  await expect(groups.read(versions('a'), {}, NOW)).rejects.toThrow('the database is away');
  state.fails = false;
  expect(await groups.read(versions('a'), {}, NOW)).toHaveLength(1);
  expect(asked).toEqual([[1], [1]]);
});

it('keeps at most as many groups as it may, and answers with all', async () => {
  const { asked, pool } = grouping();
  const groups = new KeptPodGroups(pool, 2);
  for (let i = 0; i < 2; i++) expect(await groups.read(versions('a', 'a', 'a'), {}, NOW)).toHaveLength(3);
  expect(asked).toEqual([[1, 2, 3], [1]]);
});

it('reads a part of the clusters each time', async () => {
  const { asked, pool } = grouping();
  const groups = new KeptPodGroups(pool);
  const parts = [{ search: 'web' }, { within: { nodes: [1], clusters: [] } }, { ownerName: 'web' }];
  for (const part of [...parts, ...parts]) await groups.read(versions('a'), part, NOW);
  expect(asked).toHaveLength(6);
});
