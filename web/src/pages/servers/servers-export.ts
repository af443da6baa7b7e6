import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import type { ExportTable } from '../../components/export/export-file.ts';
import { serverName } from '../../format/server-facts.ts';

const FIGURES = ['cpu_usage', 'memory_usage', 'disk_usage', 'io_wait', 'iops'] as const;

/** Returns one row per server in the order of the view, with the names of the API for its figures. */
export const serversTable = (
  servers: readonly Server[],
  latest: ReadonlyMap<string, LatestMetricsItem>,
): ExportTable => ({
  columns: [
    'id',
    'name',
    'hostname',
    'status',
    'region',
    'tags',
    'last_seen_at',
    'headroom_resource',
    'headroom_points',
    ...FIGURES,
  ],
  rows: servers.map((server) => {
    const { headroom, status } = server;
    const metrics = latest.get(server.id)?.metrics;
    return [
      server.id,
      serverName(server),
      server.hostname,
      status,
      server.region,
      Object.entries(server.tags)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
      server.last_seen_at,
      // The last load of a silent server ranks nothing.
      status === 'active' ? (headroom?.resource ?? null) : null,
      status === 'active' ? (headroom?.points ?? null) : null,
      ...FIGURES.map((name) => metrics?.[name].value ?? null),
    ];
  }),
});
