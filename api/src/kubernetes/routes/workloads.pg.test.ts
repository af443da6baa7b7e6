import { workloadSubject } from '@plimsoll/contract/rules/alert-metric';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { EventsAnswer, WorkloadAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

describe('one workload and the events', () => {
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

  const get = (path: string, token = user.token) => app.call('GET', `/api/kubernetes/${path}`, { token });
  const workload = async (path = 'shop/Deployment/web'): Promise<WorkloadAnswer> =>
    (await get(`workloads/${path}`)).json.data as unknown as WorkloadAnswer;
  const web = (ready: number) => ({
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
  const pod = (name: string, image: string, ago: number, parts = {}) =>
    cluster.pod(name, {
      created_at: kube.SECONDS - ago,
      containers: [kube.container({ name: 'app', image }), kube.container({ name: 'setup', image: name, init: true })],
      ...parts,
    });
  const event = (name: string, parts: object = {}) => ({
    uid: `${name}-${cluster.id}`,
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off restarting failed container',
    namespace: 'shop',
    kind: 'Pod',
    name,
    object_uid: null,
    component: 'kubelet',
    count: 3,
    first_at: kube.SECONDS - 60,
    last_at: kube.SECONDS - 30,
    ...parts,
  });

  it('sums its pods, and knows its rollouts from the images of all stored pods', async () => {
    await cluster.report([kube.listing({ pods: [pod('web-1', 'web:1', 9000)], workloads: [web(3)] })]);
    const pods = [pod('web-2', 'web:2', 3600), pod('web-3', 'web:2', 3590)];
    await cluster.report([
      kube.listing({ pods: [...pods, pod('other', 'x:9', 60, { owner: null })], workloads: [web(2)] }),
    ]);
    expect(await workload()).toMatchObject({
      cluster_id: cluster.id,
      kind: 'Deployment',
      desired: 3,
      ready: 2,
      suspended: false,
      short_since: new Date(kube.NOW).toISOString(),
      created_at: new Date(kube.NOW - 9_000_000).toISOString(),
      owner: { pods: 2, owner_name: 'web', desired: 3 },
      rollouts: [
        {
          at: new Date(kube.NOW - 3_600_000).toISOString(),
          changes: [{ container: 'app', from: 'web:1', to: 'web:2' }],
        },
      ],
      alerts: [],
    });
  });

  it('stands beside the same workload of the other clusters, and of no other organisation', async () => {
    const bounds = { requests: { cpu_cores: 1, memory_bytes: 2 ** 30 } };
    await cluster.report([kube.listing({ pods: [pod('web-1', 'web:1', 9000, bounds)], workloads: [web(2)] })]);
    const second = await reportingCluster(app, user);
    const foreign = await reportingCluster(app, await app.newUser());
    for (const each of [second, foreign]) {
      const containers = [kube.container({ name: 'app', image: 'web:2' })];
      await each.report([kube.listing({ pods: [each.pod('web-9', { containers })] })]);
    }
    const { clusters } = (await get(`workloads/shop/Deployment/web?cluster_id=${cluster.id}`)).json
      .data as unknown as WorkloadAnswer;
    expect(clusters.map((one) => one.cluster_id).toSorted()).toEqual([cluster.id, second.id].toSorted());
    const of = (id: string) => clusters.find((one) => one.cluster_id === id);
    expect(of(cluster.id)).toMatchObject({
      desired: 3,
      ready: 2,
      images: [{ container: 'app', image: 'web:1' }],
      requests: { cpu_cores: 1, memory_mb: 1024 },
    });
    expect(of(second.id)).toMatchObject({ desired: null, ready: null, images: [{ image: 'web:2' }] });
  });

  it('lists its open alerts, and none of another workload', async () => {
    const pending = { phase: 'Pending' as const, created_at: kube.SECONDS - 9000 };
    const other = { ...pending, owner: { kind: 'Deployment', name: 'api' } };
    await cluster.report([kube.listing({ pods: [cluster.pod('web-1', pending), cluster.pod('api-1', other)] })]);
    expect((await workload()).alerts.map(({ title, acknowledged }) => [title, acknowledged])).toEqual([
      ['Pods pending: shop/web', false],
    ]);
    // Without an object of its own it has neither replicas nor a creation.
    expect(await workload()).toMatchObject({ desired: null, ready: null, created_at: null, suspended: null });
  });

  it('is silenced whole by the subject of its alerts, and no other workload is', async () => {
    const pending = { phase: 'Pending' as const, created_at: kube.SECONDS - 9000 };
    const other = { ...pending, owner: { kind: 'Deployment', name: 'api' } };
    const workloads = [web(1)];
    await cluster.report([
      kube.listing({ pods: [cluster.pod('web-1', pending), cluster.pod('api-1', other)], workloads }),
    ]);
    for (let minute = 0; minute <= 30; minute += 1) {
      app.clock.ms += 60_000;
      await cluster.report([kube.item({ workloads: [web(1)], ts: app.clock.now() / 1000 })]);
    }
    const subject = workloadSubject({ namespace: 'shop', kind: 'Deployment', name: 'web' });
    const made = await app.call('POST', '/api/alerts/silences', {
      token: user.token,
      body: { cluster_id: cluster.id, namespace: 'shop', subject, duration_seconds: 3600 },
    });
    expect(made.status).toBe(200);
    const { alerts } = (await app.call('GET', '/api/data/notifications', { token: user.token })).json
      .data as unknown as AlertsAnswer;
    const states = alerts.map(
      ({ title, silenced_until: until }) => `${title}: ${until === null ? 'sent' : 'silenced'}`,
    );
    expect(states.toSorted()).toEqual([
      'Pods pending: shop/api: sent',
      'Pods pending: shop/web: silenced',
      'Replicas missing: shop/web: silenced',
    ]);
  });

  it('is not found for another organisation, another cluster or another name', async () => {
    await cluster.report([kube.listing({ pods: [cluster.pod('web-1')] })]);
    const other = await app.newUser();
    const answers = [
      await get('workloads/shop/Deployment/web', other.token),
      await get('workloads/shop/Deployment/we'),
      await get('workloads/shop/StatefulSet/web'),
      await get('workloads/shop/Deployment/web?cluster_id=unknown'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await get('workloads/shop/Deployment/web')).status).toBe(200);
    expect((await app.call('GET', '/api/kubernetes/workloads/shop/Deployment/web')).status).toBe(401);
  });

  it('lists events by reason, by words and of a workload with its pods', async () => {
    const events = [
      event('web-1'),
      event('web-abc', { kind: 'ReplicaSet', reason: 'FailedCreate', message: 'exceeded quota' }),
      event('web', { kind: 'Deployment', reason: 'ScalingReplicaSet', type: 'Normal', message: 'Scaled up' }),
      event('api-1', { reason: 'Unhealthy', message: 'Readiness probe failed' }),
      event('old', { first_at: kube.SECONDS - 90_000, last_at: kube.SECONDS - 90_000, reason: 'Ancient' }),
    ];
    const api = { owner: { kind: 'Deployment', name: 'api' } };
    await cluster.report([kube.listing({ pods: [cluster.pod('web-1'), cluster.pod('api-1', api)], events })]);
    const listed = async (query: string) =>
      (await get(`events?hours=24&${query}`)).json.data as unknown as EventsAnswer;
    const names = async (query: string) => (await listed(query)).events.map(({ name }) => name).toSorted();
    expect(await names('owner_kind=Deployment&owner_name=web')).toEqual(['web', 'web-1', 'web-abc']);
    expect(await names('reason=Unhealthy')).toEqual(['api-1']);
    expect(await names('search=QUOTA')).toEqual(['web-abc']);
    expect(await names('search=unheal')).toEqual(['api-1']);
    expect(await names('search=web-1')).toEqual(['web-1']);
    expect(await names('type=Normal&kind=Deployment')).toEqual(['web']);
    // The filters offer what occurs in the time, whatever else is chosen.
    expect(await listed('reason=Unhealthy')).toMatchObject({
      total: 1,
      reasons: ['BackOff', 'FailedCreate', 'ScalingReplicaSet', 'Unhealthy'],
      kinds: ['Deployment', 'Pod', 'ReplicaSet'],
    });
    const half = await get('events?owner_kind=Deployment');
    expect([half.status, half.json.field]).toEqual([400, 'owner_name']);
  });
});
