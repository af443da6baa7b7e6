import { expect, it } from 'vitest';
import { topServersOf } from './top-servers.ts';

const SERVERS = [
  { key: 7, id: 'a', name: 'web-1' },
  { key: 9, id: 'b', name: 'db-1' },
];

it('lists each server once, and names it in every bucket by its place', () => {
  const { tops, servers } = topServersOf(
    [{ tops: { cpu: 9, memory: 7, disk: 9 } }, { tops: { cpu: 7, memory: null, disk: 5 } }],
    SERVERS,
  );
  expect(servers).toEqual([
    { server_id: 'b', name: 'db-1' },
    { server_id: 'a', name: 'web-1' },
  ]);
  // The second bucket has no memory figure; the server of the fullest disk was deleted since.
  expect(tops).toEqual([
    { cpu: 0, memory: 1, disk: 0 },
    { cpu: 1, memory: null, disk: null },
  ]);
});

it('says nothing where a series has no such figures', () => {
  expect(topServersOf([{ tops: {} }, {}], SERVERS)).toEqual({ tops: [undefined, undefined], servers: null });
});
