import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import { activityAnswer } from '@plimsoll/contract/wire/activity';
import { alertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { processSnapshotAnswer, type Process } from '@plimsoll/contract/wire/processes';
import { serverAnswer, type ServerDetail } from '@plimsoll/contract/wire/servers';
import { hostHistory, hostSeries, networkSeries } from '../../ai/tools/series.ts';
import type { ToolContext } from '../../ai/types.ts';
import type { Point, ProcessSeen, ServerSeen } from '../evidence.ts';
import { MOST, orNull, readList } from './reads.ts';

const HOURS_BEFORE = 12;
/** Only finer points show a fault of the last minutes. */
const NEAR_HOURS = 2;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;
/** Age of the processes that those of the moment are compared with. A leak shows over hours. */
const EARLIER_HOURS = [3];
/** The oldest list that is there: a machine may be younger than a leak takes. */
const EARLIER_MEMORY_HOURS = [12, 6, 3];
/** Events are looked for this long before the moment: what changed may show its effect late. */
const EVENT_SECONDS = 6 * HOUR_SECONDS;
/** An event is seen with the report after it. */
const TOLD_AFTER_SECONDS = 300;
/** Silence begins at the same moment for all that share what failed. */
export const SILENT_TOGETHER_SECONDS = 300;
/** Another server that went silent this long before may have left its traffic to this one. */
export const DOWN_SECONDS = 2 * HOUR_SECONDS;

const seen = (process: Process): ProcessSeen => ({
  pid: process.pid,
  name: process.name,
  command: process.command,
  cpuPercent: process.cpu_usage ?? 0,
  memoryBytes: process.memory_kb * 1024,
  startedAt: process.start_time,
});

async function processesAt(context: ToolContext, serverId: string, at: number): Promise<ProcessSeen[]> {
  // A moment before the stored history is refused; without a list the mechanisms look at the series alone.
  const query = { server_id: serverId, at: Math.ceil(at) };
  return (await readList(context, '/api/data/processes/at', processSnapshotAnswer, 'processes', query)).map(seen);
}

async function processesBefore(
  context: ToolContext,
  { serverId, metric, at }: { serverId: string; metric: string | null; at: number },
): Promise<ProcessSeen[]> {
  const isMemory = metric !== null && /^(?:memory|swap)/.test(metric);
  for (const hours of isMemory ? EARLIER_MEMORY_HOURS : EARLIER_HOURS) {
    const found = await processesAt(context, serverId, at - hours * HOUR_SECONDS);
    if (found.length > 0) return found;
  }
  return [];
}

async function others(
  { read }: ToolContext,
  serverId: string,
  metric: string | null,
  at: number,
): Promise<Pick<ServerSeen, 'silentTogether' | 'othersDown'>> {
  const { alerts } = await read('/api/data/notifications', alertsAnswer, {
    query: {
      limit: MOST.alerts,
      start_date: Math.floor(at - DOWN_SECONDS),
      end_date: Math.ceil(at + SILENT_TOGETHER_SECONDS),
    },
  });
  const named = (name: string | null, from: number, to: number): string[] => {
    const found = alerts.filter(
      (alert) =>
        alert.metric_name === name && alert.server_id !== serverId && alert.timestamp >= from && alert.timestamp <= to,
    );
    return [...new Set(found.map(({ tags }) => tags.hostname))].toSorted();
  };
  const isOffline = metric === 'offline';
  return {
    silentTogether: isOffline ? named('offline', at - SILENT_TOGETHER_SECONDS, at + SILENT_TOGETHER_SECONDS) : [],
    othersDown: named('offline', at - DOWN_SECONDS, at),
  };
}

/** The newest list may hold starts and stops of processes alone: other events before the moment are read apart. */
async function eventsAround(context: ToolContext, serverId: string, at: number, to: number) {
  const list = (query: Record<string, string | number>) =>
    context.read('/api/data/activity', activityAnswer, {
      query: { server_id: serverId, limit: MOST.events, start_date: Math.floor(at - EVENT_SECONDS), ...query },
    });
  const [before, newest] = await Promise.all([
    list({ process_runs: 'folded', end_date: Math.ceil(Math.min(to, at + TOLD_AFTER_SECONDS)) }),
    list({ end_date: Math.ceil(to) }),
  ]);
  return [...new Map([...newest.events, ...before.events].map((event) => [event.id, event])).values()];
}

/** A plan may show a little less of the past: its means of what it shows are better than none. */
async function weekBefore(context: ToolContext, serverId: string, at: number): Promise<[HostSeries, NetworkSeries]> {
  const read = (from: number): Promise<[HostSeries, NetworkSeries]> =>
    Promise.all([hostSeries(context, serverId, { from, to: at }), networkSeries(context, serverId, { from, to: at })]);
  const from = at - WEEK_SECONDS;
  return (await orNull(read(from))) ?? read(Math.max(from, context.now - WEEK_SECONDS + HOUR_SECONDS));
}

type HostSeries = Awaited<ReturnType<typeof hostSeries>>;
type NetworkSeries = Awaited<ReturnType<typeof networkSeries>>;
interface Recorded {
  /** Begin of the finer points. */
  from: number;
  host: HostSeries;
  network: NetworkSeries;
  nearHost: HostSeries;
  nearNetwork: NetworkSeries;
}

/** Coarse points of the hours before, and fine ones near the moment. */
function seriesOf({ from, host, network, nearHost, nearNetwork }: Recorded): ServerSeen['series'] {
  const finer = (coarse: readonly Point[], fine: readonly Point[]): Point[] => [
    ...coarse.filter((point) => point.at < from),
    ...fine,
  ];
  const h = (name: keyof HostSeries): Point[] => finer(host[name], nearHost[name]);
  const n = (name: keyof NetworkSeries): Point[] => finer(network[name], nearNetwork[name]);
  return {
    cpu: h('cpu'),
    memory: h('memory'),
    disk: h('disk'),
    io_wait: h('io_wait'),
    iops: h('iops'),
    swap: h('swap'),
    load: h('load'),
    retransmits: h('tcp_retransmits'),
    receive: n('receive'),
    transmit: n('transmit'),
    connections: n('connections'),
    time_wait: n('time_wait'),
    close_wait: n('close_wait'),
    syn_recv: n('syn_recv'),
  };
}

/** Reads what was recorded around a moment of a server. */
export async function readServer(
  context: ToolContext,
  about: { serverId: string; metric: string | null; subject: string | null; at: number },
): Promise<ServerSeen> {
  const { serverId, at, metric } = about;
  const range = { from: at - HOURS_BEFORE * HOUR_SECONDS, to: Math.min(context.now, at + HOUR_SECONDS) };
  const near = { from: at - NEAR_HOURS * HOUR_SECONDS, to: range.to };
  const [{ server }, host, network, nearHost, nearNetwork, [weekHost, weekNetwork], processes, earlier, alike, events] =
    await Promise.all([
      context.read('/api/servers/:id', serverAnswer, { params: { id: serverId } }),
      hostHistory(context, serverId, range),
      networkSeries(context, serverId, range),
      hostSeries(context, serverId, near),
      networkSeries(context, serverId, near),
      weekBefore(context, serverId, at),
      processesAt(context, serverId, at),
      processesBefore(context, about),
      others(context, serverId, metric, at),
      eventsAround(context, serverId, at, range.to),
    ]);
  const lateSeconds = GAP_INTERVALS * server.report_interval_seconds;
  const state = stateOf(server);
  const series = seriesOf({ from: near.from, host: host.series, network, nearHost, nearNetwork });
  const ofDisk = (points: readonly Point[]): readonly Point[] =>
    metric?.startsWith('disk') === true ? ofMount(points, about.subject, state.filesystems) : points;
  return {
    ...about,
    hostname: server.display_name ?? server.hostname,
    cpuCores: server.cpu_cores,
    memoryTotalBytes: server.total_memory === null ? null : server.total_memory * 2 ** 30,
    series: { ...series, disk: ofDisk(series.disk) },
    week: {
      cpu: weekHost.cpu,
      memory: weekHost.memory,
      disk: ofDisk(weekHost.disk),
      receive: weekNetwork.receive,
      connections: weekNetwork.connections,
    },
    processes,
    processesBefore: earlier,
    events: events.map((event) => ({
      type: event.event_type,
      name: event.service_name ?? event.process_name ?? '',
      message: event.message,
      at: event.timestamp,
    })),
    // A machine whose next report is only due is not silent.
    gaps: host.gaps
      .filter(({ from, reason }) => reason !== 'silent' || context.now - from > lateSeconds)
      .map(({ from, to, reason, detail }) => ({ from, to, reason, detail })),
    ...state,
    ...alike,
  };
}

/** Rounding of the stored series, in points. */
const ROUNDED_POINTS = 1;
/**
 * Returns what of the series is about one mount. The series is that of the fullest filesystem at each moment: below the
 * others it may be one of theirs, and then it is not known.
 */
export function ofMount(
  points: readonly Point[],
  subject: string | null,
  filesystems: ServerSeen['filesystems'],
): readonly Point[] {
  if (!filesystems.some(({ mount }) => mount === subject)) return points;
  const others = filesystems.flatMap(({ mount, usedPercent }) => (mount === subject ? [] : (usedPercent ?? [])));
  const least = Math.max(-Infinity, ...others) + ROUNDED_POINTS;
  return points.map((point) => (point.value === null || point.value > least ? point : { ...point, value: null }));
}

type State = Pick<ServerSeen, 'filesystems' | 'failedUnits' | 'clockSkewSeconds' | 'limits'>;
function stateOf(server: ServerDetail): State {
  const limits = server.kernel_limits;
  return {
    filesystems: server.filesystems.map((fs) => ({
      mount: fs.mount,
      usedPercent: share(fs.used_bytes, fs.used_bytes + fs.available_bytes),
      inodesPercent:
        fs.inodes_used === null || fs.inodes_total === null ? null : share(fs.inodes_used, fs.inodes_total),
    })),
    failedUnits: (server.units ?? []).filter(({ state }) => state === 'failed').map(({ name }) => name),
    clockSkewSeconds: server.agent?.clock_skew_seconds ?? null,
    ...(limits !== undefined && {
      limits: {
        conntrack: limits.conntrack,
        openFiles: limits.open_files,
        ephemeralPorts: limits.ephemeral_ports,
        clockSynchronized: limits.clock_synchronized,
      },
    }),
  };
}
const share = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);
