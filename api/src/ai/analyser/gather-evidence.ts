import { activityAnswer } from '@plimsoll/contract/wire/activity';
import { alertsAnswer } from '@plimsoll/contract/wire/alerts';
import { podAnswer } from '@plimsoll/contract/wire/kubernetes';
import { processSnapshotAnswer, type Process } from '@plimsoll/contract/wire/processes';
import type { z } from 'zod';
import { serverAnswer } from '@plimsoll/contract/wire/servers';
import { hostSeries, networkSeries } from '../tools/series.ts';
import type { ToolContext } from '../types.ts';
import type { Evidence, ProcessSeen } from './evidence.ts';

const HOUR = 3600;
const HOURS_BEFORE = 12;
/** Age of the processes that those of the moment are compared with. A leak shows over hours. */
const EARLIER_SECONDS = 3 * HOUR;
const EARLIER_MEMORY_SECONDS = 12 * HOUR;
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

/** Servers are silent together if their alerts began this close to each other. */
const TOGETHER_SECONDS = 300;
const MOST_ALERTS = 200;

async function silentWith({ read }: ToolContext, serverId: string, at: number): Promise<string[]> {
  const { alerts } = await read('/api/data/notifications', alertsAnswer, {
    query: {
      limit: MOST_ALERTS,
      start_date: Math.floor(at - TOGETHER_SECONDS),
      end_date: Math.ceil(at + TOGETHER_SECONDS),
    },
  });
  const others = alerts.filter(
    ({ metric_name: metric, server_id: other, timestamp }) =>
      metric === 'offline' && other !== serverId && Math.abs(timestamp - at) <= TOGETHER_SECONDS,
  );
  return [...new Set(others.map(({ tags }) => tags.hostname))].toSorted();
}

/** Reads what was recorded around a moment of a server. `to` is the end of what is looked at. */
export async function gatherServer(
  context: ToolContext,
  about: { serverId: string; metric: string | null; mount: string | null; at: number },
): Promise<Evidence> {
  const { serverId, at, metric } = about;
  const isMemory = metric !== null && /^(?:memory|swap)/.test(metric);
  const earlier = at - (isMemory ? EARLIER_MEMORY_SECONDS : EARLIER_SECONDS);
  const range = { from: at - HOURS_BEFORE * HOUR, to: Math.min(context.now, at + HOUR) };
  const [{ server }, host, network, processes, processesBefore, silentTogether, activity] = await Promise.all([
    context.read('/api/servers/:id', serverAnswer, { params: { id: serverId } }),
    hostSeries(context, serverId, range),
    networkSeries(context, serverId, range),
    processesAt(context, serverId, at),
    processesAt(context, serverId, earlier),
    metric === 'offline' ? silentWith(context, serverId, at) : [],
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
    silentTogether,
    waiting: null,
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
    imageChanges:
      found.image_change === null
        ? found.events.flatMap(imageChangeOf)
        : [{ ...found.image_change, at: Date.parse(found.image_change.at) / 1000 }],
    silentTogether: [],
    waiting: waitingOf(found),
  };
}

/** Events of the kubelet when it cannot pull an image. */
const PULL_EVENTS = /^(?:Failed|ErrImagePull|BackOff)$/;
function waitingOf({ pod, events }: z.infer<typeof podAnswer>): Evidence['waiting'] {
  const container = pod.containers.find(({ status, reason }) => status === 'waiting' && reason !== null);
  if (container === undefined || container.reason === null) return null;
  const told = events.find(({ reason, message }) => PULL_EVENTS.test(reason) && message.includes(container.image));
  return { reason: container.reason, image: container.image, message: told?.message ?? null };
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
