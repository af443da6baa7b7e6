/**
 * What the calls about nodes and clusters answer for a cluster with everything: the specification's names, in its units, to the last
 * field.
 */
import { beforeAll, expect, test } from 'vitest';
import { FIGURES, CLUSTER_ID, fullCluster, type FullCluster } from '../../testing/full-cluster.ts';
import { SECONDS } from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
let cluster: FullCluster;
const get = (path: string): Promise<unknown> => cluster.get(path);
beforeAll(async () => {
  cluster = await fullCluster(db.storage());
});

const origin = { source: 'node-agent', age_seconds: 10, reason: null };
const amounts = { cpu_cores: 4, memory_mb: 8192, pods: 110 };
const node = () => ({
  server_id: cluster.serverId,
  node_name: 'node-1',
  cluster_id: CLUSTER_ID,
  cluster_name: 'test',
  os_type: 'linux',
  architecture: 'amd64',
  metrics: { cpu_usage: 41.13, memory_usage: 37.5, disk_usage: 25, uptime: 93_784, pods_count: 1 },
  origins: { cpu_usage: origin, memory_usage: origin, disk_usage: origin, uptime: origin },
  lines: {
    cpu: { warning: 80, critical: 95 },
    memory: { warning: 80, critical: 95 },
    disk: { warning: 80, critical: 90 },
    io_wait: { warning: 10, critical: null },
  },
  headroom: { resource: 'cpu', points: 38.87, value: 41.13, line: 80, subject: null },
  ready: true,
  unschedulable: false,
  conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: null, since: iso(SECONDS - 86_000) }],
  roles: ['worker'],
  taints: [],
  labels: {},
  capacity: amounts,
  allocatable: amounts,
  requested: { cpu_cores: 0.25, memory_mb: 128, cpu_percent: 6.25, memory_percent: 1.56 },
  limited: { cpu_cores: 0.5, memory_mb: 256, cpu_percent: 12.5, memory_percent: 3.13 },
  stall: FIGURES.stall,
  stall_reason: null,
  restarts_24h: 3,
  internal_ip: '10.0.0.1',
  kubelet_version: 'v1.34.4',
  container_runtime: 'containerd://1.7.0',
  kernel: '6.1.0',
  os_image: 'Debian GNU/Linux 12',
  created_at: iso(SECONDS - 86_400),
  agent: {
    mode: 'proc',
    last_seen_at: iso(SECONDS),
    kubelet_state: 'ok',
    kubelet_detail: null,
    kubelet_tls_verified: true,
  },
});

test('GET /api/kubernetes/nodes, /nodes/recent and /nodes/{node}', async () => {
  expect(await get('nodes')).toEqual({
    nodes: [node()],
    total: 1,
    summary: {
      total: 1,
      ready: 1,
      not_ready: 0,
      with_agent: 1,
      avg_cpu_usage: 41.13,
      avg_memory_usage: 37.5,
      avg_disk_usage: 25,
    },
  });
  expect(await get('nodes/recent')).toEqual({ nodes: [node()], total: 1 });
  expect(await get('nodes/node-1')).toEqual(node());
  expect(await get(`nodes/${cluster.serverId.toUpperCase()}?cluster_id=${CLUSTER_ID}`)).toEqual(node());
});

test('GET /api/kubernetes/nodes/{node}/metrics/history', async () => {
  const asked = `start_date=${String(SECONDS - 600)}&end_date=${String(SECONDS)}&buckets=11`;
  const data = (await get(`nodes/node-1/metrics/history?${asked}`)) as { metrics: unknown[] };
  const band = (value: number) => ({ avg: value, min: value, max: value });
  expect(data).toMatchObject({ from: SECONDS - 600, to: SECONDS, bucket_seconds: 60 });
  expect(data.metrics).toHaveLength(10);
  expect(data.metrics[9]).toEqual({
    timestamp: SECONDS - 60,
    time: iso(SECONDS - 60),
    cpu_usage: 41.13,
    memory_usage: 37.5,
    disk_usage: 25,
    bands: { cpu: band(41.13), memory: band(37.5), disk: band(25) },
    count: 1,
  });
});

test('GET /api/kubernetes/cluster/overview', async () => {
  expect(await get('cluster/overview')).toEqual({
    total_nodes: 1,
    ready_nodes: 1,
    total_pods: 1,
    running_pods: 1,
    pending_pods: 0,
    failed_pods: 0,
    succeeded_pods: 0,
    unknown_pods: 0,
    aggregate_metrics: { avg_cpu_usage: 41.13, avg_memory_usage: 37.5 },
    aggregate_origin: origin,
    summary: expect.objectContaining({ total: 1, restarts_24h: 3, node_names: ['node-1'] }),
    causes: { not_ready_nodes: [], failed_pods: [], crash_looping_pods: [] },
    crash_looping_pods: 0,
    degraded: [],
    warnings: [expect.objectContaining({ id: 'e1', count: 7 })],
    age_seconds: 0,
    collectors: [
      {
        cluster_id: CLUSTER_ID,
        cluster_name: 'test',
        state: 'reporting',
        last_seen_at: iso(SECONDS),
        age_seconds: 0,
        node_agents_age_seconds: 10,
        detail: null,
        remedy: null,
        command: null,
      },
    ],
    problems: [],
  });
});

test('GET /api/kubernetes/clusters and /permissions', async () => {
  expect(await get('clusters')).toEqual({
    clusters: [
      {
        cluster_id: CLUSTER_ID,
        name: 'test',
        version: 'v1.34.4',
        first_seen_at: iso(SECONDS),
        last_seen_at: iso(SECONDS),
        age_seconds: 0,
        nodes: 1,
        pods: 1,
        objects_rule_organisation: false,
      },
    ],
    total: 1,
  });
  const ok = { cluster_id: CLUSTER_ID, state: 'ok', detail: null, remedy: null, command: null };
  expect(await get('permissions')).toEqual({
    permissions: [
      {
        ...ok,
        who: 'cluster collector',
        reader: 'pods',
        needs: 'list,watch pods',
        costs: 'Pods, their restarts and OOM kills',
        since: iso(SECONDS - 60),
      },
      {
        ...ok,
        who: 'node agents',
        reader: 'kubelet stats/summary',
        needs: 'get nodes/stats',
        costs: 'CPU and memory of the pods of this node, disk and volumes',
        since: iso(SECONDS),
      },
    ],
    total: 2,
    failing: 0,
  });
});
