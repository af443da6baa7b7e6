import { expect, it } from 'vitest';
import { KeptGroups } from './kept-groups.ts';

const NOW = 1_800_000_000_000;

/** One group of pods in each cluster; lists the clusters of each statement. */
function grouping(mostGroups = 10) {
  const asked: (readonly number[])[] = [];
  const state = { fails: false };
  const query = async (keys: readonly number[]): Promise<{ clusterKey: number }[]> => {
    asked.push(keys);
    await Promise.resolve();
    if (state.fails) throw new Error('the database is away');
    return keys.map((clusterKey) => ({ clusterKey }));
  };
  return { asked, state, groups: new KeptGroups(query, () => NOW + 1000, mostGroups) };
}
const versions = (...all: string[]) => all.map((version, index) => ({ key: index + 1, version }));

it('groups a cluster again only after a report of it, once for all who ask meanwhile', async () => {
  const { asked, groups } = grouping();
  const both = [groups.read(versions('a', 'a'), NOW), groups.read(versions('a', 'a'), NOW)];
  expect((await Promise.all(both)).map((found) => found.length)).toEqual([2, 2]);
  await groups.read(versions('a', 'b'), NOW);
  expect(asked).toEqual([[1, 2], [2]]);
});

it('keeps nothing of a statement that fails', async () => {
  const { asked, state, groups } = grouping();
  state.fails = true;
  await expect(groups.read(versions('a'), NOW)).rejects.toThrow('the database is away');
  state.fails = false;
  expect(await groups.read(versions('a'), NOW)).toHaveLength(1);
  expect(asked).toEqual([[1], [1]]);
});

it('keeps at most as many groups as it may, and answers with all', async () => {
  const { asked, groups } = grouping(2);
  for (let i = 0; i < 2; i++) expect(await groups.read(versions('a', 'a', 'a'), NOW)).toHaveLength(3);
  expect(asked).toEqual([[1, 2, 3], [1]]);
});

it('groups a cluster again when time changes a group, and after a clock was set back', async () => {
  const { asked, groups } = grouping();
  for (const now of [NOW, NOW + 999, NOW + 1000, NOW]) await groups.read(versions('a'), now);
  expect(asked).toEqual([[1], [1], [1]]);
});
