import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import type { JobObject, PodObject, WorkloadObject } from '@plimsoll/contract/wire/cluster-objects';
import { beforeEach, expect, test } from 'vitest';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { ALWAYS_RECEIVING } from '../../testing/ingest-watch.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';
import { markSilentClustersJob } from '../jobs.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let cluster: ReportingCluster;

beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await reportingCluster(app, user);
});

/** Reports the same for some minutes. */
async function hold(minutes: number, parts: Partial<ClusterItem>): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    app.clock.pass(60);
    const { status, text } = await cluster.report([kube.listing(parts)]);
    expect([status, text]).toEqual([200, expect.any(String)]);
  }
}
const alertsOf = async (who: TestUser, query = 'status=active'): Promise<AlertsAnswer['alerts']> =>
  ((await app.call('GET', `/api/data/notifications?${query}`, who)).json.data as unknown as AlertsAnswer).alerts;
const said = async (query?: string): Promise<string[]> =>
  (await alertsOf(user, query)).map(({ level, title, message }) => `${level} | ${title} | ${message}`).toSorted();

const waiting = (name: string, reason: string, parts: Partial<PodObject> = {}): PodObject =>
  cluster.pod(name, { reason, ready: false, containers: [kube.container({ status: 'waiting', reason })], ...parts });
const web = (ready: number): WorkloadObject => ({
  uid: `web-${cluster.id}`,
  kind: 'Deployment',
  namespace: 'shop',
  name: 'web',
  created_at: 0,
  desired: 5,
  ready,
  suspended: false,
  last_run_at: null,
});

test('an alert of a crash loop says how the container ended last', async () => {
  const ended = (message: string | null, exitCode = 1, reason = 'Error') => ({
    containers: [
      kube.container({
        status: 'waiting',
        reason: 'CrashLoopBackOff',
        limits: { cpu_cores: null, memory_bytes: 2 ** 28 },
        last_termination: { reason, message, exit_code: exitCode, finished_at: kube.NOW / 1000 - 60 },
      }),
    ],
  });
  const pods = [
    waiting('a', 'CrashLoopBackOff', ended('start\npanic: cannot open database\n')),
    waiting('b', 'CrashLoopBackOff', ended('panic: cannot open database')),
    waiting('c', 'CrashLoopBackOff', ended(null, 2)),
  ];
  await hold(5, { pods, workloads: [web(2)] });
  expect(await said()).toEqual([
    'error | CrashLoopBackOff: shop/web | 3 of 5 pods in CrashLoopBackOff, last exit 1: panic: cannot open database',
  ]);
  const { json } = await app.call('GET', '/api/incidents', user);
  expect(json.data).toMatchObject({ incidents: [{ subject: 'shop/web' }] });
  await hold(1, { pods: [waiting('a', 'CrashLoopBackOff', ended('killed', 137, 'OOMKilled'))], workloads: [web(4)] });
  expect(await said()).toEqual([
    'error | CrashLoopBackOff: shop/web | 1 of 5 pods in CrashLoopBackOff, OOMKilled at 256 MB',
  ]);
});

test('crashing static pods are named themselves, not the node that owns them', async () => {
  const owner = { kind: 'Node', name: 'node-1' };
  const pods = ['etcd-node-1', 'kube-apiserver-node-1'].map((name) => waiting(name, 'CrashLoopBackOff', { owner }));
  await hold(5, { pods });
  expect(await said()).toEqual([
    'error | CrashLoopBackOff: shop/etcd-node-1 | 1 pod in CrashLoopBackOff',
    'error | CrashLoopBackOff: shop/kube-apiserver-node-1 | 1 pod in CrashLoopBackOff',
  ]);
  for (const { alert_id: id, kubernetes } of await alertsOf(user)) {
    const { json } = await app.call('GET', `/api/alerts/${id}`, user);
    const { black_box: box } = json.data as unknown as AlertDetailAnswer;
    expect(box?.pods).toMatchObject({ total: 1, entries: [{ pod_name: kubernetes?.name }] });
  }
});

test('crashing pods of one deployment are one alert that names its share, and resolve ten minutes after', async () => {
  const crashing = ['a', 'b', 'c'].map((name) => waiting(name, 'CrashLoopBackOff', { node_name: `node-${name}` }));
  await hold(4, { pods: crashing, workloads: [web(2)] });
  expect(await said()).toEqual([]);
  await hold(1, { pods: crashing, workloads: [web(2)] });
  expect(await said()).toEqual(['error | CrashLoopBackOff: shop/web | 3 of 5 pods in CrashLoopBackOff']);
  expect(await alertsOf(user)).toMatchObject([
    {
      server_id: null,
      metric_name: 'pod_crash_loop',
      current_value: 3,
      threshold_value: 1,
      kubernetes: {
        cluster_id: cluster.id,
        namespace: 'shop',
        workload_kind: 'Deployment',
        name: 'web',
        nodes: ['node-a', 'node-b', 'node-c'],
      },
    },
  ]);
  await hold(1, { pods: crashing.slice(1), workloads: [web(3)] });
  expect(await said()).toEqual(['error | CrashLoopBackOff: shop/web | 2 of 5 pods in CrashLoopBackOff']);
  await hold(9, { pods: [cluster.pod('a')], workloads: [web(5)] });
  expect(await said()).toHaveLength(1);
  await hold(1, { pods: [cluster.pod('a')], workloads: [web(5)] });
  expect(await said('status=resolved')).toEqual([
    'error | CrashLoopBackOff: shop/web | Pods in CrashLoopBackOff shop/web back to 0 pods after 11 min, at worst 3 pods',
  ]);
});

test('a node that is not ready, or under pressure, is an alert of the node; a cordoned one is not', async () => {
  const condition = (type: string, status: string, message: string | null = null) => ({
    type,
    status,
    reason: null,
    message,
    since: null,
  });
  const nodes = [
    { ...cluster.node('down'), ready: false, conditions: [condition('Ready', 'Unknown', 'Kubelet stopped posting')] },
    { ...cluster.node('cordoned'), ready: false, unschedulable: true },
    {
      ...cluster.node('full'),
      conditions: [
        condition('DiskPressure', 'True'),
        condition('ReadonlyFilesystem', 'True'),
        condition('EtcdIsVoter', 'True'),
        condition('Ready', 'True'),
      ],
    },
  ];
  await hold(5, { nodes });
  expect(await said()).toEqual(['critical | Node not ready: down | Node down is not ready: Kubelet stopped posting']);
  await hold(5, { nodes });
  expect(await said()).toContain(
    'warning | Node reports a problem: full | Node full reports DiskPressure, ReadonlyFilesystem',
  );
  expect(await said()).toHaveLength(2);
});

test('30 Deployments that miss replicas on a dead node are one message: that of the node', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `app-${String(index)}`);
  const pods = names.flatMap((name) => {
    const owner = { kind: 'Deployment', name };
    return [
      cluster.pod(`${name}-a`, { owner, node_name: 'dead', ready: false }),
      cluster.pod(`${name}-b`, { owner, node_name: 'well' }),
    ];
  });
  const workloads = names.map((name) => ({ ...web(1), uid: name, name, desired: 2 }));
  const nodes = [{ ...cluster.node('dead'), ready: false }, cluster.node('well')];
  await hold(16, { pods, workloads, nodes });
  expect(await alertsOf(user)).toHaveLength(31);
  const { json } = await app.call('GET', '/api/incidents', user);
  const { incidents } = json.data as unknown as { incidents: { cause: string; subject: string }[] };
  expect(incidents.map(({ cause, subject }) => [cause, subject])).toEqual([['node_not_ready', 'dead']]);
});

test('a pod that a scheduling gate holds is not broken, opens no alert and stands behind broken pods', async () => {
  const gated = cluster.pod('gated', { phase: 'Pending', reason: 'SchedulingGated', ready: false, containers: [] });
  await hold(30, { pods: [gated, waiting('z-broken', 'CrashLoopBackOff', { owner: null })] });
  expect((await said()).map((line) => line.split(' | ')[1])).toEqual(['CrashLoopBackOff: shop/z-broken']);
  const { json } = await app.call('GET', '/api/kubernetes/pods?sort=state', user);
  const { pods } = json.data as unknown as { pods: { pod_name: string }[] };
  expect(pods.map(({ pod_name: name }) => name)).toEqual(['z-broken', 'gated']);
});

test('pending pods count by their own age, and those that cannot pull an image are told apart', async () => {
  const created = (secondsAgo: number) => app.clock.now() / 1000 - secondsAgo;
  const old = cluster.pod('old', {
    phase: 'Pending',
    reason: 'Unschedulable',
    created_at: created(840),
    containers: [],
  });
  const young = cluster.pod('young', { phase: 'Pending', created_at: created(0), containers: [] });
  const pulling = waiting('pull', 'ImagePullBackOff', { phase: 'Pending', created_at: created(3600), owner: null });
  await hold(1, { pods: [old, young, pulling] });
  expect(await said()).toEqual(['warning | Pods pending: shop/web | 2 pods pending: Unschedulable']);
  expect((await alertsOf(user))[0]?.current_value).toBe(1);
  await hold(4, { pods: [old, young, pulling] });
  expect(await said()).toContain('error | Image pull failed: shop/pull | 1 pod cannot pull an image: ImagePullBackOff');
});

test('restarts and OOM kills of the last hour, missing replicas that escalate in place', async () => {
  const pod = cluster.pod('a');
  const at = (app.clock.now() + 30_000) / 1000;
  const ends = [0, 1, 2, 3, 4].map((run) =>
    kube.endOf(pod, run, { at: at - run * 1200, ...(run > 0 && { reason: 'Error' }) }),
  );
  await hold(1, { pods: [pod], ends: ends.slice(0, 3) });
  expect(await said()).toEqual(['warning | OOM kill: shop/web | 1 OOM kill at 64 MB in 1 pod in 1 h']);
  await hold(14, { pods: [pod], workloads: [web(4)] });
  expect((await said()).join()).not.toContain('Replicas');
  await hold(1, { pods: [pod], workloads: [web(4)] });
  expect(await said()).toContain('warning | Replicas missing: shop/web | 1 of 5 replicas missing');
  await hold(15, { pods: [pod], workloads: [web(0)] });
  const missing = (await alertsOf(user, '')).filter(({ metric_name }) => metric_name === 'replicas_missing');
  expect(missing).toMatchObject([{ level: 'critical', message: '5 of 5 replicas missing', status: 'active' }]);
});

test('a failed job is an alert of its CronJob for an hour', async () => {
  const failed = (name: string, uid: string) => ({
    uid: `${uid}-${cluster.id}`,
    type: 'Warning',
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
    namespace: 'shop',
    kind: 'Job',
    name,
    object_uid: null,
    component: 'job-controller',
    count: 1,
    first_at: app.clock.now() / 1000,
    last_at: app.clock.now() / 1000,
  });
  const backup: WorkloadObject = {
    ...web(0),
    uid: `b-${cluster.id}`,
    kind: 'CronJob',
    name: 'backup',
    desired: null,
    ready: null,
  };
  const events = [failed('backup-29345', '1'), failed('backup-29346', '2'), failed('import', '3')];
  await hold(1, { workloads: [backup], events });
  expect(await said()).toEqual([
    'warning | Job failed: shop/backup | 2 jobs failed: BackoffLimitExceeded',
    'warning | Job failed: shop/import | Job import failed: BackoffLimitExceeded',
  ]);
  app.clock.pass(3600);
  await hold(1, { workloads: [backup] });
  expect(await said()).toEqual([]);
});

test('a collector that reports jobs: their own condition counts, and the events of the controller do not', async () => {
  const job = (name: string, parts: Partial<JobObject> = {}): JobObject => ({
    uid: `${name}-${cluster.id}`,
    namespace: 'shop',
    name,
    owner: null,
    conditions: [
      {
        type: 'Failed',
        status: 'True',
        reason: 'DeadlineExceeded',
        message: 'Job was active longer than specified deadline',
        since: app.clock.now() / 1000,
      },
    ],
    ...parts,
  });
  const event = {
    uid: `e-${cluster.id}`,
    type: 'Warning',
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
    namespace: 'shop',
    kind: 'Job',
    name: 'deleted-and-made-anew',
    object_uid: null,
    component: 'job-controller',
    count: 1,
    first_at: app.clock.now() / 1000,
    last_at: app.clock.now() / 1000,
  };
  const readers = [{ name: 'jobs', state: 'ok' as const, detail: null, since: 0, needs: 'list,watch jobs.batch' }];
  const report = async (parts: Partial<ClusterItem>, reportsJobs = true) => {
    app.clock.pass(60);
    const collector = { ...kube.envelope(cluster.id).collector, ...(reportsJobs && { reports_jobs: true }) };
    expect((await cluster.report([kube.listing(parts)], { collector })).status).toBe(200);
  };
  const jobs = [
    job('backup-29345', { owner: { kind: 'CronJob', name: 'backup' } }),
    job('import'),
    job('runs', { conditions: [] }),
    job('old', { conditions: [{ ...job('old').conditions[0]!, since: app.clock.now() / 1000 - 7200 }] }),
  ];
  await report({ events: [event], readers, jobs });
  const failed = [
    'warning | Job failed: shop/backup | Job backup-29345 failed: DeadlineExceeded',
    'warning | Job failed: shop/import | Job import failed: DeadlineExceeded',
  ];
  expect(await said()).toEqual(failed);
  await report({ readers, jobs });
  expect(await said()).toEqual(failed);
  // Without the right to read jobs, or under an older collector, the events are all there is.
  await report({ readers: [{ ...readers[0]!, state: 'forbidden' }] });
  const byEvent =
    'warning | Job failed: shop/deleted-and-made-anew | Job deleted-and-made-anew failed: BackoffLimitExceeded';
  expect(await said()).toContain(byEvent);
  await report({ readers });
  expect(await said()).not.toContain(byEvent);
  await report({ readers }, false);
  expect((await said()).join('\n')).toContain(`${byEvent}. Flapping: it fired again within 1 h`);
});

test('a rule of a workload overrides one of its namespace, and a disabled one ends the alert with the next report', async () => {
  const lines = [{ level: 'info', threshold: 1 }];
  const create = async (body: Record<string, unknown>) =>
    app.call('POST', '/api/alerts/rules', {
      ...user,
      body: { metric: 'pod_crash_loop', lines, for_seconds: 0, ...body },
    });
  await hold(1, {});
  expect((await create({ target: 'namespace', namespace: 'shop', cluster_id: cluster.id })).status).toBe(200);
  const pods = [waiting('a', 'CrashLoopBackOff'), waiting('b', 'CrashLoopBackOff', { namespace: 'other' })];
  await hold(1, { pods });
  expect(await said()).toEqual(['info | CrashLoopBackOff: shop/web | 1 pod in CrashLoopBackOff']);
  await create({ target: 'workload', namespace: 'shop', workload: 'web', enabled: false });
  await hold(1, { pods });
  expect(await said()).toEqual([]);
  expect(await said('status=resolved')).toHaveLength(1);
});

test('a collector that is silent for five minutes is an alert, its other alerts are unknown, the next report ends it', async () => {
  const pods = [waiting('a', 'CrashLoopBackOff')];
  await hold(5, { pods });
  const { storage, alertRules, changes } = app.deps;
  const job = markSilentClustersJob({
    clusterAlerts: storage.clusterAlerts,
    alertRules,
    changes,
    ingestWatch: ALWAYS_RECEIVING,
    reportIntervalSeconds: 60,
  });
  app.clock.pass(299);
  await job.run(app.clock.now());
  expect(await alertsOf(user)).toEqual([]);
  app.clock.pass(1);
  expect(await job.run(app.clock.now())).toMatchObject({ opened: expect.any(Number) });
  await job.run(app.clock.now());
  expect((await alertsOf(user, '')).map(({ metric_name, status }) => `${metric_name} ${status}`)).toEqual([
    'cluster_silent active',
    'pod_crash_loop unknown',
  ]);
  await hold(1, { pods });
  expect((await alertsOf(user)).map(({ metric_name }) => metric_name)).toEqual(['pod_crash_loop']);
});

test('another account sees none of them, and replicas that evaluate at once open one alert', async () => {
  const pods = [waiting('a', 'CrashLoopBackOff')];
  await hold(4, { pods });
  app.clock.pass(60);
  await Promise.all([1, 2, 3].map(() => cluster.report([kube.item({ pods })])));
  expect(await said()).toHaveLength(1);
  const other = await app.newUser();
  expect(await alertsOf(other, '')).toEqual([]);
});

test('a cluster that is well has no alert', async () => {
  const done = cluster.pod('job', { phase: 'Succeeded', reason: 'Completed', ready: false, owner: null });
  await hold(20, { nodes: [cluster.node('a')], pods: [cluster.pod('a'), done], workloads: [web(5)] });
  expect(await said('')).toEqual([]);
});

test('an alert of a cluster keeps the warnings, pods, last ends and nodes of its object, redacted', async () => {
  const secret = 'postgres://app:hunter2hunter2@db/shop';
  const warning = (name: string, secondsAgo: number, parts: object = {}) => ({
    uid: `${name}-${String(secondsAgo)}-${cluster.id}`,
    type: 'Warning',
    reason: 'BackOff',
    message: `Back-off restarting failed container, ${secret}`,
    namespace: 'shop',
    kind: 'Pod',
    name,
    object_uid: null,
    component: 'kubelet',
    count: 7,
    first_at: kube.SECONDS - 3600,
    last_at: kube.SECONDS - secondsAgo,
    ...parts,
  });
  const last_termination = {
    reason: 'Error',
    message: `cannot reach ${secret}`,
    exit_code: 3,
    finished_at: kube.SECONDS - 20,
  };
  const crashing = waiting('web-a', 'CrashLoopBackOff', {
    containers: [kube.container({ status: 'waiting', reason: 'CrashLoopBackOff', last_termination })],
  });
  const other = cluster.pod('db-0', { owner: { kind: 'StatefulSet', name: 'db' } });
  const events = [
    warning('web-a', 60),
    warning('web-a', 30),
    warning('webshop', 10),
    warning('web-a', 5, { type: 'Normal' }),
    warning('node-1', 20, { kind: 'Node', namespace: 'default', reason: 'NodeNotReady' }),
  ];
  const parts = { nodes: [cluster.node('node-1')], pods: [crashing, other], workloads: [web(4)], events };
  const usage = [
    {
      node_name: 'node-1',
      measured_at: kube.SECONDS,
      window_seconds: 60,
      cpu_cores: 3,
      memory_working_set_bytes: 2 ** 32,
      pods: [{ uid: crashing.uid, cpu_cores: 0.5, memory_working_set_bytes: 2 ** 28 }],
    },
  ];
  await hold(5, { ...parts, usage });
  const [alert] = await alertsOf(user);
  const detail = await app.call('GET', `/api/alerts/${String(alert?.alert_id)}`, user);
  const { black_box: box } = detail.json.data as unknown as AlertDetailAnswer;
  expect(detail.text).not.toContain('hunter2');
  expect(box?.cluster?.events.map(({ name, timestamp }) => [name, kube.SECONDS - timestamp])).toEqual([
    ['web-a', 30],
    ['web-a', 60],
  ]);
  expect(box?.pods).toMatchObject({
    total: 1,
    entries: [
      {
        pod_name: 'web-a',
        reason: 'CrashLoopBackOff',
        node_name: 'node-1',
        cpu_usage_cores: 0.5,
        memory_usage_mb: 256,
      },
    ],
  });
  expect(box?.cluster?.terminations).toMatchObject([
    {
      pod_name: 'web-a',
      container: 'app',
      reason: 'Error',
      exit_code: 3,
      message: expect.stringContaining('cannot reach'),
    },
  ]);
  expect(box?.cluster?.nodes).toMatchObject([
    {
      name: 'node-1',
      ready: true,
      cpu_usage_cores: 3,
      cpu_capacity_cores: 4,
      memory_usage_mb: 4096,
      memory_capacity_mb: 8192,
    },
  ]);
  const [row] = await db.sql<{ bytes: number }>(`SELECT max(octet_length(body::text)) AS bytes FROM alert_black_box`);
  expect(row?.bytes).toBeLessThanOrEqual(32_768);
});

test('an alert of a node keeps its own warnings, its pods and the processes of its agent', async () => {
  const notReady = { ...cluster.node('node-1'), ready: false };
  await hold(1, { nodes: [notReady], pods: [cluster.pod('db-0')] });
  const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', {
    token: cluster.token,
    body: { node_name: 'node-1', boot_id: 'b', hostname: 'node-1' },
  });
  const { server_id: serverId, agent_token: token } = enrolled.json as unknown as Record<
    'server_id' | 'agent_token',
    string
  >;
  const now = app.clock.now();
  const item = { ...fullReport('node-1', now / 1000 - 10), up: 99_990 };
  const sent = await app.call('POST', '/api/agent/v1/reports', {
    token,
    body: reportsBody({ serverId, token }, now, [item]),
  });
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
  await hold(4, { nodes: [notReady], pods: [cluster.pod('db-0')] });
  const [alert] = await alertsOf(user);
  const { black_box: box } = (await app.call('GET', `/api/alerts/${String(alert?.alert_id)}`, user)).json
    .data as unknown as AlertDetailAnswer;
  expect(alert?.metric_name).toBe('node_not_ready');
  expect(box?.pods?.entries.map(({ pod_name: name }) => name)).toEqual(['db-0']);
  expect(box?.processes?.entries.length).toBeGreaterThan(0);
  expect(box?.cluster?.nodes.map(({ name, ready }) => [name, ready])).toEqual([['node-1', false]]);
});

test('the list covers alerts of a cluster by its nodes: of a server that is one, and of a scope', async () => {
  const notReady = { ...cluster.node('node-1'), ready: false };
  const pods = [
    waiting('web-a', 'CrashLoopBackOff'),
    waiting('web-b', 'CrashLoopBackOff', { node_name: null, namespace: 'other' }),
  ];
  await hold(5, { nodes: [notReady, cluster.node('node-2')], pods });
  const elsewhere = await reportingCluster(app, user);
  const foreign = { ...elsewhere.node('node-1'), ready: false };
  for (let minute = 0; minute < 5; minute += 1) {
    app.clock.pass(60);
    expect((await elsewhere.report([kube.listing({ nodes: [foreign] })])).status).toBe(200);
    await cluster.report([kube.listing({ nodes: [notReady, cluster.node('node-2')], pods })]);
  }
  const enrol = async (node: string) =>
    (
      await app.call('POST', '/api/agent/v1/nodes/enrol', {
        token: cluster.token,
        body: { node_name: node, boot_id: 'b', hostname: node },
      })
    ).json as unknown as { server_id: string };
  const [first, second] = [await enrol('node-1'), await enrol('node-2')];
  const metricsOf = async (query: string) =>
    (await alertsOf(user, query)).map(({ metric_name: name }) => name).toSorted();
  expect(await metricsOf('')).toEqual(['node_not_ready', 'node_not_ready', 'pod_crash_loop', 'pod_crash_loop']);
  expect(await metricsOf(`server_id=${first.server_id}`)).toEqual(['node_not_ready', 'pod_crash_loop']);
  expect(await metricsOf(`server_id=${second.server_id}`)).toEqual([]);
  // A pod on no node is in the scope with its cluster.
  expect(await metricsOf(`scope=cluster:${cluster.id}`)).toEqual([
    'node_not_ready',
    'pod_crash_loop',
    'pod_crash_loop',
  ]);
  expect(await metricsOf(`scope=cluster:${elsewhere.id}`)).toEqual(['node_not_ready']);
  expect(await metricsOf('scope=tag:prod')).toEqual([]);
  expect(await metricsOf('scope=cluster:unknown')).toEqual([]);
});
