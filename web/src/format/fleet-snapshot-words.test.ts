import type { FleetSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { beforeAll, expect, it } from 'vitest';
import { chosenZone } from '../time/zone.ts';
import { fleetSnapshotWords, isOfMinute, listTime } from './fleet-snapshot-words.ts';

const MINUTE = Date.UTC(2026, 10, 20, 3, 12) / 1000;
const server = (hostname: string) => ({ server_id: hostname, hostname });
const near = (hostname: string, minutes: number) => ({ ...server(hostname), snapshot_at: MINUTE + minutes * 60 + 4 });
const answer = (given: Partial<FleetSnapshotAnswer>): FleetSnapshotAnswer => ({
  processes: [],
  total: 0,
  minute: MINUTE,
  servers: 14,
  in_minute: 14,
  nearest: [],
  nearest_total: 0,
  without: [],
  without_total: 0,
  kept_since: 0,
  ...given,
});

beforeAll(() => chosenZone.set('UTC'));

it.each([
  ['all servers', {}, ['Lists of 03:12 from all 14 servers.']],
  ['one server', { servers: 1, in_minute: 1 }, ['Lists of 03:12 from the server.']],
  ['no server at all', { servers: 0, in_minute: 0 }, []],
  [
    'some servers, and the times of the others',
    {
      in_minute: 11,
      nearest: [near('db-01', -7), near('web-02', 8)],
      nearest_total: 2,
      without: [server('cache-01')],
      without_total: 1,
    },
    [
      'Lists of 03:12 from 11 of 14 servers.',
      'Nearest lists instead: db-01 03:05, web-02 03:20.',
      'No list within 30 minutes: cache-01.',
    ],
  ],
  [
    'none, and names three',
    { in_minute: 0, nearest: [1, 2, 3, 4].map((n) => near(`s${String(n)}`, 3)), nearest_total: 14 },
    ['No server has a list of 03:12.', 'Nearest lists instead: s1 03:15, s2 03:15, s3 03:15, 11 more.'],
  ],
])('names the lists of %s', (_what, given, words) => expect(fleetSnapshotWords(answer(given))).toEqual(words));

it('tells a list of the minute from one beside it', () => {
  expect([0, 59.9, -0.1, 60].map((seconds) => isOfMinute(MINUTE + seconds, MINUTE))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it('names the day of a list from the other side of midnight', () => {
  const midnight = Date.UTC(2026, 10, 20) / 1000;
  expect(listTime(midnight - 300, midnight + 300)).toBe('19 Nov 23:55');
  expect(listTime(midnight + 60, midnight + 300)).toBe('00:01');
  const nearest = [{ ...server('db-01'), snapshot_at: midnight - 300 }];
  const words = fleetSnapshotWords(answer({ minute: midnight + 300, in_minute: 13, nearest, nearest_total: 1 }));
  expect(words).toContain('Nearest lists instead: db-01 19 Nov 23:55.');
});

it('counts the servers that the answer names no more than it names', () => {
  const one = { in_minute: 0, servers: 5, without: [server('a')], without_total: 5 };
  expect(fleetSnapshotWords(answer(one))).toContain('No list within 30 minutes: a, 4 more.');
  const three = { ...one, without: ['a', 'b', 'c'].map(server), without_total: 3 };
  expect(fleetSnapshotWords(answer(three))).toContain('No list within 30 minutes: a, b, c.');
});
