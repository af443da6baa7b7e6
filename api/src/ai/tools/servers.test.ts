import { expect, it } from 'vitest';
import type { ReadCall } from '../types.ts';
import { TOOLS } from './all.ts';

const row = (id: string, status: string) => ({ id, hostname: id, display_name: null, status, last_seen_at: null });
const many = (name: string, count: number, status: string) =>
  Array.from({ length: count }, (_, n) => row(`${name}-${String(n)}`, status));

/** A fleet in the order of the API: offline servers first. */
function fleetOf(offline: number, online: number) {
  const all = [...many('off', offline, 'offline'), ...many('on', online, 'active')];
  const asked: (string | undefined)[] = [];
  const read = ((_path: string, _schema: unknown, { query }: { query: { status?: string; limit: number } }) => {
    asked.push(query.status);
    const servers = all.filter(({ status }) => query.status === undefined || status === query.status);
    return Promise.resolve({ total: servers.length, summary: { online }, servers: servers.slice(0, query.limit) });
  }) as unknown as ReadCall;
  return { asked, context: { read, now: 0, serverId: null, rangeMinutes: 60 } };
}
async function listed(offline: number, online: number) {
  const { asked, context } = fleetOf(offline, online);
  const tool = TOOLS.find(({ name }) => name === 'list_servers');
  const result = await tool?.run({} as never, context);
  const servers = (result?.content['servers'] ?? []) as { status: string }[];
  return { asked, statuses: servers.map(({ status }) => status) };
}
const counts = (statuses: string[]) => [
  statuses.filter((status) => status === 'active').length,
  statuses.lastIndexOf('active') < statuses.indexOf('offline'),
];

it.each([
  ['a few that are offline', 2, 40, 18, 1],
  ['more offline than rows', 60, 40, 15, 2],
  ['a small fleet', 3, 4, 4, 1],
] as const)('lists servers that report before silent ones: %s', async (_name, offline, online, reporting, reads) => {
  const { asked, statuses } = await listed(offline, online);
  expect(asked).toHaveLength(reads);
  expect(counts(statuses)).toEqual([reporting, true]);
  expect(statuses.length).toBeLessThanOrEqual(20);
});
