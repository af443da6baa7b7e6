import type { Point } from '../../statistics.ts';
import { emptyEvidence, type ClusterEvent, type Evidence, type KubernetesSeen, type ProcessSeen } from '../evidence.ts';
import { DOWN_SECONDS, SILENT_TOGETHER_SECONDS, TOGETHER_SECONDS } from '../gather-evidence.ts';
import type { Incident, IncidentAlert, IncidentCluster, IncidentPod, IncidentServer, Pair } from './incident.ts';

/** Shows an incident to the analyser as `gatherServer` and `gatherPod` read it from the product. */

const HOUR = 3600;
/** The age of a list that still stands for the moment. */
const NEAREST_LIST_SECONDS = 900;

export function evidenceOf(incident: Incident): Evidence {
  if (incident.ask.about === 'pod') return podEvidence(incident, askedPod(incident));
  const alert = askedAlert(incident);
  const pod = incident.kubernetes?.pods.find((one) => keyOf(one) === alert?.subject);
  if (pod !== undefined) return podEvidence(incident, pod);
  return serverEvidence(incident, alert);
}

const keyOf = ({ namespace, name }: IncidentPod): string => `${namespace}/${name}`;
const workloadOf = ({ namespace, owner }: IncidentPod): string => `${namespace}/${owner.split('/')[1] ?? owner}`;
const hostOf = (subject: string): string => subject.split(' ')[0] ?? '';

/** The last alert that the question names, else the last of all. */
function askedAlert({ ask, alerts, servers, kubernetes }: Incident): IncidentAlert | undefined {
  const known = alerts.filter(
    ({ subject }) =>
      servers.some(({ hostname }) => hostname === hostOf(subject)) ||
      kubernetes?.pods.some((pod) => keyOf(pod) === subject) === true,
  );
  const named = known.filter(({ subject }) => ask.text.includes(hostOf(subject).split('/').at(-1) ?? ''));
  const onMount = named.filter(({ subject }) => ask.text.includes(subject.split(' ')[1] ?? ' '));
  return onMount.at(-1) ?? named.at(-1) ?? known.at(-1);
}

function askedPod({ ask, kubernetes, alerts }: Incident): IncidentPod {
  const pods = kubernetes?.pods ?? [];
  const pod =
    pods.find(({ name }) => ask.text.includes(name)) ??
    pods.find((one) => alerts.some(({ subject }) => subject === keyOf(one)));
  if (pod === undefined) throw new Error(`no pod is meant by "${ask.text}"`);
  return pod;
}

const points = (pairs: readonly Pair[] | undefined, from: number, to: number): Point[] =>
  (pairs ?? []).map(([at, value]) => ({ at, value })).filter(({ at }) => at > from && at <= to);

function serverEvidence(incident: Incident, alert: IncidentAlert | undefined): Evidence {
  const { ask, servers, alerts, now, kubernetes } = incident;
  const host = hostOf(alert?.subject ?? '');
  const server =
    servers.find(({ hostname }) => hostname === host) ?? servers.find(({ hostname }) => ask.text.includes(hostname));
  if (server === undefined) throw new Error(`no server is meant by "${ask.text}"`);
  const at = alert?.at ?? now;
  const metric = alert?.metric ?? null;
  const [, mountOrUnit] = (alert?.subject ?? '').split(' ');
  const mount = mountOrUnit ?? null;
  const { series } = server;
  const disk = series.disk_percent?.[mount ?? ''] ?? fullest(series.disk_percent);
  const near = (pairs: readonly Pair[] | undefined): Point[] => points(pairs, at - 12 * HOUR, Math.min(now, at + HOUR));
  const week = (pairs: readonly Pair[] | undefined): Point[] => points(pairs, at - 168 * HOUR, at);
  const node = kubernetes?.nodes.find(({ hostname }) => hostname === server.hostname);
  return {
    hostname: server.hostname,
    metric,
    mount,
    at,
    cpuCores: server.cores,
    memoryTotalBytes: server.memory_bytes,
    series: {
      cpu: near(series.cpu_percent),
      memory: near(series.memory_percent),
      disk: near(disk),
      io_wait: near(series.io_wait_percent),
      iops: near(series.disk_operations_per_second),
      swap: near(series.swap_percent),
      load: near(series.load1),
      receive: near(series.network_rx_bytes_per_second),
      transmit: near(series.network_tx_bytes_per_second),
      connections: near(series.connections),
      time_wait: near(series.time_wait),
      close_wait: near(series.close_wait),
      syn_recv: near(series.syn_recv),
      retransmits: near(series.tcp_retransmits_per_second),
    },
    week: {
      cpu: week(series.cpu_percent),
      memory: week(series.memory_percent),
      disk: week(disk),
      receive: week(series.network_rx_bytes_per_second),
      connections: week(series.connections),
    },
    processes: processesAt(server, at),
    processesBefore: processesAt(server, at - (/^(?:memory|swap)/.test(metric ?? '') ? 12 : 3) * HOUR),
    events: server.events
      .filter((event) => event.at > at - 6 * HOUR && event.at <= Math.min(now, at + HOUR))
      .map((event) => ({ type: event.kind, name: '', message: event.text, at: event.at })),
    gaps: (server.gaps ?? []).map((gap) => ({ ...gap, detail: '' })),
    filesystems: Object.entries(server.inodes_percent ?? {}).map(([name, inodesPercent]) => ({
      mount: name,
      usedPercent: series.disk_percent?.[name]?.at(-1)?.[1] ?? null,
      inodesPercent,
    })),
    failedUnits: server.failed_units ?? [],
    clockSkewSeconds: server.clock_skew_seconds ?? null,
    silentTogether: metric === 'offline' ? together(alerts, alert, SILENT_TOGETHER_SECONDS) : [],
    alikeTogether: metric === null || metric === 'offline' ? [] : together(alerts, alert, TOGETHER_SECONDS),
    othersDown: alerts
      .filter((one) => one.metric === 'offline' && one.at <= at && one.at >= at - DOWN_SECONDS)
      .map(({ subject }) => hostOf(subject))
      .filter((name) => name !== server.hostname),
    kubernetes:
      kubernetes === undefined || node === undefined
        ? null
        : { pod: null, waiting: null, restarts: [], volumes: [], ...nodeOf(incident, kubernetes, node.name, at) },
  };
}

/** The product keeps the fullest filesystem of a server as one series. */
const fullest = (disks: Readonly<Record<string, readonly Pair[]>> | undefined): readonly Pair[] | undefined =>
  Object.values(disks ?? {}).toSorted((a, b) => (b.at(-1)?.[1] ?? 0) - (a.at(-1)?.[1] ?? 0))[0];

const together = (alerts: readonly IncidentAlert[], asked: IncidentAlert | undefined, seconds: number): string[] =>
  alerts
    .filter(
      ({ metric, subject, at }) =>
        asked !== undefined &&
        metric === asked.metric &&
        subject !== asked.subject &&
        Math.abs(at - asked.at) <= seconds,
    )
    .map(({ subject }) => hostOf(subject));

/** The recordings have a few lists only: the nearest, else the newest before. */
function processesAt({ processes }: IncidentServer, at: number): ProcessSeen[] {
  const near = processes
    .filter((one) => Math.abs(one.at - at) <= NEAREST_LIST_SECONDS)
    .toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
  const found = near ?? processes.filter((one) => one.at <= at).toSorted((a, b) => b.at - a.at)[0];
  return (found?.list ?? []).map((process) => ({
    pid: process.pid,
    name: process.name,
    cpuPercent: process.cpu_percent_of_one_core,
    memoryBytes: process.memory_bytes,
    startedAt: process.started_at ?? 0,
  }));
}

/** Changes of the images of every workload with a pod on the node, its events and the use of its pods. */
function nodeOf(
  { servers, now }: Incident,
  cluster: IncidentCluster,
  name: string,
  at: number,
): Pick<KubernetesSeen, 'node' | 'neighbours' | 'imageChanges' | 'events'> {
  const node = cluster.nodes.find((one) => one.name === name);
  const pods = cluster.pods.filter((pod) => pod.node === name);
  const workloads = new Set(pods.map(workloadOf));
  const host = servers.find(({ hostname }) => hostname === node?.hostname);
  const to = Math.min(now, at + HOUR);
  const events = cluster.events.map(eventOf);
  return {
    node:
      node === undefined
        ? null
        : {
            name,
            ready: node.ready,
            conditions: node.conditions.map(({ type, status, message, since }) => ({ type, status, message, since })),
            cores: node.cpu_cores,
            cpu: points(host?.series.cpu_percent, at - 12 * HOUR, to),
            memory: points(host?.series.memory_percent, at - 12 * HOUR, to),
          },
    neighbours: pods.map((pod) => ({
      name: keyOf(pod),
      workload: workloadOf(pod),
      image: pod.image,
      cpuLimitCores: pod.cpu_limit_cores,
      createdAt: pod.created_at,
      cpuCores: points(pod.series?.cpu_cores, at - 12 * HOUR, to),
      memoryMb: megabytes(points(pod.series?.memory_bytes, at - 12 * HOUR, to)),
    })),
    imageChanges: cluster.workload_changes
      .filter(({ workload, at: time }) => workloads.has(workload) && time <= to)
      .map(({ workload, at: time, from_image: from, to_image: image }) => ({ workload, at: time, from, to: image })),
    events: events.filter(
      (event) =>
        event.at <= to &&
        ((event.kind === 'Node' && event.name === name) || (event.kind === 'Pod' && event.reason === 'Evicted')),
    ),
  };
}

const megabytes = (values: Point[]): Point[] =>
  values.map(({ at, value }) => ({ at, value: value === null ? null : value / 2 ** 20 }));
function eventOf({ object, ...event }: IncidentCluster['events'][number]): ClusterEvent {
  const [kind = '', name = ''] = object.split(' ');
  return { ...event, kind, name };
}

function podEvidence(incident: Incident, pod: IncidentPod): Evidence {
  const { now, kubernetes } = incident;
  const cluster = kubernetes ?? { nodes: [], pods: [], events: [], workload_changes: [] };
  const restarts = pod.restarts.toSorted((a, b) => b.at - a.at);
  const at = (pod.ready || pod.phase === 'Succeeded' ? restarts[0]?.at : undefined) ?? now;
  const workload = workloadOf(pod);
  const seen =
    pod.node === null
      ? { node: null, neighbours: [], imageChanges: [], events: [] }
      : nodeOf(incident, cluster, pod.node, at);
  const limit = pod.memory_limit_bytes;
  const own = cluster.events
    .map(eventOf)
    .filter(({ kind, name }) => (kind === 'Pod' ? name === keyOf(pod) : kind !== 'Node' && name.startsWith(workload)));
  return {
    ...emptyEvidence(keyOf(pod), 'pod', at),
    kubernetes: {
      pod: {
        name: keyOf(pod),
        workload,
        phase: pod.phase,
        reason: pod.reason,
        ready: pod.ready,
        lastMessage: restarts[0]?.message ?? null,
        cpuLimitCores: pod.cpu_limit_cores,
        cpuCores: points(pod.series?.cpu_cores, at - 12 * HOUR, Math.min(now, at + HOUR)),
        memoryMb: megabytes(points(pod.series?.memory_bytes, at - 12 * HOUR, Math.min(now, at + HOUR))),
      },
      waiting: pod.reason === null ? null : { reason: pod.reason, image: pod.image, message: null },
      restarts: restarts.map(({ at: time, reason, exit_code: exitCode }) => ({
        at: time,
        reason,
        exitCode,
        memoryLimitMb: limit === null ? null : limit / 2 ** 20,
      })),
      imageChanges: [
        ...cluster.workload_changes
          .filter((change) => change.workload === workload && change.at <= now)
          .map(({ at: time, from_image: from, to_image: to }) => ({ workload, at: time, from, to })),
        ...seen.imageChanges.filter((change) => change.workload !== workload),
      ],
      events: [...own, ...seen.events],
      volumes: (pod.volumes ?? []).map((volume) => ({
        claim: volume.claim,
        phase: volume.phase,
        usedPercent: volume.used_percent,
        reason: volume.reason ?? null,
      })),
      node: seen.node,
      neighbours: seen.neighbours.filter(({ name }) => name !== keyOf(pod)),
    },
  };
}
