import { listen, says, type Target } from '@plimsoll/contract/testing/check-targets';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../testing/reporting-cluster.ts';
import { judgeChecks } from './judge-checks.ts';

const db = testStorage();
const MINUTE = 60_000;
const BAD = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n';

let app: TestApp;
let user: TestUser;
let target: Target;
let cluster: ReportingCluster;
beforeEach(async () => {
  target = await listen((socket) => {
    says(BAD)(socket);
  });
  app = testApp(db.storage(), { settings: { PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8' } });
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await reportingCluster(app, user);
  await db.sql('DELETE FROM check_definition');
  await db.sql("UPDATE check_tick SET ran_to = '-infinity'");
  await db.sql('DELETE FROM check_result');
});
afterEach(async () => {
  await app.deps.checkRunner.stop();
  await target.close();
});

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) });
async function judge(): Promise<void> {
  const { storage, alertRules, changes } = app.deps;
  await judgeChecks({ ...storage, alertRules, changes, reportIntervalSeconds: 60 }, app.clock.now());
}
async function minutes(count: number): Promise<void> {
  for (let tick = 0; tick < count * 12; tick += 1) {
    await app.deps.checkRunner.tick(app.clock.now());
    await app.deps.checkRunner.idle();
    app.clock.ms += 5000;
  }
  await judge();
}
const describeIn = (uid: string, kind: string, name: string, fields: object, namespace = 'shop') =>
  db.sql(
    `INSERT INTO described_object (cluster_key, uid, kind, namespace, name, form, digest_key, fields, digests)
     SELECT key, $2, $3, $4, $5, 1, '', $6, '{}' FROM cluster WHERE uid = $1`,
    [uid, `${kind}-${namespace}-${name}`, kind, namespace, name, JSON.stringify(fields)],
  );
const shop = (ready: number) => ({
  uid: `web-${cluster.id}`,
  kind: 'Deployment' as const,
  namespace: 'shop',
  name: 'web',
  created_at: kube.SECONDS - 9000,
  desired: 3,
  ready,
  suspended: false,
  last_run_at: null,
});
/** A Deployment behind a Service with a node port, and behind an Ingress. */
async function describeShop(uid: string): Promise<void> {
  await describeIn(uid, 'Deployment', 'web', { 'template.labels.app': 'web', 'template.labels.tier': 'front' });
  await describeIn(uid, 'Deployment', 'other', { 'template.labels.app': 'other' });
  const ports = `http 80→8080/TCP node port ${String(target.port)}, 81→8081/TCP`;
  await describeIn(uid, 'Service', 'web', { 'selector.app': 'web', type: 'NodePort', ports });
  await describeIn(uid, 'Service', 'outside', { type: 'ExternalName', externalName: 'db.example.net' });
  await describeIn(uid, 'Ingress', 'shop', {
    'rules.shop.example.net/': 'Service web:http',
    'rules.shop.example.net/gone': 'Service removed:80',
  });
}
const node = () => ({ ...cluster.node('node-1'), internal_ip: '127.0.0.1' });
const create = async (probe: object) => {
  const created = await call('POST', '/api/checks', { name: 'shop', retries: 0, probe });
  expect(created).toMatchObject({ status: 200 });
  return (created.json.data as unknown as { check: { check_id: string } }).check.check_id;
};
const served = async (id: string) => {
  const { check } = (await call('GET', `/api/checks/${id}`)).json.data as unknown as {
    check: { workloads: { cluster_id: string; namespace: string; kind: string; name: string }[] };
  };
  return check.workloads.map(({ cluster_id: of, namespace, kind, name }) => [of, namespace, kind, name].join(' '));
};
interface Row {
  cause: string;
  title: string;
  alerts: { metric_name: string }[];
}
const incidents = async () =>
  ((await call('GET', '/api/incidents?state=open')).json.data as unknown as { incidents: Row[] }).incidents;

test('a target leads to the workloads behind its Service, its node port or its Ingress', async () => {
  await cluster.report([kube.listing({ nodes: [node()], pods: [], workloads: [shop(3)] })]);
  await describeShop(cluster.id);
  const web = [`${cluster.id} shop Deployment web`];
  const to = async (url: string) => served(await create({ kind: 'http', url }));
  for (const url of ['http://web.shop/', 'http://web.shop.svc:8080/', 'http://web.shop.svc.cluster.local/'])
    expect([url, await to(url)]).toEqual([url, web]);
  expect(await to(`http://127.0.0.1:${String(target.port)}/`)).toEqual(web);
  expect(await to('https://SHOP.example.net/cart')).toEqual(web);
  for (const url of [
    'https://shop.example.net/gone',
    'http://web.other/',
    'http://web.shop.example.net/',
    'http://outside.shop.svc/',
    'http://127.0.0.1:1/',
  ])
    expect([url, await to(url)]).toEqual([url, []]);
  expect(await served(await create({ kind: 'dns', host: 'web.shop', record_type: 'A' }))).toEqual([]);
});

test('a name that two clusters have, and one of another organisation, lead nowhere', async () => {
  const [second, stranger] = [await reportingCluster(app, user), await app.newUser()];
  const foreign = await reportingCluster(app, stranger);
  for (const one of [cluster, second, foreign]) await one.report([kube.listing({ pods: [] })]);
  const id = await create({ kind: 'http', url: 'http://web.shop.svc/' });
  await describeShop(foreign.id);
  expect(await served(id)).toEqual([]);
  await describeShop(cluster.id);
  expect(await served(id)).toEqual([`${cluster.id} shop Deployment web`]);
  await describeShop(second.id);
  expect(await served(id)).toEqual([]);
});

test('a failure while the workload behind it is broken is one incident, which is about the workload', async () => {
  const healthy = [kube.listing({ nodes: [node()], pods: [], workloads: [shop(3)] })];
  await cluster.report(healthy);
  await describeShop(cluster.id);
  await create({ kind: 'http', url: `http://127.0.0.1:${String(target.port)}/` });
  await minutes(2);
  expect(await incidents()).toMatchObject([{ cause: 'check_failed' }]);

  const report = (ready: number) =>
    cluster.report([kube.item({ workloads: [shop(ready)], ts: app.clock.now() / 1000 })]);
  for (let held = 0; held <= 15; held += 1) {
    await report(1);
    app.clock.ms += MINUTE;
  }
  await judge();
  const [one, ...others] = await incidents();
  expect(others).toEqual([]);
  expect(one).toMatchObject({ cause: 'replicas_missing', title: 'Replicas missing: shop/web' });

  // The workload is well again while the check still fails: the check has an incident of its own.
  await report(3);
  await judge();
  expect(await incidents()).toMatchObject([{ cause: 'check_failed' }]);
});
