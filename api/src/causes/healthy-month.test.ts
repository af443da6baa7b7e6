import { expect, test } from 'vitest';
import {
  emptyEvidence,
  emptySeries,
  emptyWeek,
  type AlertSeen,
  type ChangeSeen,
  type EventSeen,
  type Evidence,
  type Point,
  type PodSeen,
  type ServerSeen,
} from './evidence.ts';
import { explain } from './explain.ts';

/** Hours of 30 days, each explained by itself: machines and a cluster with the waves, deployments and noise of any month. */
const HOURS = 30 * 24;
const HOUR = 3600;
const START = Date.UTC(2026, 10, 1) / 1000;
const CLUSTER = 'uid-1';
const LINE = 80;

/** Mulberry32: the same month in each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
type Random = () => number;
const around = (random: Random, value: number, noise: number): number => value + (random() + random() - 1) * noise;
const wave = (at: number): number => (1 + Math.sin(((at % 86_400) / 86_400) * 2 * Math.PI - Math.PI / 2)) / 2;

const series = (from: number, to: number, step: number, of: (at: number) => number): Point[] =>
  Array.from({ length: Math.floor((to - from) / step) }, (_, index) => {
    const at = from + index * step;
    return { at, value: of(at) };
  });

/** Hosts by the height of their wave; the last one lives at its line. */
const HOSTS = [30, 45, 60, 72, 88].map((peak, index) => ({
  id: `s${String(index)}`,
  hostname: `web-${String(index)}`,
  peak,
}));
type Host = (typeof HOSTS)[number];
const QUIET: Host = { id: 'quiet', hostname: 'quiet', peak: 20 };

function serverAt(random: Random, { id, hostname, peak }: Host, at: number, metric: string | null): ServerSeen {
  const [from, to] = [at - 12 * HOUR, at];
  const cpu = (noise: number) => (moment: number) => around(random, 10 + (peak - 10) * wave(moment), noise);
  const memory = (moment: number) => around(random, 50 + 8 * wave(moment), 2);
  const receive = (moment: number) => around(random, 1e6 + 8e6 * wave(moment), 4e5);
  const disk = (moment: number) => 40 + (moment - START) / 86_400 / 4;
  const share = (10 + (peak - 10) * wave(at)) / 8;
  const processes = ['node', 'nginx', 'postgres', 'redis', 'journald', 'sshd'].map((name, index) => ({
    pid: 100 + index,
    name,
    cpuPercent: around(random, share * 4, 3),
    memoryBytes: 2e8 + index * 1e7,
    startedAt: START - 9 * 86_400,
  }));
  return {
    serverId: id,
    hostname,
    metric,
    subject: null,
    at,
    cpuCores: 4,
    memoryTotalBytes: 16 * 2 ** 30,
    series: {
      ...emptySeries(),
      cpu: series(from, to, 600, cpu(7)),
      memory: series(from, to, 600, memory),
      disk: series(from, to, 600, disk),
      io_wait: series(from, to, 600, () => around(random, 1, 1)),
      load: series(from, to, 600, (moment) => around(random, 0.5 + 2 * wave(moment), 0.4)),
      receive: series(from, to, 600, receive),
      transmit: series(from, to, 600, receive),
      connections: series(from, to, 600, (moment) => around(random, 80 + 300 * wave(moment), 30)),
    },
    week: {
      ...emptyWeek(),
      cpu: series(at - 7 * 86_400, at, HOUR, cpu(4)),
      memory: series(at - 7 * 86_400, at, HOUR, memory),
      disk: series(at - 7 * 86_400, at, HOUR, disk),
      receive: series(at - 7 * 86_400, at, HOUR, receive),
      connections: series(at - 7 * 86_400, at, HOUR, (moment) => around(random, 80 + 300 * wave(moment), 20)),
    },
    processes,
    processesBefore: processes.map((process) => ({ ...process, cpuPercent: around(random, process.cpuPercent, 3) })),
    events:
      random() < 0.3
        ? [{ type: 'service_start', name: 'logrotate.service', message: 'logrotate.service started', at: at - 900 }]
        : [],
    gaps: [],
    filesystems: [{ mount: '/', usedPercent: disk(at), inodesPercent: 9 }],
    failedUnits: [],
    clockSkewSeconds: around(random, 0, 0.2),
    silentTogether: [],
    othersDown: [],
  };
}

const WORKLOADS = ['front', 'catalog', 'cart', 'orders', 'worker'];

const podOf = (name: string, index: number, at: number, isNew: boolean): PodSeen => ({
  clusterId: CLUSTER,
  namespace: 'shop',
  name: `${name}-7f9c-${String(index)}`,
  ownerKind: 'Deployment',
  ownerName: name,
  node: `node-${String(index)}`,
  phase: 'Running',
  reason: null,
  ready: true,
  deleting: false,
  createdAt: isNew ? at - 1200 : START - 86_400,
  labels: { app: name },
  claims: [],
  containers: [
    {
      name,
      image: `${name}:1.${isNew ? '9' : '8'}`,
      isInit: false,
      status: 'running',
      ready: true,
      reason: null,
      restarts: index === 0 ? 1 : 0,
      end: null,
      cpuLimitCores: 1,
      memoryLimitMb: 512,
    },
  ],
  restarts: [],
  cpuCores: [],
  memoryMb: [],
});

const change = (at: number, parts: Partial<ChangeSeen>): ChangeSeen => ({
  id: String(at),
  at,
  source: 'cluster',
  action: 'changed',
  kind: 'Deployment',
  namespace: 'shop',
  name: 'front',
  title: 'image front:1.8 → front:1.9',
  by: 'ci-deploy',
  clusterId: CLUSTER,
  serverId: null,
  hostname: null,
  fields: [{ field: 'containers.front.image', was: 'changed', before: 'front:1.8', after: 'front:1.9' }],
  ...parts,
});
const probeFailed = (name: string, at: number): EventSeen => ({
  clusterId: CLUSTER,
  namespace: 'shop',
  kind: 'Pod',
  name: `${name}-7f9c-1`,
  type: 'Warning',
  reason: 'Unhealthy',
  message: 'Readiness probe failed: HTTP probe failed with statuscode: 503',
  count: 1,
  firstAt: at,
  lastAt: at,
});

/** A value that crosses its line for a while without a reason, as the values of a host near its line do. */
const noiseAlert = ({ id, hostname }: Host, at: number): AlertSeen => ({
  id: `a-${String(at)}`,
  metric: 'cpu_usage',
  title: `CPU usage above ${String(LINE)}%`,
  message: 'CPU 82 %, 2 over for 5 min',
  at,
  subject: '',
  serverId: id,
  hostname,
  object: null,
});

function hourAt(hour: number): Evidence {
  const random = randomOf(hour + 1);
  const at = START + (hour + 1) * HOUR;
  const host = HOSTS[hour % HOSTS.length] ?? QUIET;
  const deployed = random() < 0.15 ? WORKLOADS[hour % WORKLOADS.length] : undefined;
  const isNoisy = host.peak > LINE && wave(at) > 0.8;
  const changes = [
    ...(deployed === undefined ? [] : [change(at - 1300, { name: deployed })]),
    ...(random() < 0.1
      ? [
          change(at - 2000, {
            source: 'host',
            kind: 'package',
            namespace: null,
            name: 'openssl',
            title: 'openssl 3.0.13 → 3.0.14',
            by: null,
            clusterId: null,
            serverId: host.id,
            hostname: host.hostname,
            fields: [],
          }),
        ]
      : []),
  ];
  return {
    ...emptyEvidence(at),
    alerts: isNoisy ? [noiseAlert(host, at)] : [],
    changes,
    servers: [serverAt(random, host, at, isNoisy ? 'cpu_usage' : null)],
    pods: WORKLOADS.flatMap((name) => [0, 1, 2].map((index) => podOf(name, index, at, name === deployed))),
    workloads: WORKLOADS.map((name) => ({
      clusterId: CLUSTER,
      namespace: 'shop',
      kind: 'Deployment',
      name,
      desired: 3,
      ready: 3,
    })),
    events: random() < 0.2 ? [probeFailed('cart', at - 1000)] : [],
  };
}

test('30 healthy days with deployments, updates and noise at a line accuse at most once', { timeout: 120_000 }, () => {
  const hours = Array.from({ length: HOURS }, (_, hour) => hourAt(hour));
  // The noise is there: without alerts nothing could be accused.
  expect(hours.filter(({ alerts }) => alerts.length > 0).length).toBeGreaterThan(20);
  const accused = hours.flatMap((evidence) => {
    const { status, causes } = explain(evidence);
    return status === 'found' ? [`${new Date(evidence.at * 1000).toISOString()} ${causes[0]?.finding ?? ''}`] : [];
  });
  expect(accused.slice(0, 5).concat(accused.length > 5 ? [`${String(accused.length)} in all`] : [])).toHaveLength(
    Math.min(accused.length, 1),
  );
});
