import { beforeAll, describe, expect, test } from 'vitest';
import type {
  ClusterOverviewAnswer,
  ClustersAnswer,
  NodesAnswer,
  PodsAnswer,
} from '@plimsoll/contract/wire/kubernetes';
import { fullCluster, type FullCluster } from '../../testing/full-cluster.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const OTHER = 'uid-of-another-cluster';

describe('a scope over clusters', () => {
  let full: FullCluster;
  /** node-1 of the first cluster has an agent (tag team=shop, region of its server); "far" of the second only a label. */
  beforeAll(async () => {
    full = await fullCluster(db.storage());
    const { app, user, serverId } = full;
    await app.call('PUT', `/api/servers/${serverId}`, { token: user.token, body: { tags: { team: 'shop' } } });
    const second = await kube.testCluster(db.storage(), user.organisationId, OTHER);
    const on = kube.podObject('on-far', { uid: 'on-far', node_name: 'far' });
    await second.write(
      kube.listing({
        nodes: [kube.nodeObject('far', { uid: 'far', labels: { 'topology.kubernetes.io/region': 'nyc' } })],
        pods: [on, kube.podObject('waiting', { uid: 'waiting', node_name: null, phase: 'Pending' })],
        ends: [kube.endOf(on, 1)],
      }),
    );
  });
  const scoped = (path: string, scope: string) =>
    full.get(`${path}${path.includes('?') ? '&' : '?'}scope=${encodeURIComponent(scope)}`);
  const nodesOf = async (scope: string) => {
    const { nodes, total, summary } = (await scoped('nodes', scope)) as NodesAnswer;
    expect([total, summary.total]).toEqual([nodes.length, nodes.length]);
    return nodes.map(({ node_name: name }) => name).toSorted();
  };
  const podsOf = async (scope: string) => {
    const { pods, total, summary } = (await scoped('pods', scope)) as PodsAnswer;
    expect([total, Object.values(summary.phases).reduce((sum, count) => sum + count, 0)]).toEqual([
      pods.length,
      pods.length,
    ]);
    return pods.map(({ pod_name: name }) => name).toSorted();
  };

  test('chooses nodes by the tags of their server, by region label and by cluster', async () => {
    expect(await nodesOf('')).toEqual(['far', 'node-1']);
    expect(await nodesOf('tag:shop')).toEqual(['node-1']);
    expect(await nodesOf('region:nyc')).toEqual(['far']);
    expect(await nodesOf(`cluster:${OTHER}`)).toEqual(['far']);
    expect(await nodesOf(`cluster:${OTHER},tag:shop`)).toEqual([]);
    expect(await nodesOf('tag:nothing')).toEqual([]);
  });

  test('chooses pods by their node, and those on no node by their cluster', async () => {
    const [first = ''] = await podsOf('tag:shop');
    expect(await podsOf('tag:shop')).toEqual([first]);
    expect(await podsOf('region:nyc')).toEqual(['on-far']);
    expect(await podsOf(`cluster:${OTHER}`)).toEqual(['on-far', 'waiting']);
    expect(await podsOf('')).toEqual([first, 'on-far', 'waiting'].toSorted());
  });

  test('narrows the sums of the overview, the owners, the restarts and the events', async () => {
    const overview = (await scoped('cluster/overview', 'region:nyc')) as ClusterOverviewAnswer;
    expect([overview.total_nodes, overview.total_pods]).toEqual([1, 1]);
    expect(overview.warnings).toEqual([]);
    expect(overview.summary.top_restarts.map(({ pod_name: name }) => name)).toEqual(['on-far']);
    const events = async (scope: string) => ((await scoped('events', scope)) as { total: number }).total;
    expect(await events('tag:shop')).toBe(await events(''));
    expect(await events('region:nyc')).toBe(0);
    const owners = async (scope: string) => ((await scoped('owners', scope)) as { total: number }).total;
    expect(await owners('tag:nothing')).toBe(0);
    expect(await owners('tag:shop')).toBeLessThan(await owners(''));
  });

  test('lists the clusters that match or have a node that does, and counts what is in the scope', async () => {
    const clusters = async (scope: string) => {
      const { clusters: found } = (await scoped('clusters', scope)) as ClustersAnswer;
      return found
        .map(({ cluster_id: id, nodes, pods }) => [id === OTHER ? 'other' : 'first', nodes, pods])
        .toSorted((a, b) => String(a).localeCompare(String(b)));
    };
    expect(await clusters('')).toEqual([
      ['first', 1, 1],
      ['other', 1, 2],
    ]);
    expect(await clusters('tag:shop')).toEqual([['first', 1, 1]]);
    // The waiting pod is on no node: it belongs to its cluster, which has no region.
    expect(await clusters('region:nyc')).toEqual([['other', 1, 1]]);
    expect(await clusters(`cluster:${OTHER}`)).toEqual([['other', 1, 2]]);
    expect(await clusters('tag:nothing')).toEqual([]);
    const states = (await scoped('cluster/overview', 'region:nyc')) as ClusterOverviewAnswer;
    expect(states.collectors.map(({ cluster_id: id }) => id)).toEqual([OTHER]);
  });

  test.each(['clusters', 'nodes', 'pods', 'owners', 'events', 'cluster/overview'])(
    'of %s: a bad one is 400, no session 401, and another account sees nothing',
    async (path) => {
      const { app, user } = full;
      const bad = await app.call('GET', `/api/kubernetes/${path}?scope=zone:a`, user);
      expect([bad.status, bad.json.field]).toEqual([400, 'scope']);
      expect((await app.call('GET', `/api/kubernetes/${path}?scope=tag:shop`)).status).toBe(401);
      const other = await app.call('GET', `/api/kubernetes/${path}?scope=cluster:${OTHER}`, await app.newUser());
      const data = other.json.data as unknown as { total?: number; total_nodes?: number; total_pods?: number };
      expect([other.status, data.total ?? (data.total_nodes ?? 0) + (data.total_pods ?? 0)]).toEqual([200, 0]);
    },
  );
});
