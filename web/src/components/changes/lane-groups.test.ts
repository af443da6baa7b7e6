import { describe, expect, it } from 'vitest';
import { sampleChange } from '../../testing/sample-change.ts';
import { laneGroups, laneLabel } from './lane-groups.ts';

const at = (seconds: number, id: string) => sampleChange({ id, at: new Date(seconds * 1000).toISOString() });
const field = (name: string, before: string | null, after: string | null, hidden = false) => ({
  field: name,
  was: 'changed' as const,
  before,
  after,
  hidden,
});

describe('laneGroups', () => {
  it('puts each change at its time, the oldest first, and joins those that would overlap', () => {
    const groups = laneGroups([at(1900, 'c'), at(1000, 'a'), at(1030, 'b'), at(2500, 'late')], 1000, 2000);
    expect(groups.map(({ share, changes }) => [share, changes.map(({ id }) => id)])).toEqual([
      [0, ['a', 'b']],
      [0.9, ['c']],
    ]);
  });
});

describe('laneLabel', () => {
  it.each([
    [[field('containers.web.image', 'shop/checkout:1.9.1', 'shop/checkout:1.9.2')], '1.9.1 → 1.9.2'],
    [[field('replicas', '6', '8')], 'replicas 6 → 8'],
    [[field('containers.web.env.MODE', null, null, true)], 'MODE'],
    [[field('a', '1', '2'), field('b', '1', '2')], '2 fields'],
  ])('%j', (fields, label) => {
    expect(laneLabel(sampleChange({ fields }))).toBe(label);
  });
});
