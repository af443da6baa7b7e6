/**
 * What the calls about pods answer for a cluster with everything: the specification's names, in its units, to the last
 * field.
 */
import { beforeAll, expect, test } from 'vitest';
import { CLUSTER_ID, fullCluster, type FullCluster } from '../../testing/full-cluster.ts';
import { SECONDS } from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
let cluster: FullCluster;
const get = (path: string): Promise<unknown> => cluster.get(path);
beforeAll(async () => {
  cluster = await fullCluster(db.storage());
});

const usageOrigin = { source: 'kubelet', age_seconds: 10, reason: null };
const noAmounts = { cpu_cores: null, memory_mb: null };
const lastRestart = { at: iso(SECONDS - 60), container: 'app', reason: 'OOMKilled', exit_code: 137 };
const pod = () => ({
  uid: 'uid-web-1',
  cluster_id: CLUSTER_ID,
  pod_name: 'web-1',
  namespace: 'shop',
  node_name: 'node-1',
  server_id: cluster.serverId,
  phase: 'Running',
  reason: null,
  ready: true,
  deleting: false,
  cpu_usage_cores: 0.125,
  memory_usage_mb: 64,
  usage_origin: usageOrigin,
  cpu_share: { percent: 25, of: 'limit' },
  memory_share: { percent: 25, of: 'limit' },
  requests: { cpu_cores: 0.25, memory_mb: 128 },
  limits: { cpu_cores: 0.5, memory_mb: 256 },
  restart_count: 3,
  restarts_24h: 3,
  oom_kills_24h: 1,
  last_restart: lastRestart,
  container_count: 1,
  pod_ip: '10.244.0.9',
  host_ip: '10.0.0.1',
  created_at: iso(SECONDS - 7200),
  pod_age_seconds: 7200,
  owner_kind: 'Deployment',
  owner_name: 'web',
  qos_class: 'Burstable',
  labels: { app: 'web' },
  containers: [
    {
      name: 'app',
      image: 'registry.example/app:1',
      status: 'running',
      ready: true,
      init: false,
      reason: null,
      restart_count: 3,
      started_at: iso(SECONDS - 3600),
      exit: null,
      last_termination: { reason: 'OOMKilled', message: null, exit_code: 137, finished_at: iso(SECONDS - 60) },
      requests: noAmounts,
      limits: { cpu_cores: null, memory_mb: 64 },
      running: null,
    },
  ],
  claims: ['data'],
  resize: null,
});
const summary = () => ({
  total: 1,
  phases: { Running: 1, Pending: 0, Failed: 0, Succeeded: 0, Unknown: 0 },
  restarts_24h: 3,
  oom_kills_24h: 1,
  namespaces: [
    { cluster_id: 'uid-of-kube-system', namespace: 'shop', pods: 1, cpu_usage_cores: 0.125, memory_usage_mb: 64 },
  ],
  age_buckets: [3600, 86_400, 604_800, 2_592_000, null].map((end, i) => ({
    under_seconds: end,
    count: Number(i === 1),
  })),
  zombies: 0,
  top_restarts: [
    {
      uid: 'uid-web-1',
      cluster_id: CLUSTER_ID,
      pod_name: 'web-1',
      namespace: 'shop',
      phase: 'Running',
      reason: null,
      cpu_usage_cores: 0.125,
      memory_usage_mb: 64,
      restart_count: 3,
      oom_kills: 1,
      owner_kind: 'Deployment',
      owner_name: 'web',
    },
  ],
  namespace_names: ['shop'],
  owner_kinds: ['Deployment'],
  node_names: ['node-1'],
});
const event = {
  id: 'e1',
  cluster_id: CLUSTER_ID,
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container',
  namespace: 'shop',
  kind: 'Pod',
  name: 'web-1',
  component: 'kubelet',
  count: 7,
  first_at: iso(SECONDS - 600),
  last_at: iso(SECONDS - 30),
};

test('GET /api/kubernetes/pods', async () => {
  expect(await get('pods')).toEqual({ pods: [pod()], total: 1, summary: summary() });
});

test('GET /api/kubernetes/nodes/{node}/pods, by name and by server_id', async () => {
  expect(await get('nodes/node-1/pods')).toEqual({ pods: [pod()], total: 1 });
  expect(await get(`nodes/${cluster.serverId}/pods?namespace=shop&phase=Running`)).toEqual({ pods: [pod()], total: 1 });
  expect(await get('nodes/node-1/pods?namespace=other')).toEqual({ pods: [], total: 0 });
});

const restarts = (...runs: [run: number, reason: string | null, exitCode: number | null][]) =>
  runs.map(([run, reason, exitCode]) => ({
    timestamp: run === 2 ? SECONDS - 60 : expect.any(Number),
    container: 'app',
    restart_count: run + 1,
    reason,
    exit_code: exitCode,
    oom_killed: reason === 'OOMKilled',
    inferred: false,
    memory_limit_mb: 64,
    memory_peak_mb: reason === 'OOMKilled' ? 64 : null,
  }));

test('GET /api/kubernetes/pods/{namespace}/{pod}', async () => {
  const { restarts: told, ...rest } = (await get('pods/shop/web-1')) as { restarts: { restart_count: number }[] };
  expect(rest).toEqual({
    pod: pod(),
    events: [event],
    image_change: null,
    volumes: [{ claim: 'data', phase: 'Bound', storage_class: 'fast', capacity_mb: 90, used_mb: 40, reason: null }],
  });
  const ordered = told.toSorted((a, b) => b.restart_count - a.restart_count);
  expect(ordered).toEqual(restarts([2, 'OOMKilled', 137], [1, null, null], [0, null, null]));
});

test('GET /api/kubernetes/pods/{namespace}/{pod}/metrics/history', async () => {
  const asked = `start_date=${String(SECONDS - 600)}&end_date=${String(SECONDS)}&buckets=11`;
  const { metrics, ...rest } = (await get(`pods/shop/web-1/metrics/history?${asked}`)) as {
    metrics: { timestamp: number }[];
  };
  expect(rest).toMatchObject({
    from: SECONDS - 600,
    to: SECONDS,
    bucket_seconds: 60,
    limits: { cpu_cores: 0.5, memory_mb: 256 },
    requests: { cpu_cores: 0.25, memory_mb: 128 },
  });
  const nothing = { avg: null, min: null, max: null };
  const empty = (at: number) => ({
    timestamp: at,
    time: iso(at),
    cpu_usage_cores: null,
    memory_usage_mb: null,
    bands: { cpu_cores: nothing, memory_mb: nothing },
    count: 0,
  });
  expect(metrics).toEqual([
    ...Array.from({ length: 9 }, (_, index) => empty(SECONDS - 600 + index * 60)),
    {
      ...empty(SECONDS - 60),
      cpu_usage_cores: 0.125,
      memory_usage_mb: 64,
      bands: { cpu_cores: { avg: 0.125, min: 0.125, max: 0.125 }, memory_mb: { avg: 64, min: 64, max: 64 } },
      count: 1,
    },
  ]);
});

test('GET /api/kubernetes/owners', async () => {
  const { phases } = summary();
  expect(await get('owners')).toEqual({
    owners: [
      {
        cluster_id: CLUSTER_ID,
        namespace: 'shop',
        owner_kind: 'Deployment',
        owner_name: 'web',
        pods: 1,
        phases,
        cpu_usage_cores: 0.125,
        memory_usage_mb: 64,
        restarts_24h: 3,
        requests: { cpu_cores: 0.25, memory_mb: 128 },
        limits: { cpu_cores: 0.5, memory_mb: 256 },
        without_cpu_limit: 0,
        without_memory_limit: 0,
        desired: 3,
        ready: 1,
      },
    ],
    total: 1,
  });
});

test('GET /api/kubernetes/events', async () => {
  // The filters offer what the time has, whatever the other filters are.
  const choices = { reasons: ['BackOff'], kinds: ['Pod'] };
  const found = await get('events?type=Warning&kind=Pod&name=web-1&namespace=shop');
  expect(found).toEqual({ events: [event], total: 1, ...choices });
  for (const other of ['type=Normal', 'kind=Node', 'name=web-2', 'namespace=data'])
    expect([other, await get(`events?${other}`)]).toEqual([other, { events: [], total: 0, ...choices }]);
});
