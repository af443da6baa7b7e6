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
    ['Reporting', 'b'],
    ['Uninstalled', 'd'],
  ]);
  expect(told(servers.toReversed())).toEqual([
    ['Uninstalled', 'd'],
    ['Offline', 'c', 'a'],
    ['Reporting', 'b'],
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

it('counts under "Reporting" only servers that report', () => {
  const servers = [server('a', 'active'), server('b', 'installing'), server('c', 'uninstalled'), server('d', 'active')];
  expect(groupServers(servers).map((group) => [groupWords(group).title, groupWords(group).note])).toEqual([
    ['Reporting', '2 servers'],
    ['Installing', '1 server sent no report yet'],
    ['Uninstalled', 'the agent of 1 server was removed'],
  ]);
});
