import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { foldedCells, groupingsOf, heatGroups } from './heat-groups.ts';

const entry = (hostname: string, value: number, given: Partial<FleetEntry> = {}): FleetEntry => ({
  server_id: hostname,
  hostname,
  status: 'active',
  headroom: { resource: 'cpu', value, line: 80, points: 80 - value, subject: null },
  region: null,
  tags: {},
  ...given,
});
const FLEET = [
  entry('us-1', 20, { region: 'us-east-1', tags: { role: 'web', id: 'a' } }),
  entry('us-2', 70, { region: 'us-east-1', tags: { role: 'db', id: 'b' } }),
  entry('eu-1', 91, { region: 'eu-north-1', tags: { role: 'web', id: 'c' } }),
  entry('eu-2', 99, { region: 'eu-north-1', status: 'offline' }),
  entry('gone', 99, { region: 'sa-east-1', status: 'uninstalled', tags: { role: 'old' } }),
  entry('lost', 85),
];

describe('the groups of a heat grid', () => {
  it('are the regions, the worst first and the servers without one last', () => {
    expect(
      heatGroups(FLEET, 'region').map(({ name, bars, over, near }) => [name, bars.map((bar) => bar.name), over, near]),
    ).toEqual([
      ['eu-north-1', ['eu-2', 'eu-1'], 1, 0],
      ['us-east-1', ['us-2', 'us-1'], 0, 1],
      [null, ['lost'], 1, 0],
    ]);
  });

  it('are the values of a tag', () => {
    expect(heatGroups(FLEET, 'tag:role').map(({ name, bars }) => [name, bars.length])).toEqual([
      ['web', 2],
      ['db', 1],
      [null, 2],
    ]);
  });

  it('can be chosen by tags that most servers have and that divide them', () => {
    expect(groupingsOf(FLEET)).toEqual([
      { value: 'region', label: 'Region' },
      { value: 'tag:id', label: 'id' },
      { value: 'tag:role', label: 'role' },
    ]);
    const many = Array.from({ length: 60 }, (_, index) =>
      entry(`s${index}`, 50, {
        tags: { id: String(index), all: 'same', ...(index < 20 ? { few: String(index % 2) } : {}) },
      }),
    );
    expect(groupingsOf(many)).toEqual([{ value: 'region', label: 'Region' }]);
  });
});

it('a folded grid keeps at least two rows of each group', () => {
  expect(foldedCells(1, 20)).toBe(160);
  expect(foldedCells(3, 20)).toBe(40);
  expect(foldedCells(30, 20)).toBe(40);
});

it('offers a tag that half of the servers have, and none that fewer have', () => {
  const fleet = (tagged: number, all: number) =>
    Array.from({ length: all }, (_, index) =>
      entry(`s${String(index)}`, 1, { tags: index < tagged ? { role: index % 2 === 0 ? 'web' : 'db' } : {} }),
    );
  const offered = (tagged: number, all: number) => groupingsOf(fleet(tagged, all)).map(({ label }) => label);
  expect(offered(2, 4)).toEqual(['Region', 'role']);
  expect(offered(2, 5)).toEqual(['Region']);
});
