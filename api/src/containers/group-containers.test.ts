import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { placeContainer, type ContainerPlace } from './container-list.ts';
import { groupContainers } from './group-containers.ts';

const MB = 2 ** 20;
const of = (name: string, change: Partial<ContainerPart> = {}, place: Partial<ContainerPlace> = {}) =>
  placeContainer(
    {
      id: `id-${name}`,
      name,
      image: 'redis:7',
      runtime: 'docker',
      cpu_percent: 10,
      memory_bytes: 50 * MB,
      memory_limit_bytes: 100 * MB,
      state: 'running',
      ...change,
    },
    {
      serverKey: 1,
      serverId: 's1',
      hostname: 'web-1',
      status: 'active',
      sampleAt: 0,
      linePercent: 80,
      hidden: new Set(),
      ...place,
    },
  );
const DB = { serverKey: 2, serverId: 's2', hostname: 'db-1' };

it('sums the containers of a host, and has the host with broken ones first', () => {
  const all = [
    of('a'),
    of('b', { memory_bytes: 90 * MB, cpu_percent: 20 }),
    of('loop', { state: 'restarting', restarts_last_hour: 6, cpu_percent: null, memory_bytes: null }, DB),
  ];
  const { groups, total } = groupContainers(all, 'host');
  expect(total).toBe(2);
  expect(groups.map(({ key, name, broken }) => [key, name, broken])).toEqual([
    ['s2', 'db-1', 1],
    ['s1', 'web-1', 0],
  ]);
  expect(groups[0]).toMatchObject({ cpuPercent: null, memoryBytes: null, restartsLastHour: 6 });
  expect(groups[1]).toMatchObject({ containers: 2, over_line: 1, cpuPercent: 30, memoryBytes: 140 * MB });
});

it('counts what has no project, and nothing of a host that does not report but its containers', () => {
  const all = [of('a', { project: 'shop' }), of('b', { project: 'shop' }, { ...DB, status: 'offline' }), of('c')];
  expect(groupContainers(all, 'project')).toMatchObject({
    ungrouped: 1,
    groups: [{ name: 'shop', containers: 2, late: 1, cpuPercent: 10, running: 1 }],
  });
});

it('leaves out hidden ones', () => {
  expect(groupContainers([of('a', {}, { hidden: new Set(['a']) })], 'image')).toEqual({
    groups: [],
    total: 0,
    ungrouped: 0,
  });
});

it('counts each container that is shown once, by whatever it is grouped', () => {
  const one = fc.record({
    image: fc.constantFrom(null, '', 'a:1', 'b:2'),
    project: fc.constantFrom(undefined, 'shop', 'obs'),
    host: fc.constantFrom('s1', 's2'),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 30 }), fc.constantFrom('host', 'image', 'project'), (ones, by) => {
      const all = ones.map(({ image, project, host }, index) =>
        of(`c${String(index)}`, { image, ...(project === undefined ? {} : { project }) }, { serverId: host }),
      );
      const { groups, ungrouped } = groupContainers(all, by);
      expect(groups.reduce((sum, { containers }) => sum + containers, ungrouped)).toBe(all.length);
    }),
  );
});
