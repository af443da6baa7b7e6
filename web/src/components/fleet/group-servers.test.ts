import type { Server } from '@plimsoll/contract/wire/servers';
import { expect, it } from 'vitest';
import { groupServers, groupWords } from './group-servers.ts';

const server = (id: string, status: Server['status']) => ({ id, status }) as Server;
const told = (servers: readonly Server[]) =>
  groupServers(servers).map((group) => [groupWords(group).title, ...group.servers.map(({ id }) => id)]);

it('puts offline servers into a group of their own, in the order of the view', () => {
  const servers = [server('a', 'offline'), server('b', 'active'), server('c', 'offline'), server('d', 'uninstalled')];
  expect(told(servers)).toEqual([
    ['Offline', 'a', 'c'],
    ['Reporting', 'b', 'd'],
  ]);
  expect(told(servers.toReversed())).toEqual([
    ['Reporting', 'd', 'b'],
    ['Offline', 'c', 'a'],
  ]);
});

it('has one group where nothing is broken', () => {
  expect(told([server('b', 'active')])).toEqual([['Reporting', 'b']]);
  expect(groupServers([])).toEqual([]);
});

it('puts refused servers into a group of their own', () => {
  const servers = [server('a', 'offline'), server('b', 'refused'), server('c', 'active')];
  expect(told(servers)).toEqual([
    ['Offline', 'a'],
    ['Refused', 'b'],
    ['Reporting', 'c'],
  ]);
});

it('says what offline means', () => {
  expect(groupWords({ kind: 'offline', servers: [server('a', 'offline')] }).note).toBe(
    '1 server sent no report for three intervals',
  );
});
