import { expect, test } from 'vitest';
import type { Report } from '@plimsoll/contract/wire/report';
import { figuresOf, sampleOf, type Sample } from '../series/stored-figures.ts';
import type { ServerWithLatest } from './types.ts';
import { selectFleet, summarise, toFleetServer, type FleetServer } from './fleet.ts';
import { organisationIdOf } from '../tenancy/ids.ts';

const now = 1_790_000_000_000;
const GB = 2 ** 30;
const emptySample = sampleOf({ at: now, ...figuresOf({} as Report) });

function fleetServer(
  hostname: string,
  sample: Partial<Sample> | null,
  server: Partial<ServerWithLatest['server']> = {},
): FleetServer {
  const system = { platform: 'linux', os_type: 'debian', os_name: 'Debian 12', cpu_cores: 4 };
  return toFleetServer(
    {
      server: {
        id: hostname,
        key: 1,
        organisationId: organisationIdOf('a'),
        enrolmentTokenId: null,
        hostname,
        displayName: null,
        createdAt: 0,
        lastSeenAt: now,
        uninstalledAt: null,
        refusal: null,
        system: system as ServerWithLatest['server']['system'],
        memoryTotalBytes: 8 * GB,
        storageTotalBytes: 100 * GB,
        reportIntervalSeconds: 60,
        isKubernetesNode: false,
        tags: {},
        diskTrends: [],
        ...server,
      },
      latest: {
        sample: sample && { ...emptySample, ...sample },
        perCorePercent: [],
        filesystems: [],
        disks: [],
        interfaces: [],
        inside: {},
        sources: {},
        agent: null,
      },
    },
    now,
  );
}

const names = (fleet: FleetServer[]): string[] => fleet.map((s) => s.server.hostname);
const fleet = [
  fleetServer('web-10', { cpuPercent: 20 }, { tags: { env: 'prod' } }),
  fleetServer('web-9', { cpuPercent: 90, readOperationsPerSecond: 5, writeOperationsPerSecond: 2 }),
  fleetServer('db', { memoryPercent: 70, cpuPercent: 10 }, { tags: { env: 'test' } }),
  fleetServer('dead', { cpuPercent: 99 }, { lastSeenAt: now - 600_000 }),
  fleetServer('new', null, { lastSeenAt: null, system: null }),
];

test('offline servers first, then least headroom, then what has no fresh figures', () => {
  expect(names(selectFleet(fleet, { sort: 'headroom' }))).toEqual(['dead', 'web-9', 'db', 'web-10', 'new']);
});

test('what is not online is not ranked by figures of another time', () => {
  const absent = fleetServer('absent', { cpuPercent: 1 }, { lastSeenAt: now - 600_000 });
  const order = names(selectFleet([...fleet, absent], { sort: 'headroom' }));
  expect(order.slice(0, 3)).toEqual(['absent', 'dead', 'web-9']);
});

test('by name as people count, by age newest first', () => {
  expect(names(selectFleet(fleet, { sort: 'name' }))).toEqual(['db', 'dead', 'new', 'web-9', 'web-10']);
  expect(names(selectFleet(fleet, { sort: 'last_seen' })).slice(-2)).toEqual(['dead', 'new']);
});

test.each([
  [{ status: 'offline' as const }, ['dead']],
  [{ search: ' WEB ' }, ['web-9', 'web-10']],
  [{ search: 'debian env=prod web' }, ['web-10']],
  [{ platform: 'Debian' }, ['db', 'dead', 'web-9', 'web-10']],
  [{ tag: { key: 'env', value: 'prod' } }, ['web-10']],
  [{ tag: { key: 'env', value: '' } }, ['db', 'web-10']],
  [{ tag: { key: 'constructor', value: '' } }, []],
])('filter %j', (filter, expected) => {
  expect(names(selectFleet(fleet, { sort: 'name', ...filter }))).toEqual(expected);
});

test('the summary counts all and averages what is online and known', () => {
  expect(summarise(fleet)).toMatchObject({
    counts: { total: 5, active: 3, offline: 1, installing: 1, uninstalled: 0 },
    uptimePercent: 60,
    cpuCores: 16,
    memoryBytes: 40 * GB,
    averages: { cpuPercent: 40, memoryPercent: 70, diskPercent: null, operationsPerSecond: 7 },
    busyCores: expect.closeTo(4.8),
    serversWith: { cpuPercent: 3, memoryPercent: 1, diskPercent: 0, operationsPerSecond: 1, usedMemory: 0 },
    bands: { over: 1, near: 1, ok: 1 },
    peakOperations: { value: 7 },
    newestReportAt: now,
  });
});

test('what was taken out adds no cores and no bytes, but is counted', () => {
  const gone = fleetServer('gone', { cpuPercent: 50 }, { lastSeenAt: now - 5000, uninstalledAt: now - 1000 });
  const [all, before] = [summarise([...fleet, gone]), summarise(fleet)];
  expect(all).toMatchObject({ counts: { total: 6, uninstalled: 1 }, busyCores: before.busyCores });
  expect([all.cpuCores, all.memoryBytes, all.storageBytes]).toEqual([16, 40 * GB, 500 * GB]);
});

test.each(['name', 'headroom', 'last_seen'] as const)('servers of one name stand in the same order by %s', (sort) => {
  const twins = ['b', 'c', 'a'].map((id) => fleetServer('twin', { cpuPercent: 20 }, { id }));
  expect(selectFleet(twins, { sort }).map(({ server }) => server.id)).toEqual(['a', 'b', 'c']);
});

test('no servers: unknown is null, not zero', () => {
  expect(summarise([])).toMatchObject({ uptimePercent: null, averages: { cpuPercent: null }, newestReportAt: null });
});

test('picks what enrolled with one token', () => {
  const fleet = [
    fleetServer('new', null, { enrolmentTokenId: 'token-1' }),
    fleetServer('older', null, { enrolmentTokenId: 'token-2' }),
    fleetServer('unknown', null),
  ];
  const found = selectFleet(fleet, { sort: 'name', enrolmentTokenId: 'token-1' });
  expect(found.map(({ server }) => server.hostname)).toEqual(['new']);
});
