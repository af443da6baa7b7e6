import { kubernetesPaths } from './seed-kubernetes.ts';

const HOURS = [1, 6, 24, 72, 168, 720, 2160, 8760];
const series = (kind: string, server: string): string[] =>
  HOURS.flatMap((hours) => [
    `/api/data/${kind}/timeseries?hours=${String(hours)}`,
    `/api/data/${kind}/timeseries?hours=${String(hours)}&server_id=${server}`,
  ]);
/** Scopes without stored sums: half of the servers, and all of them by a tag. */
const SCOPES = ['tag:half=1', 'tag:env=prod'];
const scoped = (kind: string): string[] =>
  HOURS.flatMap((hours) =>
    SCOPES.map((scope) => `/api/data/${kind}/timeseries?hours=${String(hours)}&scope=${encodeURIComponent(scope)}`),
  );
/** Returns each list over everything, with the `limit` of its screen, and each list of one server. */
const list = (path: string, limit: number, server: string): string[] => [
  path,
  `${path}?limit=${String(limit)}`,
  `${path}?server_id=${server}`,
];
const DAY_AGO = new Date(Date.now() - 86_400_000).toISOString();

/** Returns every call of the dashboard that reads, for an organisation with this server. */
export const pathsFor = (server: string): string[] => [
  '/api/auth/methods',
  '/api/auth/profile',
  '/api/auth/token',
  '/api/auth/sessions',
  '/api/servers/list',
  '/api/servers/list?limit=1000',
  '/api/servers/list?search=host-4&limit=10',
  `/api/servers/${server}`,
  '/api/data/metrics',
  '/api/data/metrics?limit=1000',
  `/api/data/metrics?server_id=${server}`,
  `/api/data/metrics?server_id=${server}&start_date=${DAY_AGO}&limit=1000`,
  ...series('metrics', server),
  ...series('network', server),
  ...scoped('metrics'),
  ...scoped('network'),
  '/api/servers/list?limit=1000&scope=tag:half%3D1',
  ...list('/api/data/network/metrics', 1000, server),
  ...list('/api/data/network/connections', 20, server),
  ...list('/api/data/processes', 50, server),
  '/api/data/processes?rank_type=memory&limit=50',
  `/api/data/processes?server_id=${server}&start_date=${DAY_AGO}&limit=50`,
  `/api/data/processes/at?server_id=${server}&at=${DAY_AGO}`,
  `/api/data/processes/fleet-at?at=${DAY_AGO}&limit=50`,
  `/api/data/activity/timeline?start_date=${DAY_AGO}`,
  ...list('/api/data/activity', 50, server),
  ...list('/api/data/notifications', 100, server),
  '/api/data/notifications?status=active&limit=10',
  '/api/user/retention-settings',
  '/api/user/api-tokens',
  '/api/user/cluster-tokens',
  '/api/user/audit-log?limit=100',
  '/api/user/account/deletion',
  '/api/plans',
  '/api/ai/health',
  ...kubernetesPaths(server),
  '/healthz',
  '/readyz',
];
