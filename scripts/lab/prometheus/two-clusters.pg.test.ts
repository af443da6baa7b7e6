/**
 * Two clusters on one dashboard, whose nodes and pods have the same names. Each has a real Prometheus that holds a week
 * from before the installation, and the collector's own code carries that week to the API.
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createApp } from '../../../api/src/app.ts';
import { systemClock } from '../../../api/src/clock.ts';
import { ownerOf } from '../../../api/src/tenancy/owner.ts';
import { listen, type Listening } from '../../../api/src/http/listen.ts';
import { issueClusterToken } from '../../../api/src/kubernetes/cluster-tokens.ts';
import { testApp, type TestApp, type TestUser } from '../../../api/src/testing/app.ts';
import { testStorage } from '../../../api/src/testing/postgres.ts';
import { type Prometheus, startPrometheus } from '../../../api/src/testing/prometheus.ts';
import { PrometheusApi } from '../../../collector/src/kubernetes/prometheus/api.ts';
import { ClusterCollector } from '../../../collector/src/kubernetes/report/cluster-collector.ts';
import { StandInCluster } from '../../../collector/src/kubernetes/testing/stand-in-cluster.ts';
import { systemTiming } from '../../../collector/src/kubernetes/watch/timing.ts';
import { apiAt } from '../../../collector/src/send/http.ts';

const db = testStorage();
const DAY = 86_400;
const DAYS = 7;
const SCRAPE_SECONDS = 60;
const NODES = ['node-1', 'node-2'];
const PODS = Array.from({ length: 20 }, (_, n) => ({ name: `web-${String(n)}`, node: NODES[n % 2] ?? '' }));
const NODE_CORES = 8;
const GIB = 2 ** 30;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

let app: TestApp;
let user: TestUser;
let api: Listening;
beforeEach(async () => {
  app = testApp(db.storage(), { clock: systemClock });
  user = await app.newUser();
  const now = Date.now();
  await db.storage().maintenance.makePartitions(now);
  api = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  ends.push(() => api.close());
});

/** Cores that a node of the cluster used on a day: other ones each day, so that a shift of the past shows. */
const coresOn = (day: number, factor: number): number => (factor * (1 + (((day % DAYS) + DAYS) % DAYS))) / 4;

/** A week of cAdvisor's counters and gauges. `factor`: how much the cluster uses. */
function weekOf(until: number, factor: number): string[] {
  const lines: string[] = [];
  const times = Array.from(
    { length: ((DAYS * DAY + 900) / SCRAPE_SECONDS) | 0 },
    (_, n) => until - DAYS * DAY - 900 + (n + 1) * SCRAPE_SECONDS,
  );
  const counter = (labels: string, share: number) => {
    let total = 0;
    for (const time of times) {
      total += coresOn(Math.floor((time - 1) / DAY), factor) * share * SCRAPE_SECONDS;
      lines.push(`container_cpu_usage_seconds_total{${labels}} ${total.toFixed(3)} ${String(time)}`);
    }
  };
  const gauge = (labels: string, bytes: number) => {
    for (const time of times)
      lines.push(`container_memory_working_set_bytes{${labels}} ${String(bytes)} ${String(time)}`);
  };
  const pod = ({ name, node }: (typeof PODS)[number]) =>
    `node="${node}",namespace="shop",pod="${name}",container="app",id="/kubepods/${name}"`;
  lines.push('# TYPE container_cpu_usage_seconds counter');
  for (const node of NODES) counter(`node="${node}",id="/"`, 1);
  for (const one of PODS) counter(pod(one), 0.01);
  lines.push('# TYPE container_memory_working_set_bytes gauge');
  for (const node of NODES) gauge(`node="${node}",id="/"`, factor * GIB);
  for (const one of PODS) gauge(pod(one), factor * 2 ** 20);
  return lines;
}

const born = new Date(Date.now() - 30 * DAY * 1000).toISOString();
const nodeOf = (name: string, uid: string, n: number) => ({
  metadata: { name, uid: `${uid}-${name}`, creationTimestamp: born, labels: {} },
  spec: {},
  status: {
    capacity: { cpu: String(NODE_CORES), memory: '16Gi', pods: '110' },
    allocatable: { cpu: String(NODE_CORES), memory: '16Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', lastTransitionTime: born }],
    addresses: [{ type: 'InternalIP', address: `10.0.0.${String(n + 1)}` }],
    nodeInfo: {},
  },
});
const podOf = ({ name, node }: (typeof PODS)[number], uid: string) => ({
  metadata: { name, namespace: 'shop', uid: `${uid}-${name}`, creationTimestamp: born, labels: {} },
  spec: { nodeName: node, containers: [{ name: 'app', image: 'app:1', resources: {} }] },
  status: { phase: 'Running', startTime: born, conditions: [], containerStatuses: [] },
});

const EMPTY = [
  '/api/v1/persistentvolumeclaims',
  '/api/v1/events',
  ...['replicasets', 'deployments', 'statefulsets', 'daemonsets'].map((kind) => `/apis/apps/v1/${kind}`),
  ...['jobs', 'cronjobs'].map((kind) => `/apis/batch/v1/${kind}`),
];

interface Installed {
  uid: string;
  factor: number;
  prometheus: Prometheus;
  /** Sizes of the requests that carried history. */
  sent: number[];
}

/** Installs the collectors of a cluster: from now on its collector reports to the dashboard. */
async function installIn(name: string, factor: number): Promise<Installed> {
  const uid = `uid-of-${name}`;
  const prometheus = await startPrometheus('scrape_configs: []', weekOf(Math.floor(Date.now() / 1000), factor));
  ends.push(() => prometheus.stop());
  const cluster = new StandInCluster();
  cluster.put('/api/v1/namespaces', [{ metadata: { uid } }]);
  cluster.put(
    '/api/v1/nodes',
    NODES.map((node, n) => nodeOf(node, uid, n)),
  );
  cluster.put(
    '/api/v1/pods',
    PODS.map((pod) => podOf(pod, uid)),
  );
  for (const path of EMPTY) cluster.put(path, []);
  cluster.answers.set('/version', { status: 200, body: { gitVersion: 'v1.34.4' } });
  const { token } = await issueClusterToken(
    { tokens: db.storage().kubernetes.tokens, clock: systemClock },
    ownerOf(user.organisationId),
    { name, createdBy: null },
  );
  const dashboard = apiAt(`http://127.0.0.1:${String(api.port)}`, (address, init) => fetch(address, init), 'test');
  const sent: number[] = [];
  const reader = new PrometheusApi(prometheus.url);
  const collector = new ClusterCollector({
    connection: await cluster.connect(),
    prometheus: reader,
    post: (path, body) => {
      const text = JSON.stringify(body);
      if (text.includes('"history"')) sent.push(text.length);
      return dashboard.post(path, text, token, 60_000);
    },
    clusterName: name,
    readsPodLogs: false,
    changes: { groups: [], token: 'token' },
    id: `${name}-collector`,
    version: '0.1.0',
    timing: systemTiming,
    log: () => undefined,
    customReaders: () => [],
  });
  const stop = new AbortController();
  const led = collector.lead(1, stop.signal).catch(() => undefined);
  ends.push(async () => {
    stop.abort();
    await led;
    reader.close();
  });
  return { uid, factor, prometheus, sent };
}

interface Cluster {
  cluster_id: string;
  name: string;
}
interface Point {
  timestamp: number;
  cpu_usage: number | null;
  source?: string;
}
async function get<T>(path: string): Promise<T> {
  const answer = await app.call('GET', path, { token: user.token });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  return answer.json.data as T;
}
const clusters = async (): Promise<Cluster[]> =>
  (await get<{ clusters: Cluster[] }>('/api/kubernetes/clusters')).clusters;
const isBackfilled = async (): Promise<boolean> => {
  const rows = await db.sql(
    `SELECT 1 FROM cluster WHERE history_from <= first_seen_at - interval '${String(DAYS)} days'`,
  );
  return rows.length === 2;
};

test('each cluster has its own nodes, its own pods and its own week from before the installation', async () => {
  const begun = performance.now();
  const installed = [await installIn('east', 1), await installIn('west', 2)];
  const prepared = performance.now();
  await vi.waitFor(async () => expect(await isBackfilled()).toBe(true), { timeout: 90_000, interval: 200 });
  const seconds = (performance.now() - prepared) / 1000;
  const [{ rows, bytes } = { rows: 0, bytes: 0 }] = await db.sql<{ rows: number; bytes: number }>(
    'SELECT count(*)::int AS rows, sum(pg_column_size(r))::int AS bytes FROM kube_rollup_5m r',
  );
  console.log(
    `made ${((prepared - begun) / 1000).toFixed(1)} s; a week of 2 clusters with 2 nodes and 20 pods each: ${seconds.toFixed(1)} s, ` +
      `${String(installed.flatMap(({ sent }) => sent).length)} requests, ${(Math.max(...installed.flatMap(({ sent }) => sent)) / 1000).toFixed(0)} kB at most, ${String(rows)} rows, ${(bytes / 1e6).toFixed(1)} MB`,
  );

  const listed = await clusters();
  expect(listed.map(({ name }) => name).toSorted()).toEqual(['east', 'west']);
  for (const { cluster_id: id, name } of listed) {
    const factor = name === 'east' ? 1 : 2;
    const { nodes } = await get<{ nodes: { node_name: string }[] }>(`/api/kubernetes/nodes?cluster_id=${id}`);
    expect(nodes.map(({ node_name }) => node_name).toSorted()).toEqual(NODES);
    const { total } = await get<{ total: number }>(`/api/kubernetes/pods?cluster_id=${id}`);
    expect(total).toBe(PODS.length);

    const path = `/api/kubernetes/nodes/node-1/metrics/history?hours=${String(DAYS * 24)}&cluster_id=${id}`;
    const { metrics } = await get<{ metrics: Point[] }>(path);
    const told = metrics.filter(({ source, cpu_usage }) => source === 'prometheus' && cpu_usage !== null);
    const [first, last] = [told[0]?.timestamp ?? 0, told.at(-1)?.timestamp ?? 0];
    expect((last - first) / DAY).toBeGreaterThan(DAYS - 0.2);
    const step = (metrics[1]?.timestamp ?? 0) - (metrics[0]?.timestamp ?? 0);
    // A bucket of the chart that crosses midnight is a mean of two days.
    const within = told.filter(({ timestamp }) => (timestamp % DAY) + step < DAY && timestamp % DAY >= 600);
    expect(within.length).toBeGreaterThan(told.length / 2);
    for (const { timestamp, cpu_usage } of within)
      expect(cpu_usage).toBeCloseTo((coresOn(Math.floor(timestamp / DAY), factor) / NODE_CORES) * 100, 0);
  }
}, 180_000);
