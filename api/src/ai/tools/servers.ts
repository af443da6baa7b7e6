import { latestMetricsAnswer } from '@plimsoll/contract/wire/metrics';
import { serverAnswer, serversAnswer, type Server } from '@plimsoll/contract/wire/servers';
import { RESOURCES, SERVER_STATUSES } from '@plimsoll/contract/rules/limits';
import { z } from 'zod';
import { duration } from '../../alerts/duration.ts';
import { screens } from '../screen-links.ts';
import type { Tool, ToolContext } from '../types.ts';
import { named, requireNamed } from './named-server.ts';
import { MOST_ROWS, tool } from './tool.ts';

/** A server that is silent has no headroom: its last figures say nothing about now. */
const shortServer = (server: Server, now: number): Record<string, unknown> => ({
  server_id: server.id,
  hostname: server.display_name ?? server.hostname,
  status: server.status,
  region: server.region,
  tags: server.tags,
  cpu_cores: server.cpu_cores,
  total_memory_gb: server.total_memory,
  last_seen_at: server.last_seen_at,
  last_report_age_seconds:
    server.last_seen_at === null ? null : Math.max(0, Math.round(now - Date.parse(server.last_seen_at) / 1000)),
  headroom: server.status === 'active' ? server.headroom : null,
});

/** Silent servers that a list shows beside those that report. */
const MOST_SILENT = 5;

/** Servers that report, least headroom first, then silent ones. A full fleet leaves room for some of these. */
async function rankedServers(
  { read }: ToolContext,
  filter: { status?: string | undefined; search?: string | undefined },
): Promise<Pick<z.output<typeof serversAnswer>, 'servers' | 'summary' | 'total'>> {
  const list = (status: string | undefined) =>
    read('/api/servers/list', serversAnswer, { query: { ...filter, status, limit: MOST_ROWS } });
  const all = await list(filter.status);
  const isReporting = ({ status }: Server): boolean => status === 'active';
  const silent = all.servers.filter((server) => !isReporting(server));
  const first = all.servers.filter(isReporting);
  // The list begins with offline servers. One read is enough unless many of them are.
  const room = MOST_ROWS - Math.min(MOST_SILENT, silent.length);
  const isEnough = filter.status !== undefined || first.length >= Math.min(room, all.summary.online);
  const reporting = isEnough ? first : (await list('active')).servers.slice(0, room);
  return { ...all, servers: [...reporting, ...silent].slice(0, Math.max(MOST_ROWS, reporting.length)) };
}

/** Servers that one call of the list returns at most. */
const ALL_SERVERS = 1000;
type Latest = z.output<typeof latestMetricsAnswer>['metrics'][number]['metrics'];
/** Null if either is not known: the known part alone would stand for the whole. */
const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

/** Figures that servers are ranked by, beside the resources with a load line. */
const RANKED: Record<string, { unit: string; of: (latest: Latest) => number | null }> = {
  cpu: { unit: 'per cent', of: (latest) => latest.cpu_usage.value },
  memory: { unit: 'per cent', of: (latest) => latest.memory_usage.value },
  disk: { unit: 'per cent', of: (latest) => latest.disk_usage.value },
  io_wait: { unit: 'per cent', of: (latest) => latest.io_wait.value },
  swap: { unit: 'per cent', of: (latest) => latest.swap_usage.value },
  load: { unit: 'runnable tasks', of: (latest) => latest.load_1m.value },
  iops: { unit: 'operations per second', of: (latest) => latest.iops.value },
  receive: { unit: 'bytes per second', of: (latest) => latest.inbound_bytes_per_sec.value },
  transmit: { unit: 'bytes per second', of: (latest) => latest.outbound_bytes_per_sec.value },
  network: {
    unit: 'bytes per second',
    of: (latest) => sum(latest.inbound_bytes_per_sec.value, latest.outbound_bytes_per_sec.value),
  },
};
const RANKS = [
  ...RESOURCES,
  'free_memory',
  'swap',
  'load',
  'iops',
  'receive',
  'transmit',
  'network',
  'uptime',
  'temperature',
] as const;
const UNITS: Readonly<Record<string, string>> = {
  temperature: 'degrees Celsius',
  uptime: 'seconds',
  free_memory: 'GB',
};
const isResource = (by: string): by is (typeof RESOURCES)[number] => RESOURCES.some((resource) => resource === by);
/** Temperatures stand in the details of a server only. */
const MOST_DETAILS = 50;

/** Returns the hottest sensor of each server. */
async function hottest({ read }: ToolContext, servers: readonly Server[]): Promise<Map<string, number>> {
  const details = await Promise.all(
    servers.slice(0, MOST_DETAILS).map(({ id }) => read('/api/servers/:id', serverAnswer, { params: { id } })),
  );
  return new Map(
    details.flatMap(({ server: { id, temperatures } }): [string, number][] =>
      temperatures === null || temperatures.length === 0
        ? []
        : [[id, Math.max(...temperatures.map(({ celsius }) => celsius))]],
    ),
  );
}

interface Ranked {
  value: number | null;
  /** Beside the free memory: a small server may have less of it and be emptier. */
  used_percent?: number | null;
}

/** Returns the free memory of each server in GB. */
function freeMemory(servers: readonly Server[], latestOf: ReadonlyMap<string, Latest>): Map<string, Ranked> {
  return new Map(
    servers.map(({ id, total_memory: total }) => {
      const latest = latestOf.get(id);
      const used = latest?.memory_used_gb.value ?? null;
      const value = total === null || used === null ? null : Math.round((total - used) * 10) / 10;
      return [id, { value, used_percent: latest?.memory_usage.value ?? null }];
    }),
  );
}

const valued = (values: Map<string, number | null>): Map<string, Ranked> =>
  new Map([...values].map(([id, value]) => [id, { value }]));

/** Returns the value of each server. */
async function valuesOf(context: ToolContext, by: string, servers: readonly Server[]): Promise<Map<string, Ranked>> {
  if (by === 'temperature') return valued(await hottest(context, servers));
  if (by === 'uptime') return valued(new Map(servers.map(({ id, uptime_seconds: uptime }) => [id, uptime])));
  const { metrics } = await context.read('/api/data/metrics', latestMetricsAnswer, { query: { limit: ALL_SERVERS } });
  if (by === 'free_memory') return freeMemory(servers, new Map(metrics.map((item) => [item.server_id, item.metrics])));
  return valued(new Map(metrics.map((item) => [item.server_id, RANKED[by]?.of(item.metrics) ?? null])));
}

/** "Debian GNU/Linux 12": some names hold the version. */
function osOf({ os_name: name, os_version: version }: Server): string | null {
  if (name === null || version === null || name.includes(version)) return name ?? version;
  return `${name} ${version}`;
}

const rankServers = tool({
  name: 'rank_servers',
  description:
    'Ranks the servers that report by their latest value, the highest first unless order is lowest: CPU, memory, disk (fullest filesystem), IO wait and swap in per cent, free_memory (GB, with the used per cent beside it), load (runnable tasks), iops, receive, transmit and network (bytes per second), uptime (seconds), temperature (hottest sensor, degrees Celsius). above and below leave out the others, and matching counts those that are left. Resources with a load line have headroom.points, the distance to it; negative is over it. silent: servers without a fresh report.',
  input: z.object({
    by: z.enum(RANKS),
    order: z.enum(['highest', 'lowest']).default('highest'),
    above: z.number().optional().describe('in the unit of the figure'),
    below: z.number().optional(),
  }),
  async run({ by, order, above = -Infinity, below = Infinity }, context) {
    const { servers, total } = await context.read('/api/servers/list', serversAnswer, {
      query: { limit: ALL_SERVERS },
    });
    const reporting = servers.filter(({ status }) => status === 'active');
    const valueOf = await valuesOf(context, by, reporting);
    const direction = order === 'highest' ? -1 : 1;
    const ranked = reporting
      .flatMap((server) => {
        const { value = null, ...beside } = valueOf.get(server.id) ?? {};
        return value === null
          ? []
          : [{ ...named(server), value, beside, line: isResource(by) ? server.lines[by].warning : null }];
      })
      .toSorted((a, b) => direction * (a.value - b.value));
    const matching = ranked.filter(({ value }) => value > above && value < below);
    return {
      content: {
        by,
        order,
        unit: UNITS[by] ?? RANKED[by]?.unit,
        total,
        reporting: ranked.length,
        matching: matching.length,
        servers: matching.slice(0, MOST_ROWS).map(({ id, hostname, value, beside, line }) => ({
          server_id: id,
          hostname,
          status: 'active',
          value,
          ...beside,
          ...(line !== null && {
            headroom: { resource: by, value, line, points: Math.round((line - value) * 100) / 100 },
          }),
        })),
        without_value: reporting.length - ranked.length,
        silent: servers
          .filter(({ status }) => status !== 'active')
          .slice(0, MOST_SILENT)
          .map((server) => shortServer(server, context.now)),
      },
      sources: [screens.servers(isResource(by) ? { sort: by } : {})],
    };
  },
});

export const serverTools: readonly Tool[] = [
  rankServers,
  tool({
    name: 'list_servers',
    description:
      'Lists servers, least headroom first. headroom.points is the distance in per cent points to the load line of the resource nearest to it; negative is over the line. Servers that do not report come last, without headroom. Also returns counts and averages over all servers.',
    input: z.object({
      status: z.enum(SERVER_STATUSES).optional(),
      search: z.string().max(200).optional().describe('words of host name, region or tags'),
    }),
    async run({ status, search }, context) {
      const { total, summary, servers } = await rankedServers(context, { status, search });
      return {
        content: { total, summary, servers: servers.map((server) => shortServer(server, context.now)) },
        sources: [screens.servers({ status, search })],
      };
    },
  }),
  tool({
    name: 'server_details',
    description:
      'Returns one server: system, size, latest figures with their age, filesystems, disks, failed units, temperatures, load lines.',
    input: z.object({ server: z.string().max(200).describe('host name or server_id') }),
    async run({ server: name }, context) {
      const { id, hostname } = await requireNamed(context, name);
      const [{ server }, { metrics }] = await Promise.all([
        context.read('/api/servers/:id', serverAnswer, { params: { id } }),
        context.read('/api/data/metrics', latestMetricsAnswer, { query: { server_id: id } }),
      ]);
      const [latest] = metrics;
      return {
        content: {
          ...shortServer(server, context.now),
          os: osOf(server),
          kernel: server.kernel,
          cpu_model: server.cpu_model,
          total_storage_gb: server.total_storage,
          collector_version: server.cli_version,
          created_at: server.created_at,
          uptime_seconds: server.uptime_seconds,
          uptime: server.uptime_seconds === null ? null : duration(server.uptime_seconds * 1000),
          lines: server.lines,
          latest_age_seconds: latest?.age_seconds ?? null,
          latest: latest?.metrics ?? null,
          filesystems: server.filesystems.slice(0, MOST_ROWS).map((fs) => ({
            mount: fs.mount,
            used_bytes: fs.used_bytes,
            available_bytes: fs.available_bytes,
            used_percent: percentUsed(fs),
          })),
          load: server.load,
          // Null: nothing reports the units of the server.
          failed_units: server.units?.filter(({ state }) => state === 'failed').slice(0, MOST_ROWS) ?? null,
          temperatures: (server.temperatures ?? []).slice(0, MOST_ROWS),
        },
        sources: [screens.server(id, hostname)],
      };
    },
  }),
];

/** As df shows it. */
const percentUsed = (fs: { used_bytes: number; available_bytes: number }): number | null => {
  const usable = fs.used_bytes + fs.available_bytes;
  return usable === 0 ? null : Math.round((fs.used_bytes / usable) * 1000) / 10;
};
