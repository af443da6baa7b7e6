import type { ClusterStatesAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

const GB = 2 ** 30;
const resources = (cores: number | null, bytes: number | null) => ({ cpu_cores: cores, memory_bytes: bytes });
const room = (cores: number, bytes: number) => ({ ...resources(cores, bytes), ephemeral_bytes: null, pods: 110 });

describe('GET /api/kubernetes/clusters/states', () => {
  const db = testStorage();
  let app: TestApp;
  let user: TestUser;
  let east: ReportingCluster;
  let west: ReportingCluster;

  beforeEach(async () => {
    app = testApp(db.storage());
    app.clock.ms = kube.NOW;
    user = await app.newUser();
    east = await reportingCluster(app, user);
    west = await reportingCluster(app, user);
  });

  const named = (one: ReportingCluster, name: string, version: string) => ({ cluster: { uid: one.id, name, version } });
  const states = async (query = '', token = user.token): Promise<ClusterStatesAnswer> => {
    const { json, status } = await app.call('GET', `/api/kubernetes/clusters/states${query}`, { token });
    expect(status).toBe(200);
    return json.data as unknown as ClusterStatesAnswer;
  };
  const node = (one: ReportingCluster, name: string, ready = true) => ({
    ...one.node(name),
    ready,
    capacity: room(4, 16 * GB),
    allocatable: room(4, 10 * GB),
  });
  const fill = async () => {
    const eastPods = [
      east.pod('a', { node_name: 'e-1', requests: resources(1, 9 * GB) }),
      east.pod('done', { node_name: 'e-1', phase: 'Succeeded', requests: resources(3, 9 * GB) }),
      east.pod('waits', { node_name: null, phase: 'Pending', requests: resources(3, 9 * GB) }),
      east.pod('loops', { node_name: 'e-1', reason: 'CrashLoopBackOff', requests: resources(1, null) }),
    ];
    const usage = {
      source: 'metrics-server' as const,
      node_name: 'w-1',
      measured_at: kube.SECONDS,
      window_seconds: 30,
      cpu_cores: 2,
      memory_working_set_bytes: 4 * GB,
      pods: [],
    };
    await east.report(
      [kube.listing({ nodes: [node(east, 'e-1'), node(east, 'e-2', false)], pods: eastPods })],
      named(east, 'east', '1.33.2'),
    );
    await west.report(
      [kube.listing({ nodes: [node(west, 'w-1')], pods: [], usage: [usage] })],
      named(west, 'west', 'v1.35.0-eks'),
    );
  };

  const openTitles = async () =>
    (await db.sql<{ title: string }>('SELECT title FROM alert WHERE resolved_at IS NULL')).map(({ title }) => title);

  it('lists both with their loads, the worse one first', async () => {
    await fill();
    const { clusters, total, summary } = await states();
    expect(total).toBe(2);
    expect(clusters.map(({ name }) => name)).toEqual(['east', 'west']);
    expect(clusters[0]).toMatchObject({
      cluster_id: east.id,
      versions_behind: 2,
      silent: false,
      nodes: 2,
      ready_nodes: 1,
      pods: 4,
      broken_pods: 1,
      // Shares of 8 cores and 20 GB: neither the finished pod nor the one on no node holds anything.
      requested: { cpu_percent: 25, memory_percent: 45 },
      used: { cpu_percent: null, memory_percent: null },
      headroom: { resource: 'memory', value: 45, line: 80, points: 35 },
      alerts: { total: 1, critical: 0 },
    });
    expect(await openTitles()).toEqual(['Pods pending: shop/web']);
    expect(clusters[1]).toMatchObject({
      versions_behind: 0,
      broken_pods: 0,
      requested: { cpu_percent: 0, memory_percent: 0 },
      used: { cpu_percent: 50, memory_percent: 25 },
    });
    expect(summary).toMatchObject({
      clusters: 2,
      silent: 0,
      nodes: 3,
      ready_nodes: 2,
      broken_pods: 1,
      behind: 1,
      most_behind: 2,
      newest_version: '1.35',
    });
  });

  it('filters and pages; the summary stays that of all', async () => {
    await fill();
    const found = await states('?search=WES&limit=1');
    expect([found.total, found.clusters.map(({ name }) => name), found.summary.clusters]).toEqual([1, ['west'], 2]);
    expect((await states('?state=broken')).clusters.map(({ name }) => name)).toEqual(['east']);
    expect((await states('?version=1.35')).clusters.map(({ name }) => name)).toEqual(['west']);
    expect((await states('?limit=1&offset=1')).clusters.map(({ name }) => name)).toEqual(['west']);
    const used = await states('?share=used');
    expect(used.clusters.find(({ name }) => name === 'west')?.headroom).toMatchObject({ resource: 'cpu', points: 30 });
    for (const query of ['?share=x', '?state=x', '?limit=0'])
      expect((await app.call('GET', `/api/kubernetes/clusters/states${query}`, { token: user.token })).status).toBe(
        400,
      );
  });

  it('keeps the last figures of a silent cluster, last and out of the sums', async () => {
    await fill();
    app.clock.pass(3600);
    await west.report([kube.item({})], named(west, 'west', '1.35.0'));
    const { clusters, summary } = await states();
    expect(clusters.map(({ name, silent, nodes }) => [name, silent, nodes])).toEqual([
      ['west', false, 1],
      ['east', true, 2],
    ]);
    expect(summary).toMatchObject({ clusters: 2, silent: 1, nodes: 1, broken_pods: 0 });
    // The usage of an hour ago is not known now.
    expect(clusters[0]?.used).toEqual({ cpu_percent: null, memory_percent: null });
  });

  it('shows a scope alone, and nothing of another organisation', async () => {
    await fill();
    const scoped = await states('?scope=cluster:west');
    expect([scoped.total, scoped.summary.clusters, scoped.clusters[0]?.name]).toEqual([1, 1, 'west']);
    const other = await app.newUser();
    expect((await states('', other.token)).total).toBe(0);
    expect((await app.call('GET', '/api/kubernetes/clusters/states')).status).toBe(401);
  });

  it('follows each report of each cluster', async () => {
    await fill();
    const sums = async () => (await states()).clusters.map(({ name, pods, broken_pods }) => [name, pods, broken_pods]);
    expect(await sums()).toEqual([
      ['east', 4, 1],
      ['west', 0, 0],
    ]);
    await west.report(
      [{ seq: 2, kind: 'cluster', ts: kube.SECONDS, pods: [west.pod('new', { node_name: 'w-1' })] }],
      named(west, 'west', '1.35'),
    );
    expect(await sums()).toEqual([
      ['east', 4, 1],
      ['west', 1, 0],
    ]);
    const [loops] = await db.sql<{ uid: string }>(
      `SELECT p.uid FROM kube_pod p JOIN cluster c ON c.key = p.cluster_key WHERE p.name = 'loops' AND c.uid = '${east.id}'`,
    );
    const deleted = { nodes: [], pods: [loops?.uid ?? ''], workloads: [], volumes: [] };
    await east.report([{ seq: 2, kind: 'cluster', ts: kube.SECONDS, deleted }], named(east, 'east', '1.33.2'));
    expect(await sums()).toEqual([
      ['east', 3, 0],
      ['west', 1, 0],
    ]);
  });
});
