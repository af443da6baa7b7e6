import { expect, test } from 'vitest';
import { HEALTH_FINDINGS } from '@plimsoll/contract/wire/installation-health';
import { findingsOf, type Judged } from './findings.ts';

const SOUND: Judged = {
  jobs: [{ replicasFailing: 0 }],
  rollups: [{ behindSeconds: 600 }, { behindSeconds: null }],
  bucketsSetAside: new Map(),
  storeBehindSeconds: 600,
  freeBytes: 2 ** 30,
  daysUntilFull: 14,
  overdueSeconds: 300,
  channels: [{ lastOutcome: 'delivered' }, { lastOutcome: null }],
  agents: [{ isOutdated: false }],
  versions: ['0.1.0', '0.1.0'],
};

test('a sound installation, and one of which nothing is known, has no finding', () => {
  expect(findingsOf(SOUND)).toEqual([]);
  expect(
    findingsOf({
      ...SOUND,
      storeBehindSeconds: null,
      freeBytes: null,
      daysUntilFull: null,
      channels: [],
      agents: [],
      versions: [],
    }),
  ).toEqual([]);
});

test.each<[string, Partial<Judged>]>([
  ['job_failing', { jobs: [{ replicasFailing: 0 }, { replicasFailing: 1 }] }],
  ['rollups_behind', { rollups: [{ behindSeconds: 601 }] }],
  ['buckets_set_aside', { bucketsSetAside: new Map([['5m', 1]]) }],
  ['series_store_behind', { storeBehindSeconds: 601 }],
  ['disk_full_soon', { daysUntilFull: 13.9 }],
  ['disk_full_soon', { freeBytes: 2 ** 30 - 1, daysUntilFull: null }],
  ['messages_waiting', { overdueSeconds: 301 }],
  ['channel_failing', { channels: [{ lastOutcome: 'refused' }] }],
  ['agents_outdated', { agents: [{ isOutdated: true }] }],
  ['replica_versions_differ', { versions: ['0.1.0', '0.2.0'] }],
])('%s', (finding, change) => {
  expect(findingsOf({ ...SOUND, ...change })).toEqual([finding]);
});

test('names everything that is wrong, in the order of the contract', () => {
  const all = {
    jobs: [{ replicasFailing: 1 }],
    rollups: [{ behindSeconds: 9999 }],
    bucketsSetAside: new Map([['1h', 2]]),
    storeBehindSeconds: 9999,
    freeBytes: 0,
    daysUntilFull: 0,
    overdueSeconds: 9999,
    channels: [{ lastOutcome: 'failed' as const }],
    agents: [{ isOutdated: true }],
    versions: [null, '0.2.0'],
  };
  expect(findingsOf(all)).toEqual([...HEALTH_FINDINGS]);
});
