import {
  emptyEvidence,
  type AlertSeen,
  type Evidence,
  type ObjectRef,
  type PodSeen,
  type Point,
  type ProcessSeen,
  type ServerSeen,
} from '../evidence.ts';
import { DOWN_SECONDS, SILENT_TOGETHER_SECONDS } from '../gather/servers.ts';
import type { Incident, IncidentAlert, IncidentCluster, IncidentPod, IncidentServer, Pair } from './incident.ts';

/** Shows an incident to the analyser as the product reads it. */

const HOUR = 3600;
const CLUSTER = 'cluster-1';
/** The age of a list that still stands for the moment. */
const NEAREST_LIST_SECONDS = 900;

export function evidenceOf(incident: Incident): Evidence {
  const alert = askedAlert(incident);
  const pod =
    incident.ask.about === 'pod'
      ? askedPod(incident)
      : incident.kubernetes?.pods.find((one) => keyOf(one) === alert?.subject);
  const server = pod === undefined ? askedServer(incident, alert) : undefined;
  const at = pod === undefined ? (alert?.at ?? incident.now) : momentOf(pod, incident.now);
  return {
    ...emptyEvidence(at, incident.now),
    alerts: [pod === undefined ? serverAlert(server, alert, at) : podAlert(pod, at)],
    servers: server === undefined ? [] : [serverSeen(incident, server, alert, at)],
    ...(incident.kubernetes !== undefined && objectsOf(incident, incident.kubernetes, at)),
  };
}

const keyOf = ({ namespace, name }: IncidentPod): string => `${namespace}/${name}`;
const hostOf = (subject: string): string => subject.split(' ')[0] ?? '';
const momentOf = (pod: IncidentPod, now: number): number => {
  const last = Math.max(...pod.restarts.map(({ at }) => at));
  return (pod.ready || pod.phase === 'Succeeded') && Number.isFinite(last) ? last : now;
};

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

function askedServer({ ask, servers }: Incident, alert: IncidentAlert | undefined): IncidentServer {
  const host = hostOf(alert?.subject ?? '');
  const server =
    servers.find(({ hostname }) => hostname === host) ?? servers.find(({ hostname }) => ask.text.includes(hostname));
  if (server === undefined) throw new Error(`no server is meant by "${ask.text}"`);
  return server;
}

const alertOf = (of: Pick<AlertSeen, 'metric' | 'at' | 'subject' | 'title'> & Partial<AlertSeen>): AlertSeen => ({
  id: 'alert-1',
  message: '',
  serverId: null,
  hostname: null,
  object: null,
  ...of,
});
const serverAlert = (server: IncidentServer | undefined, alert: IncidentAlert | undefined, at: number): AlertSeen =>
  alertOf({
    metric: alert?.metric ?? 'range',
    title: `${alert?.metric ?? 'range'} on ${server?.hostname ?? ''}`,
    at,
    subject: alert?.subject.split(' ')[1] ?? '',
    serverId: server?.hostname ?? null,
    hostname: server?.hostname ?? null,
  });
const podAlert = (pod: IncidentPod, at: number): AlertSeen =>
  alertOf({ metric: 'pod', title: `Pod ${keyOf(pod)}`, at, subject: '', object: ownerRef(pod) });

const points = (pairs: readonly Pair[] | undefined, from: number, to: number): Point[] =>
  (pairs ?? []).map(([at, value]) => ({ at, value })).filter(({ at }) => at > from && at <= to);

function serverSeen(
  incident: Incident,
  server: IncidentServer,
  alert: IncidentAlert | undefined,
  at: number,
): ServerSeen {
  const { alerts, now } = incident;
  const metric = alert?.metric ?? null;
  const subject = alert?.subject.split(' ')[1] ?? null;
  const { series } = server;
  const disk = series.disk_percent?.[subject ?? ''] ?? fullest(series.disk_percent);
  const near = (pairs: readonly Pair[] | undefined): Point[] => points(pairs, at - 12 * HOUR, Math.min(now, at + HOUR));
  const week = (pairs: readonly Pair[] | undefined): Point[] => points(pairs, at - 168 * HOUR, at);
  return {
    serverId: server.hostname,
    hostname: server.hostname,
    metric,
    subject,
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
    othersDown: alerts
      .filter((one) => one.metric === 'offline' && one.at <= at && one.at >= at - DOWN_SECONDS)
      .map((one) => hostOf(one.subject))
      .filter((name) => name !== server.hostname),
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

const ownerRef = ({ namespace, owner, name }: IncidentPod): ObjectRef => {
  const [kind = 'Pod', ownerName = name] = owner.split('/');
  return { clusterId: CLUSTER, namespace, kind, name: ownerName };
};

/** Returns the recorded state of the cluster: nodes, pods, events and changes of images. */
function objectsOf(
  { servers, now }: Incident,
  { nodes, pods, events, workload_changes: changes }: IncidentCluster,
  at: number,
): Partial<Evidence> {
  const to = Math.min(now, at + HOUR);
  const owners = new Map(pods.map((pod) => [`${pod.namespace}/${ownerRef(pod).name}`, ownerRef(pod).kind]));
  return {
    nodes: nodes.map((node) => {
      const host = servers.find(({ hostname }) => hostname === node.hostname);
      return {
        clusterId: CLUSTER,
        name: node.name,
        serverId: node.hostname,
        ready: node.ready,
        isCordoned: false,
        taints: [],
        conditions: node.conditions.map(({ type, status, message, since }) => ({ type, status, message, since })),
        cores: node.cpu_cores,
        cpu: points(host?.series.cpu_percent, at - 12 * HOUR, to),
        memory: points(host?.series.memory_percent, at - 12 * HOUR, to),
      };
    }),
    pods: pods.map((pod) => podSeen(pod, at - 12 * HOUR, to)),
    claims: pods.flatMap((pod) =>
      (pod.volumes ?? []).map((volume) => ({
        clusterId: CLUSTER,
        namespace: pod.namespace,
        name: volume.claim,
        phase: volume.phase,
        storageClass: null,
        usedPercent: volume.used_percent,
        reason: volume.reason ?? null,
      })),
    ),
    events: events
      .filter((event) => event.at <= to)
      .map(({ object, at: time, ...event }) => {
        const [kind = '', path = ''] = object.split(' ');
        const [first = '', second] = path.split('/');
        return {
          ...event,
          clusterId: CLUSTER,
          kind,
          namespace: second === undefined ? null : first,
          name: second ?? first,
          count: 1,
          firstAt: time,
          lastAt: time,
        };
      }),
    changes: changes
      .filter((change) => change.at <= now)
      .map((change) => {
        const [namespace = '', name = ''] = change.workload.split('/');
        return {
          id: `change-${String(change.at)}-${change.workload}`,
          at: change.at,
          source: 'cluster',
          action: 'changed',
          kind: owners.get(change.workload) ?? 'Deployment',
          namespace,
          name,
          title: `image ${change.from_image} → ${change.to_image}`,
          by: null,
          clusterId: CLUSTER,
          serverId: null,
          hostname: null,
          fields: [
            { field: 'containers.app.image', was: 'changed', before: change.from_image, after: change.to_image },
          ],
        };
      }),
  };
}

function podSeen(pod: IncidentPod, from: number, to: number): PodSeen {
  const { kind, name } = ownerRef(pod);
  const restarts = pod.restarts.toSorted((a, b) => b.at - a.at);
  const [last] = restarts;
  const memoryLimitMb = pod.memory_limit_bytes === null ? null : pod.memory_limit_bytes / 2 ** 20;
  return {
    clusterId: CLUSTER,
    namespace: pod.namespace,
    name: pod.name,
    ownerKind: kind,
    ownerName: name,
    node: pod.node,
    phase: pod.phase,
    reason: pod.reason,
    ready: pod.ready,
    deleting: false,
    createdAt: pod.created_at,
    labels: {},
    claims: (pod.volumes ?? []).map(({ claim }) => claim),
    containers: [
      {
        name: 'app',
        image: pod.image,
        isInit: false,
        status: pod.ready ? 'running' : 'waiting',
        ready: pod.ready,
        reason: pod.reason,
        restarts: restarts.length,
        end:
          last === undefined
            ? null
            : { reason: last.reason, message: last.message ?? null, exitCode: last.exit_code, at: last.at },
        cpuLimitCores: pod.cpu_limit_cores,
        memoryLimitMb,
      },
    ],
    restarts: restarts.map(({ at, reason, exit_code: exitCode }) => ({ at, reason, exitCode, memoryLimitMb })),
    cpuCores: points(pod.series?.cpu_cores, from, to),
    memoryMb: points(pod.series?.memory_bytes, from, to).map(({ at, value }) => ({
      at,
      value: value === null ? null : value / 2 ** 20,
    })),
  };
}
