/** GET /api/kubernetes/at: the stored history of a moment. */
import { randomBytes } from 'node:crypto';
import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';

const db = testStorage();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MB = 2 ** 20;
/** The requested moment. */
const THEN = kube.NOW - HOUR;
let app: TestApp;
let user: TestUser;
let cluster: kube.TestCluster;

const seconds = (ms: number) => ms / 1000;
const [web, db0] = [kube.podObject('web'), kube.podObject('db-0')].map((pod) => ({
  ...pod,
  created_at: seconds(THEN - DAY),
})) as [ReturnType<typeof kube.podObject>, ReturnType<typeof kube.podObject>];
const young = { ...kube.podObject('young'), created_at: seconds(THEN + MINUTE) };

/** One report of the node's agent: memory of both pods in MB, and of the node in sixteenths of its capacity. */
async function report(serverId: string, at: number, [webMb, dbMb]: [number, number]): Promise<void> {
  const part = kube.nodePart([web, db0]);
  const pods = part.pods.map((pod, index) => ({
    ...pod,
    cpu_cores: 0.5,
    memory_working_set_bytes: (index === 0 ? webMb : dbMb) * MB,
  }));
  await writeNode(db, serverId, at, { ...part, pods });
}

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await kube.testCluster(db.storage(), user.organisationId, `cluster-${randomBytes(4).toString('hex')}`);
  await cluster.write(
    kube.listing({ nodes: [kube.nodeObject('node-1', { created_at: seconds(THEN - DAY) })], pods: [web, db0, young] }),
    kube.item({
      ends: [
        kube.endOf(web, 0, { at: seconds(THEN - 10 * MINUTE), reason: 'OOMKilled' }),
        kube.endOf(web, 1, { at: seconds(THEN + MINUTE) }),
        kube.endOf(db0, 0, { at: seconds(THEN - DAY - MINUTE) }),
      ],
    }),
  );
  const node = { name: 'node-1', hostname: 'n', tokenHash: randomBytes(32) };
  const enrolled = await db.storage().kubernetes.reports.enrolNode(cluster.agent, node, kube.NOW);
  const serverId = enrolled?.serverId ?? '';
  await report(serverId, THEN - 20_000, [64, 512]);
  await report(serverId, THEN + 20_000, [999, 999]);
});
const get = (query: string, who: TestUser = user) => app.call('GET', `/api/kubernetes/at?${query}`, who);
const at = async (ms: number, more = '') =>
  (await get(`at=${String(seconds(ms))}${more}`)).json.data as unknown as ClusterMomentAnswer;

test('lists the pods of the moment with their usage then, restarts of the day before first', async () => {
  const { pods, total_pods: total, restarts_reason: reason } = await at(THEN);
  expect(
    pods.map((pod) => [pod.pod_name, pod.memory_usage_mb, pod.cpu_usage_cores, pod.restarts_24h, pod.oom_kills_24h]),
  ).toEqual([
    ['web', 64, 0.5, 1, 1],
    ['db-0', 512, 0.5, 0, 0],
  ]);
  expect([total, reason]).toEqual([2, null]);
  expect((await at(THEN, '&limit=1')).pods.map(({ pod_name: name }) => name)).toEqual(['web']);
});

test('lists the nodes of the moment; what nobody stored is null', async () => {
  expect((await at(THEN)).nodes).toMatchObject([
    { node_name: 'node-1', pods_count: 2, restarts_24h: 1, cpu_usage: null, memory_usage: null },
  ]);
  const earlier = await at(THEN - 2 * HOUR);
  expect(earlier.pods.map(({ memory_usage_mb: memory }) => memory)).toEqual([null, null]);
  expect(await at(THEN - 2 * DAY)).toMatchObject({ nodes: [], pods: [], total_pods: 0 });
});

test('reads the rollup where the samples are gone', async () => {
  await db.storage().kubernetes.upkeep.rollup(kube.NOW + 10 * MINUTE);
  await db.sql('DELETE FROM kube_sample');
  const { pods } = await at(THEN - 10_000);
  expect(pods.map(({ pod_name: name, memory_usage_mb: memory }) => [name, memory])).toEqual([
    ['web', 64],
    ['db-0', 512],
  ]);
});

test('does not know restarts that are older than their retention', async () => {
  const { restarts_reason: reason, pods } = await at(kube.NOW - 7 * DAY);
  expect(reason).toBe('Restarts are kept for 7 days');
  expect(pods).toEqual([]);
});

test('takes a moment of the past, and shows a cluster to its owner only', async () => {
  const future = await get(`at=${String(seconds(kube.NOW + MINUTE))}`);
  expect([future.status, future.json.field]).toEqual([400, 'at']);
  expect((await get('cluster_id=x')).status).toBe(400);
  const other = await app.newUser();
  expect((await get(`at=${String(seconds(THEN))}&cluster_id=${cluster.clusterId}`, other)).status).toBe(404);
  expect((await get(`at=${String(seconds(THEN))}`, other)).json.data).toMatchObject({ nodes: [], pods: [] });
});
