import type { CapacityAnswer } from '@plimsoll/contract/wire/capacity';
import { beforeAll, describe, expect, it } from 'vitest';
import * as kube from '../../testing/kubernetes.ts';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { planClusters } from '../make-plans.ts';

const db = testStorage();
const GB = 2 ** 30;
const { NOW, listing, nodeObject, podObject } = kube;
const CLUSTER = 'cluster-capacity';

describe('the capacity of a cluster', () => {
  let app: TestApp;
  let user: TestUser;
  const get = async (path: string, as: { token?: string } = user) => app.call('GET', path, as);
  const dataOf = async (path: string): Promise<CapacityAnswer> =>
    (await get(path)).json.data as unknown as CapacityAnswer;
  const open = async (now: number): Promise<void> => {
    const { collector, ...rest } = kube.envelope(CLUSTER);
    const newer = { ...rest, collector: { ...collector, reports_placements: true } };
    await db.storage().kubernetes.reports.open(cluster.agent, newer, now);
  };
  let cluster: kube.TestCluster;

  beforeAll(async () => {
    app = testApp(db.storage());
    app.clock.ms = NOW;
    user = await app.newUser();
    cluster = await kube.testCluster(db.storage(), user.organisationId, CLUSTER);
    const requests = { cpu_cores: 1, memory_bytes: 3 * GB };
    await cluster.write(
      listing({
        nodes: [nodeObject('node-1'), nodeObject('node-2')],
        placements: [{ hash: 'aaaaaaaaaaaa', node_selector: { disk: 'ssd' } }],
        pods: [
          podObject('web-1', { requests }),
          podObject('web-2', { requests, node_name: 'node-2' }),
          podObject('web-3', { requests, node_name: 'node-2' }),
          podObject('db-1', {
            requests,
            node_name: 'node-2',
            owner: { kind: 'Deployment', name: 'db' },
            placement: 'aaaaaaaaaaaa',
          }),
        ],
      }),
    );
  });

  it('is not known before its collector sends constraints', async () => {
    expect(await planClusters(db.storage().capacityPlans, NOW)).toBe(1);
    const { cluster: found, clusters } = await dataOf('/api/kubernetes/capacity');
    expect(found).toMatchObject({
      nodes: 0,
      fits: [],
      reason: expect.stringContaining('collector is older') as string,
    });
    expect(clusters).toMatchObject([{ worst: null, reason: expect.stringContaining('collector is older') as string }]);
  });

  it('says what fits, and what the loss of a node does, from a plan of at most five minutes', async () => {
    await open(NOW);
    expect(await planClusters(db.storage().capacityPlans, NOW + 60_000)).toBeNull();
    const later = NOW + 5 * 60_000 + 1;
    await open(later);
    app.clock.ms = later;
    expect(await planClusters(db.storage().capacityPlans, later)).toBe(1);
    const { cluster: found, clusters } = await dataOf('/api/kubernetes/capacity');
    expect(found).toMatchObject({ nodes: 2, pods: 4, age_seconds: 0, reason: null });
    expect(found?.fits).toMatchObject([
      { name: 'db', more: 0, first_limit: 'node selector or affinity' },
      { name: 'web', more: 1, first_limit: 'memory' },
    ]);
    expect(found?.loss).toMatchObject([
      { node: 'node-2', pending: 2 },
      { node: 'node-1', pending: 1, who: [{ name: 'web', pods: 1, why: 'memory' }] },
    ]);
    expect(clusters).toMatchObject([{ worst: { node: 'node-2', pending: 2 }, reason: null }]);
    const line = await get('/api/kubernetes/capacity/summary');
    expect(line.json.data).toMatchObject({ clusters: [{ worst: { node: 'node-2' } }], total: 1 });
  });

  it.each([
    ['fits?namespace=shop&kind=Deployment&name=web', { fit: { more: 1, first_limit: 'memory', reason: null } }],
    ['fits?cpu_cores=0.5&memory_bytes=1073741824', { fit: { more: 5, first_limit: 'memory' } }],
    ['fits?cpu_cores=0&memory_bytes=0', { fit: { more: 216, first_limit: 'number of pods' } }],
    ['loss?node=node-1', { loss: { pending: 1 }, reason: null }],
    ['loss?node=node-9', { loss: null, reason: 'The node is not in the last plan.' }],
  ])('answers %s', async (path, expected) => {
    const sign = path.includes('?') ? '&' : '?';
    const answer = await get(`/api/kubernetes/capacity/${path}${sign}cluster_id=${CLUSTER}`);
    expect([answer.status, answer.json.data]).toMatchObject([200, expected]);
  });

  it.each([
    ['capacity/fits?cluster_id=cluster-capacity&cpu_cores=many&memory_bytes=1', 400, 'cpu_cores'],
    ['capacity/fits?cluster_id=cluster-capacity&cpu_cores=-1&memory_bytes=1', 400, 'cpu_cores'],
    ['capacity/fits?cluster_id=cluster-capacity', 400, 'cpu_cores: is required'],
    ['capacity/fits?cluster_id=cluster-capacity&namespace=shop&kind=Deployment&name=nobody', 404, 'Workload'],
    ['capacity?cluster_id=nobody', 404, 'Cluster'],
    ['sizing?cluster_id=nobody', 404, 'Cluster'],
  ])('refuses %s', async (path, status, detail) => {
    const answer = await get(`/api/kubernetes/${path}`);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(detail) as string]);
  });

  it('is nobody else’s', async () => {
    const other = await app.newUser();
    expect((await get(`/api/kubernetes/capacity?cluster_id=${CLUSTER}`, other)).status).toBe(404);
    expect((await get('/api/kubernetes/capacity', other)).json.data).toMatchObject({ clusters: [], cluster: null });
  });

  it('is not known any more once the collector is silent', async () => {
    app.clock.ms = NOW + 30 * 60_000;
    const { cluster: found } = await dataOf('/api/kubernetes/capacity');
    expect(found).toMatchObject({
      fits: [],
      loss: [],
      resources: [],
      reason: expect.stringContaining('silent for 24 minutes') as string,
    });
  });
});
