import { describe, expect, it } from 'vitest';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import { placeContainer, selectContainers, summariseContainers, type ContainerPlace } from './container-list.ts';

const MB = 2 ** 20;
const PLACE: ContainerPlace = {
  serverKey: 1,
  serverId: 's1',
  hostname: 'web-1',
  status: 'active',
  sampleAt: 0,
  linePercent: 80,
  hidden: new Set(),
};
const of = (name: string, change: Partial<ContainerPart> = {}, place: Partial<ContainerPlace> = {}) =>
  placeContainer(
    {
      id: `id-${name}`,
      name,
      image: `shop/${name}:1`,
      runtime: 'docker',
      cpu_percent: 1,
      memory_bytes: 10 * MB,
      memory_limit_bytes: 100 * MB,
      state: 'running',
      ...change,
    },
    { ...PLACE, ...place },
  );
const used = (percent: number): Partial<ContainerPart> => ({ memory_bytes: percent * MB });
const ALL = [
  of('calm', used(10)),
  of('free', { memory_limit_bytes: null }),
  of('stopped', { state: 'exited', exit_code: 0, memory_bytes: null, memory_limit_bytes: null, cpu_percent: null }),
  of('late', used(99), { status: 'offline', serverKey: 2, hostname: 'db-1' }),
  of('over', { ...used(90), cpu_percent: 60 }),
  of('near', { ...used(70), restarts: 2 }),
  of('killed', { state: 'exited', oom_killed: true, memory_bytes: null, memory_limit_bytes: null }),
  of('loop', { state: 'restarting', restarts: 9, restarts_last_hour: 6, ...used(85) }),
  of('quiet', used(95), { hidden: new Set(['quiet']) }),
];
const names = (query: Partial<Parameters<typeof selectContainers>[1]>) =>
  selectContainers(ALL, { search: '', filter: undefined, sort: 'worst', hidden: false, ...query }).map(
    ({ part }) => part.name,
  );

describe('the order', () => {
  it('has the broken first, then the least headroom, then no limit, then stopped, then late', () => {
    expect(names({})).toEqual(['loop', 'killed', 'over', 'near', 'calm', 'free', 'stopped', 'late']);
  });
  it.each([
    ['name', 'calm'],
    ['host', 'late'],
    ['cpu', 'over'],
    ['memory', 'late'],
    ['restarts', 'loop'],
  ] as const)('by %s begins with %s', (sort, first) => {
    expect(names({ sort })[0]).toBe(first);
  });
});

describe('a selection', () => {
  it.each([
    ['broken', ['loop', 'killed']],
    ['over_line', ['loop', 'over']],
    ['near_line', ['near']],
    ['no_limit', ['free']],
    ['late', ['late']],
    ['exited', ['killed', 'stopped']],
    ['restarting', ['loop']],
  ] as const)('of %s', (filter, expected) => {
    expect(names({ filter })).toEqual(expected);
  });
  it('finds every word in name, image or host, whatever its case', () => {
    expect(names({ search: 'SHOP db-1' })).toEqual(['late']);
    expect(names({ search: 'shop/over' })).toEqual(['over']);
    expect(names({ search: 'nowhere' })).toEqual([]);
  });
  it('has the hidden ones alone', () => {
    expect(names({ hidden: true })).toEqual(['quiet']);
  });
});

it('counts what is not hidden, and late ones as late alone', () => {
  expect(summariseContainers(ALL)).toEqual({
    total: 8,
    hosts: 2,
    running: 4,
    broken: 2,
    over_line: 2,
    near_line: 1,
    no_limit: 1,
    late: 1,
    hidden: 1,
  });
});

it('knows no headroom without a limit, without a figure and of a limit of 0', () => {
  const percents = [{ memory_limit_bytes: null }, { memory_bytes: null }, { memory_limit_bytes: 0 }].map(
    (change) => of('a', change).memoryPercent,
  );
  expect(percents).toEqual([null, null, null]);
});
