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

/** Servers with their memory in GB, and a figure of the network that may be unknown. */
function rankedBy(by: string, order: string) {
  const memory = [
    { id: 'large', total: 256, used: 230, percent: 89.8, sent: null },
    { id: 'small', total: 8, used: 2, percent: 25, sent: 10 },
    { id: 'unknown', total: null, used: 4, percent: 50, sent: 20 },
  ];
  const servers = memory.map(({ id, total }) => ({ ...row(id, 'active'), total_memory: total }));
  const metrics = memory.map(({ id, used, percent, sent }) => ({
    server_id: id,
    metrics: {
      memory_used_gb: { value: used },
      memory_usage: { value: percent },
      inbound_bytes_per_sec: { value: 5 },
      outbound_bytes_per_sec: { value: sent },
    },
  }));
  const read = ((path: string) =>
    Promise.resolve(path === '/api/data/metrics' ? { metrics } : { total: 3, servers })) as unknown as ReadCall;
  const tool = TOOLS.find(({ name }) => name === 'rank_servers');
  return tool?.run({ by, order } as never, { read, now: 0, serverId: null, rangeMinutes: 60 });
}

it('ranks free memory by what is free, with the used share beside it, and leaves out what is not known', async () => {
  const result = await rankedBy('free_memory', 'highest');
  expect(result?.content).toMatchObject({
    unit: 'GB',
    without_value: 1,
    servers: [
      { server_id: 'large', value: 26, used_percent: 89.8 },
      { server_id: 'small', value: 6, used_percent: 25 },
    ],
  });
});

it('sums no traffic of which one direction is unknown', async () => {
  const result = await rankedBy('network', 'highest');
  expect(result?.content).toMatchObject({
    without_value: 1,
    servers: [
      { server_id: 'unknown', value: 25 },
      { server_id: 'small', value: 15 },
    ],
  });
});
