import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Point } from '../../statistics.ts';
import type { Evidence, ProcessSeen } from '../evidence.ts';

/**
 * Twelve incidents by somebody who had not read the analyser. `fixtures/incidents/NN.json.gz` holds each as a monitoring
 * product records it: series of a week, process lists, events, pods, alerts, and the cause that the author had in mind.
 */
export interface RecordedIncident {
  file: string;
  title: string;
  knownCause: { kind: string; subject: string; explanation: string };
  evidence: Evidence;
}

type Pairs = readonly (readonly [number, number | null])[];
interface RecordedServer {
  hostname: string;
  cores: number;
  memory_bytes: number;
  series: Record<string, Pairs | undefined> & { disk_percent?: Record<string, Pairs> };
  processes: {
    at: number;
    list: { pid: number; name: string; cpu_percent_of_one_core: number; memory_bytes: number }[];
  }[];
  events: { at: number; kind: string; text: string }[];
}
interface RecordedPod {
  namespace: string;
  name: string;
  image: string;
  reason: string | null;
  memory_limit_bytes: number | null;
  restarts: { at: number; reason: string | null; exit_code: number | null }[];
}
interface Recording {
  title: string;
  known_cause: RecordedIncident['knownCause'];
  question: { about: 'alert' | 'server' | 'pod' | 'fleet'; text: string };
  now: number;
  servers: RecordedServer[];
  alerts: { at: number; metric: string; subject: string }[];
  kubernetes?: {
    pods: RecordedPod[];
    workload_changes: { at: number; workload: string; from_image: string; to_image: string }[];
  };
}

const FOLDER = new URL('../fixtures/incidents/', import.meta.url);
const HOUR = 3600;
/** The age of a list that still stands for the moment. */
const NEAREST_LIST_SECONDS = 900;

export const recordedIncidents = (): RecordedIncident[] =>
  readdirSync(fileURLToPath(FOLDER))
    .toSorted()
    .map((file) => {
      const recording = JSON.parse(gunzipSync(readFileSync(new URL(file, FOLDER))).toString()) as Recording;
      const { title, known_cause: knownCause, question } = recording;
      const evidence = question.about === 'pod' ? podEvidence(recording) : serverEvidence(recording);
      return { file, title, knownCause, evidence };
    });

const NO_SERIES: Evidence['series'] = {
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

/** As `gatherPod` reads it: the pod that the question names, else one of an alert. */
function podEvidence({ question, kubernetes, alerts, now }: Recording): Evidence {
  const { pods, workload_changes: changes } = kubernetes ?? { pods: [], workload_changes: [] };
  const keyOf = ({ namespace, name }: RecordedPod): string => `${namespace}/${name}`;
  const pod =
    pods.find(({ name }) => question.text.includes(name)) ??
    pods.find((one) => alerts.some(({ subject }) => subject === keyOf(one)));
  if (pod === undefined) throw new Error(`no pod is meant by "${question.text}"`);
  const workload = keyOf(pod).replace(/-[a-z0-9]+-[a-z0-9]+$/, '');
  const limit = pod.memory_limit_bytes;
  const restarts = pod.restarts.toSorted((a, b) => b.at - a.at);
  return {
    hostname: keyOf(pod),
    metric: 'pod',
    mount: null,
    at: restarts[0]?.at ?? now,
    cpuCores: null,
    memoryTotalBytes: null,
    series: NO_SERIES,
    processes: [],
    processesBefore: [],
    events: [],
    restarts: restarts.map(({ at, reason, exit_code: exitCode }) => ({
      at,
      reason,
      exitCode,
      memoryLimitMb: limit === null ? null : limit / 2 ** 20,
    })),
    silentTogether: [],
    waiting: pod.reason === null ? null : { reason: pod.reason, image: pod.image, message: null },
    imageChanges: changes
      .filter((change) => change.workload === workload)
      .map(({ at, from_image: from, to_image: to }) => ({ at, from, to })),
  };
}

/** As `gatherServer` reads it: the last alert of a server that the question names, else the last alert of all. */
function serverEvidence({ question, servers, alerts, now }: Recording): Evidence {
  const hostOf = (subject: string): string => subject.split(' ')[0] ?? '';
  const known = alerts.filter(({ subject }) => servers.some(({ hostname }) => hostname === hostOf(subject)));
  const named = known.filter(({ subject }) => question.text.includes(hostOf(subject)));
  const alert = named.at(-1) ?? known.at(-1);
  const server = servers.find(({ hostname }) => hostname === hostOf(alert?.subject ?? ''));
  if (alert === undefined || server === undefined) throw new Error(`no server is meant by "${question.text}"`);
  const { at, metric } = alert;
  const mount = alert.subject.split(' ')[1] ?? null;
  const points = (pairs: Pairs | undefined): Point[] =>
    (pairs ?? [])
      .map(([time, value]) => ({ at: time, value }))
      .filter((point) => point.at > at - 12 * HOUR && point.at <= Math.min(now, at + HOUR));
  const { series } = server;
  return {
    hostname: server.hostname,
    metric,
    mount,
    at,
    cpuCores: server.cores,
    memoryTotalBytes: server.memory_bytes,
    series: {
      cpu: points(series['cpu_percent']),
      memory: points(series['memory_percent']),
      disk: points(series.disk_percent?.[mount ?? '/']),
      io_wait: points(series['io_wait_percent']),
      iops: [],
      swap: points(series['swap_percent']),
      receive: points(series['network_rx_bytes_per_second']),
      transmit: points(series['network_tx_bytes_per_second']),
      connections: points(series['connections']),
    },
    processes: processesAt(server, at),
    processesBefore: processesAt(server, at - (/^(?:memory|swap)/.test(metric) ? 12 : 3) * HOUR),
    events: server.events
      .filter((event) => event.at > at - 3 * HOUR && event.at <= at + HOUR)
      .map((event) => ({ type: event.kind, name: '', message: event.text, at: event.at })),
    restarts: [],
    silentTogether: metric === 'offline' ? silentWith(alerts, alert) : [],
    waiting: null,
    imageChanges: [],
  };
}

const silentWith = (alerts: Recording['alerts'], { at, subject }: Recording['alerts'][number]): string[] =>
  alerts
    .filter((one) => one.metric === 'offline' && one.subject !== subject && Math.abs(one.at - at) <= 300)
    .map((one) => one.subject);

/** The recordings have a few lists only: the nearest, else the newest before. */
function processesAt({ processes }: RecordedServer, at: number): ProcessSeen[] {
  const near = processes
    .filter((one) => Math.abs(one.at - at) <= NEAREST_LIST_SECONDS)
    .toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
  const found = near ?? processes.filter((one) => one.at <= at).toSorted((a, b) => b.at - a.at)[0];
  return (found?.list ?? []).map((process) => ({
    pid: process.pid,
    name: process.name,
    cpuPercent: process.cpu_percent_of_one_core,
    memoryBytes: process.memory_bytes,
    startedAt: 0,
  }));
}
