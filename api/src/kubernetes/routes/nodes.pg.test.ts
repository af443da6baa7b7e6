/** Which nodes a list shows, in which order, and what is said over all of them. */
import { beforeEach, expect, test } from 'vitest';
import type { ClusterOverviewAnswer, NodesAnswer, PermissionsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

const db = testStorage();
const DAY = 86_400;
let app: TestApp;
let user: TestUser;
let cluster: ReportingCluster;

const usage = (name: string, cpuCores: number, memoryBytes: number, age: number) => ({
  node_name: name,
  measured_at: kube.SECONDS - age,
  window_seconds: 15,
  cpu_cores: cpuCores,
  memory_working_set_bytes: memoryBytes,
  pods: [],
});
const down = [{ type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: null, since: kube.SECONDS }];
const event = (id: string, type: string, age: number) => {
  const about = { namespace: 'shop', kind: 'Pod', name: 'web', object_uid: 'web', component: 'kubelet' };
  const seen = { first_at: kube.SECONDS - age - 60, last_at: kube.SECONDS - age, count: 1 };
  return { uid: id, type, reason: id, message: id, ...about, ...seen };
};

/** Two nodes of equal use, a busy old one, and one without any figure or state. */
beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await reportingCluster(app, user);
  const listed = await cluster.report([
    kube.listing({
      nodes: [
        { ...cluster.node('node-10'), ready: true },
        { ...cluster.node('node-2'), ready: false, conditions: down },
        { ...cluster.node('node-1'), created_at: kube.SECONDS - 40 * DAY },
        { ...cluster.node('mute'), ready: null, conditions: [] },
      ],
      pods: [cluster.pod('a', { node_name: 'node-10' }), cluster.pod('b', { node_name: 'node-10' })],
      usage: [usage('node-10', 1, 2 ** 32, 20), usage('node-2', 1, 2 ** 32, 40), usage('node-1', 3, 2 ** 30, 30)],
      events: [event('now', 'Warning', 60), event('old', 'Warning', DAY + 60), event('usual', 'Normal', 60)],
    }),
  ]);
  if (listed.status !== 200) throw new Error(listed.text);
});

const get = async <T>(path: string): Promise<T> => {
  const answer = await app.call('GET', `/api/kubernetes/${path}`, user);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json.data as T;
};
const namesOf = async (query: string): Promise<string[]> =>
  (await get<NodesAnswer>(`nodes?${query}`)).nodes.map(({ node_name: name }) => name);
const enrol = async (name: string) => {
  const body = { node_name: name, boot_id: 'b', hostname: name };
  const answer = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
  return answer.json as unknown as { server_id: string; agent_token: string };
};

test.each([
  ['', ['mute', 'node-2', 'node-1', 'node-10']],
  ['order=desc', ['mute', 'node-2', 'node-10', 'node-1']],
  ['sort=cpu', ['node-2', 'node-10', 'node-1', 'mute']],
  ['sort=cpu&order=desc', ['node-1', 'node-2', 'node-10', 'mute']],
  ['sort=memory', ['node-1', 'node-2', 'node-10', 'mute']],
  ['sort=disk', ['mute', 'node-1', 'node-2', 'node-10']],
  ['sort=pods&order=desc', ['node-10', 'mute', 'node-1', 'node-2']],
  ['sort=name', ['mute', 'node-1', 'node-2', 'node-10']],
  ['sort=name&order=desc', ['node-10', 'node-2', 'node-1', 'mute']],
  ['sort=age', ['mute', 'node-2', 'node-10', 'node-1']],
  ['sort=age&order=desc', ['node-1', 'mute', 'node-2', 'node-10']],
  ['sort=name&limit=2&offset=1', ['node-1', 'node-2']],
  ['sort=name&search=NODE-1', ['node-1', 'node-10']],
  ['ready=true', ['node-1', 'node-10']],
  ['ready=false', ['mute', 'node-2']],
])('nodes?%s', async (query, names) => {
  expect(await namesOf(query)).toEqual(names);
});

test('a node is found by the beginning of its server id; counts and means are of all that match, not of the page', async () => {
  const { nodes } = await get<NodesAnswer>('nodes?sort=name');
  const id = nodes[1]?.server_id ?? '';
  expect(await namesOf(`search=${id.slice(0, 13).toUpperCase()}`)).toEqual(['node-1']);
  expect(await get('nodes?sort=name&limit=1')).toMatchObject({
    total: 4,
    summary: { total: 4, ready: 2, not_ready: 2, with_agent: 0, avg_cpu_usage: 41.67, avg_memory_usage: 37.5 },
  });
  expect(await get('nodes?search=node-1&limit=1')).toMatchObject({
    total: 2,
    summary: { total: 2, ready: 2, not_ready: 0, avg_cpu_usage: 50 },
  });
});

test('the overview takes the age of its oldest figure, names who is not ready, and warns of a day', async () => {
  app.clock.pass(5);
  expect(await get<ClusterOverviewAnswer>('cluster/overview')).toMatchObject({
    total_nodes: 4,
    ready_nodes: 2,
    aggregate_metrics: { avg_cpu_usage: 41.67 },
    aggregate_origin: { source: 'metrics-server', age_seconds: 45, reason: null },
    age_seconds: 5,
    causes: {
      not_ready_nodes: [
        { node_name: 'mute', reason: null },
        { node_name: 'node-2', reason: 'KubeletNotReady' },
      ],
    },
  });
  const { warnings } = await get<ClusterOverviewAnswer>('cluster/overview');
  expect(warnings.map(({ id }) => id)).toEqual(['now']);
  const many = ['3', '4', '5', '6'].map((n) => ({ ...cluster.node(`node-${n}`), ready: false }));
  await cluster.report([kube.item({ nodes: many })]);
  const { causes } = await get<ClusterOverviewAnswer>('cluster/overview');
  expect(causes.not_ready_nodes.map((one) => one.node_name)).toEqual(['mute', 'node-2', 'node-3', 'node-4', 'node-5']);
});

test('the overview of several clusters has the age of the one silent longest, and that of one its own', async () => {
  app.clock.pass(60);
  const second = await reportingCluster(app, user);
  await second.report([kube.listing({ nodes: [second.node('other')] })]);
  app.clock.pass(10);
  expect(await get('cluster/overview')).toMatchObject({ total_nodes: 5, age_seconds: 70 });
  expect(await get(`cluster/overview?cluster_id=${cluster.id}`)).toMatchObject({ total_nodes: 4, age_seconds: 70 });
  expect(await get(`cluster/overview?cluster_id=${second.id}`)).toMatchObject({ total_nodes: 1, age_seconds: 10 });
});

test('recent nodes: who enrolled last comes first, then who was seen first last; three unless asked otherwise', async () => {
  const recent = async (query = '') =>
    (await get<NodesAnswer>(`nodes/recent${query}`)).nodes.map(({ node_name: name }) => name);
  app.clock.pass(60);
  await cluster.report([kube.item({ nodes: [cluster.node('node-3')] })]);
  for (const name of ['node-2', 'node-10']) {
    app.clock.pass(60);
    await enrol(name);
  }
  expect(await recent()).toEqual(['node-10', 'node-2', 'node-3']);
  expect(await recent('?limit=2')).toEqual(['node-10', 'node-2']);
  expect(await get('nodes/recent?limit=1')).toMatchObject({ total: 5 });
});

test('permissions: agents that read well are one line, one with an unverified certificate is its own and no failure', async () => {
  for (const [name, verified] of Object.entries({ 'node-1': true, 'node-2': false, 'node-10': true })) {
    const { server_id: serverId, agent_token: token } = await enrol(name);
    const kubernetes = kube.nodePart([], { node_name: name, kubelet_tls_verified: verified });
    const item = { ts: kube.SECONDS - 10, up: 99_990, kubernetes };
    const body = reportsBody({ serverId, token }, kube.NOW, [item]);
    expect((await app.call('POST', '/api/agent/v1/reports', { token, body })).json).toMatchObject({ rejected: [] });
  }
  const { permissions, total, failing } = await get<PermissionsAnswer>('permissions');
  expect(permissions.map(({ who, state, detail }) => [who, state, detail])).toEqual([
    ['node-2', 'ok', 'the kubelet’s certificate is not verified'],
    ['node agents', 'ok', null],
  ]);
  expect([total, failing]).toEqual([2, 0]);
});
