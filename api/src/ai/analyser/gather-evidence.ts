import { activityAnswer } from '@plimsoll/contract/wire/activity';
import { podAnswer } from '@plimsoll/contract/wire/kubernetes';
import { processSnapshotAnswer, type Process } from '@plimsoll/contract/wire/processes';
import { serverAnswer } from '@plimsoll/contract/wire/servers';
import { hostSeries, networkSeries } from '../tools/series.ts';
import type { ToolContext } from '../types.ts';
import type { Evidence, ProcessSeen } from './causes.ts';

const HOUR = 3600;
const HOURS_BEFORE = 12;
/** Compared with the processes of the moment. */
const EARLIER_SECONDS = 3 * HOUR;
const MOST_EVENTS = 200;

const seen = (process: Process): ProcessSeen => ({
  pid: process.pid,
  name: process.name,
  cpuPercent: process.cpu_usage ?? 0,
  memoryBytes: process.memory_kb * 1024,
  startedAt: process.start_time,
});

async function processesAt({ read }: ToolContext, serverId: string, at: number): Promise<ProcessSeen[]> {
  // A moment before the stored history is refused; without a list the finders look at the series alone.
  const found = await read('/api/data/processes/at', processSnapshotAnswer, {
    query: { server_id: serverId, at: Math.ceil(at) },
  }).catch(() => null);
  return (found?.processes ?? []).map(seen);
}

/** Reads what was recorded around a moment of a server. `to` is the end of what is looked at. */
export async function gatherServer(
  context: ToolContext,
  about: { serverId: string; metric: string | null; mount: string | null; at: number },
): Promise<Evidence> {
  const { serverId, at } = about;
  const range = { from: at - HOURS_BEFORE * HOUR, to: Math.min(context.now, at + HOUR) };
  const [{ server }, host, network, processes, processesBefore, activity] = await Promise.all([
    context.read('/api/servers/:id', serverAnswer, { params: { id: serverId } }),
    hostSeries(context, serverId, range),
    networkSeries(context, serverId, range),
    processesAt(context, serverId, at),
    processesAt(context, serverId, at - EARLIER_SECONDS),
    context.read('/api/data/activity', activityAnswer, {
      query: {
        server_id: serverId,
        limit: MOST_EVENTS,
        start_date: Math.floor(at - 3 * HOUR),
        end_date: Math.ceil(range.to),
      },
    }),
  ]);
  return {
    ...about,
    hostname: server.display_name ?? server.hostname,
    cpuCores: server.cpu_cores,
    memoryTotalBytes: server.total_memory === null ? null : server.total_memory * 2 ** 30,
    series: { ...host, ...network },
    processes,
    processesBefore,
    events: activity.events.map((event) => ({
      type: event.event_type,
      name: event.service_name ?? event.process_name ?? '',
      message: event.message,
      at: event.timestamp,
    })),
    restarts: [],
    imageChanges: [],
  };
}

/** Reads what was recorded of a pod; the figures of its node are not its own, so the series stay empty. */
export async function gatherPod(
  { read, now }: ToolContext,
  about: { namespace: string; pod: string; clusterId: string | undefined },
): Promise<Evidence> {
  const found = await read('/api/kubernetes/pods/:namespace/:pod', podAnswer, {
    params: { namespace: about.namespace, pod: about.pod },
    query: { cluster_id: about.clusterId },
  });
  const last = found.restarts[0]?.timestamp ?? now;
  const none = {
    cpu: [],
    memory: [],
    disk: [],
    io_wait: [],
    iops: [],
    swap: [],
    receive: [],
    transmit: [],
    connections: [],
  };
  return {
    hostname: `${about.namespace}/${about.pod}`,
    metric: 'pod',
    mount: null,
    at: last,
    cpuCores: null,
    memoryTotalBytes: null,
    series: none,
    processes: [],
    processesBefore: [],
    events: [],
    restarts: found.restarts.map(
      ({ timestamp, reason, exit_code: exitCode, memory_limit_mb: memoryLimitMb, oom_killed: killed }) => ({
        at: timestamp,
        reason: killed ? 'OOMKilled' : reason,
        exitCode,
        memoryLimitMb,
      }),
    ),
    imageChanges: found.events.flatMap(imageChangeOf),
  };
}

/** The kubelet says which image it pulls; two names of one repository are a change. */
const PULLED = /image "([^"]+)"/;
function imageChangeOf(
  event: { reason: string; message: string; first_at: string },
  index: number,
  all: readonly { reason: string; message: string }[],
): Evidence['imageChanges'][number][] {
  const image = PULLED.exec(event.message)?.[1];
  const earlier = all
    .slice(index + 1)
    .map(({ message }) => PULLED.exec(message)?.[1])
    .find((name) => name !== undefined && name !== image && repository(name) === repository(image));
  if (image === undefined || earlier === undefined) return [];
  return [{ at: Date.parse(event.first_at) / 1000, from: earlier, to: image }];
}
const repository = (image: string | undefined): string | undefined => image?.replace(/[:@][^/]*$/, '');
