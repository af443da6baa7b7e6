/** Which pods and ends a call shows: what it is asked by, and how far back it looks. */
import { beforeEach, expect, test } from 'vitest';
import type { EventsAnswer, PodAnswer, PodHistoryAnswer, PodsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';

const db = testStorage();
const HOUR = 3600;
const DAY = 86_400;
let app: TestApp;
let user: TestUser;

const event = (id: string, age: number, name = 'web') => {
  const about = { namespace: 'shop', kind: 'Pod', name, object_uid: name, component: 'kubelet' };
  const seen = { first_at: kube.SECONDS - age, last_at: kube.SECONDS - age, count: 1 };
  return { uid: id, type: 'Warning', reason: id, message: id, ...about, ...seen };
};

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  const cluster = await reportingCluster(app, user);
  const web = cluster.pod('web', {
    created_at: kube.SECONDS - 30 * DAY,
    containers: [kube.container({ name: 'setup', init: true, status: 'terminated' }), kube.container()],
  });
  const ends = [8 * DAY, 6 * DAY, 2 * HOUR, HOUR].map((age, run) => kube.endOf(web, run, { at: kube.SECONDS - age }));
  const listed = await cluster.report([
    kube.listing({
      nodes: [cluster.node('node-1'), cluster.node('node-2')],
      pods: [
        web,
        cluster.pod('web-db', { namespace: 'data', node_name: 'node-2', owner: { kind: 'StatefulSet', name: 'db' } }),
        cluster.pod('node-1', { node_name: 'node-2', phase: 'Failed', owner: { kind: 'Deployment', name: 'web-2' } }),
      ],
      ends,
      events: [event('week', 6 * DAY), event('older', 8 * DAY), event('hour', HOUR), event('other', HOUR, 'web-db')],
    }),
  ]);
  if (listed.status !== 200) throw new Error(listed.text);
});

const get = async <T>(path: string): Promise<T> => {
  const answer = await app.call('GET', `/api/kubernetes/${path}`, user);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json.data as T;
};

test.each([
  ['', ['node-1', 'web', 'web-db']],
  ['order=desc', ['web-db', 'web', 'node-1']],
  ['namespace=data', ['web-db']],
  ['phase=Failed', ['node-1']],
  ['node_name=node-1', ['web']],
  ['owner_kind=StatefulSet', ['web-db']],
  ['owner_name=web', ['web']],
  ['search=WEB-D', ['web-db']],
])('pods?%s', async (query, names) => {
  const { pods, total } = await get<PodsAnswer>(`pods?${query}`);
  expect([pods.map((pod) => pod.pod_name), total]).toEqual([names, names.length]);
});

test('sorted by state, the worst come first, and of one state what restarts most', async () => {
  const cluster = await reportingCluster(app, user);
  const states: [string, Parameters<typeof cluster.pod>[1]][] = [
    ['1-crashing', { reason: 'CrashLoopBackOff', restart_count: 14 }],
    ['2-evicted', { phase: 'Failed', reason: 'Evicted' }],
    ['3-lost', { phase: 'Unknown' }],
    ['4-pending', { phase: 'Pending', ready: false }],
    ['5-unready', { ready: false }],
    ['6-terminating', { deleting: true, reason: 'Error' }],
    ['7-restarted', { restart_count: 3 }],
    ['8-well', {}],
    ['9-done', { phase: 'Succeeded', ready: false, reason: 'Completed' }],
  ];
  await cluster.report([kube.listing({ pods: states.map(([name, parts]) => cluster.pod(name, parts)) })]);
  const { pods } = await get<PodsAnswer>(`pods?sort=state&cluster_id=${cluster.id}`);
  expect(pods.map(({ pod_name: name }) => name)).toEqual(states.map(([name]) => name));
});

test('the drawer says since when the image is another one, from pods that are gone as well', async () => {
  const cluster = await reportingCluster(app, user);
  const owner = { kind: 'Deployment', name: 'shop-api' };
  const at = (name: string, image: string, age: number) =>
    cluster.pod(name, { owner, created_at: kube.SECONDS - age, containers: [kube.container({ image })] });
  await cluster.report([kube.listing({ pods: [at('old', 'api:1', 2 * DAY), at('new', 'api:2', HOUR)] })]);
  await cluster.report([kube.listing({ pods: [at('new', 'api:2', HOUR)] })]);
  const one = await get<PodAnswer>(`pods/shop/new?cluster_id=${cluster.id}`);
  const changed = new Date((kube.SECONDS - HOUR) * 1000).toISOString();
  expect(one.image_change).toEqual({ at: changed, container: 'app', from: 'api:1', to: 'api:2' });
  expect((await get<PodAnswer>('pods/shop/web')).image_change).toBeNull();
});

test('a page says how many there are in all; the counts are of the whole cluster', async () => {
  const page = await get<PodsAnswer>('pods?limit=1&offset=1&phase=Running');
  expect([page.pods.map((pod) => pod.pod_name), page.total]).toEqual([['web-db'], 2]);
  expect(page.summary).toMatchObject({ total: 3, phases: { Running: 2, Failed: 1 } });
});

test('a container that only prepares is shown and not counted', async () => {
  const [pod] = (await get<PodsAnswer>('pods?owner_name=web')).pods;
  expect([pod?.container_count, pod?.containers.map(({ name, init }) => [name, init])]).toEqual([
    1,
    [
      ['setup', true],
      ['app', false],
    ],
  ]);
});

test('the drawer tells of the ends and events of a week, and of this pod alone', async () => {
  const { restarts, events } = await get<PodAnswer>('pods/shop/web');
  expect(restarts.map(({ timestamp }) => kube.SECONDS - timestamp)).toEqual([HOUR, 2 * HOUR, 6 * DAY]);
  expect(events.map(({ id }) => id)).toEqual(['hour', 'week']);
});

test('a history shows the ends within its range: that of its start, not that of its end', async () => {
  const ages = async (query: string) =>
    (await get<PodHistoryAnswer>(`pods/shop/web/metrics/history?${query}`)).restarts.map(
      ({ timestamp }) => kube.SECONDS - timestamp,
    );
  const range = (from: number, to: number) => `start_date=${kube.SECONDS - from}&end_date=${kube.SECONDS - to}`;
  expect(await ages(range(2 * HOUR, HOUR))).toEqual([2 * HOUR]);
  expect(await ages(range(2 * HOUR, HOUR - 60))).toEqual([HOUR, 2 * HOUR]);
  expect(await ages(range(9 * DAY, 5 * DAY))).toEqual([6 * DAY, 8 * DAY]);
});

test('events go back as many hours as asked', async () => {
  const seen = async (hours: number) =>
    (await get<EventsAnswer>(`events?name=web&hours=${hours}`)).events.map(({ id }) => id);
  expect(await seen(2)).toEqual(['hour']);
  expect(await seen(7 * 24)).toEqual(['hour', 'week']);
});
