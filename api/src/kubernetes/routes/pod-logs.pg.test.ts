/** GET /api/kubernetes/pods/{namespace}/{pod}/logs, and the way of a request to the collector and back. */
import type { ClusterAnswer, LogRequest } from '@plimsoll/contract/wire/cluster-report';
import type { PodLogsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

const PATH = '/api/kubernetes/pods/shop/web/logs';
const ANSWER_PATH = '/api/agent/v1/cluster/logs';

describe('the log of a pod', () => {
  const db = testStorage();
  let app: TestApp;
  let user: TestUser;
  let cluster: ReportingCluster;
  const report = async (reads = true): Promise<LogRequest[]> => {
    const collector = { ...kube.envelope(cluster.id).collector, reads_pod_logs: reads };
    const answer = await cluster.report([], { collector });
    expect(answer.status).toBe(200);
    return (answer.json as unknown as ClusterAnswer).log_requests ?? [];
  };
  const get = (query = '', who: TestUser = user) => app.call('GET', `${PATH}${query}`, who);
  const tail = async (query = '') => (await get(query)).json.data as unknown as PodLogsAnswer;
  const reply = (id: string, lines: string[], failure: string | null = null, token = cluster.token) =>
    app.call('POST', ANSWER_PATH, { token, body: { id, lines, failure } });

  beforeEach(async () => {
    app = testApp(db.storage());
    app.clock.ms = kube.NOW;
    user = await app.newUser();
    cluster = await reportingCluster(app, user);
    await cluster.report([
      kube.listing({ nodes: [cluster.node('node-1')], pods: [cluster.pod('web'), cluster.pod('api')] }),
    ]);
  });

  it('is asked for in the response to a report, once, and shown without secrets', async () => {
    await report();
    expect(await tail()).toMatchObject({ state: 'pending', container: 'app', lines: [], retry_seconds: 2 });
    const [request, ...more] = await report();
    expect(request).toMatchObject({ namespace: 'shop', pod: 'web', container: 'app', previous: false });
    expect([more, await report()]).toEqual([[], []]);
    expect((await reply(request?.id ?? '', ['started', 'login with password=hunter2'])).status).toBe(200);
    const answer = await tail();
    expect(answer).toMatchObject({ state: 'ready', fetched_at: new Date(kube.NOW).toISOString(), detail: null });
    expect(answer.lines[0]).toBe('started');
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    expect((await reply(request?.id ?? '', ['again'])).status).toBe(404);
  });

  it('is read anew after some seconds, and given up after a minute', async () => {
    await report();
    await tail();
    const [first] = await report();
    await reply(first?.id ?? '', ['one']);
    app.clock.ms += 6000;
    // The lines before stay on the screen while newer ones are read.
    expect(await tail()).toMatchObject({
      state: 'pending',
      lines: ['one'],
      fetched_at: new Date(app.clock.ms - 6000).toISOString(),
    });
    app.clock.ms += 61_000;
    expect(await report()).toEqual([]);
    expect((await tail()).requested_at).toBe(new Date(app.clock.ms).toISOString());
  });

  it('says why the collector could not read it', async () => {
    await report();
    await tail('?previous=true');
    const [request] = await report();
    expect(request?.previous).toBe(true);
    await reply(request?.id ?? '', [], 'forbidden: needs pods/log get');
    expect(await tail('?previous=true')).toMatchObject({ state: 'failed', detail: 'forbidden: needs pods/log get' });
  });

  it('is refused with the value to set while the chart does not allow it', async () => {
    const refused = await get();
    expect([refused.status, refused.json.code]).toEqual([409, 'pod_logs_off']);
    expect(JSON.stringify(refused.json)).toContain('clusterCollector.podLogs=true');
    await report();
    expect((await get()).status).toBe(200);
    await report(false);
    expect((await get()).status).toBe(409);
  });

  it('leaves an entry in the audit log for each person, and none for each refresh', async () => {
    await report();
    await tail();
    const [first] = await report();
    await reply(first?.id ?? '', ['one']);
    app.clock.ms += 6000;
    await tail();
    expect(await report()).toHaveLength(1);
    const { json } = await app.call('GET', '/api/user/audit-log', user);
    const { entries } = json.data as unknown as { entries: { action: string; detail: Record<string, string> }[] };
    expect(entries.filter(({ action }) => action === 'pod_logs_read')).toMatchObject([
      { detail: { namespace: 'shop', pod: 'web', container: 'app' } },
    ]);
  });

  it('bounds the requests that wait', async () => {
    await report();
    const names = Array.from({ length: 21 }, (_, index) => `p${index}`);
    await cluster.report([kube.item({ pods: names.map((name) => cluster.pod(name)) })], {
      collector: { ...kube.envelope(cluster.id).collector, reads_pod_logs: true },
    });
    const statuses: number[] = [];
    for (const name of names)
      statuses.push((await app.call('GET', `/api/kubernetes/pods/shop/${name}/logs`, user)).status);
    expect(statuses).toEqual([...names.slice(1).map(() => 200), 429]);
    expect(await report()).toHaveLength(5);
  });

  it('needs a session', async () => {
    expect((await app.call('GET', PATH)).status).toBe(401);
    expect((await app.call('POST', ANSWER_PATH, { body: {} })).status).toBe(401);
  });

  it('names a container the pod does not have, and a bad answer of the collector', async () => {
    await report();
    const bad = await get('?container=nope');
    expect([bad.status, bad.json.detail]).toEqual([400, expect.stringContaining('container')]);
    expect((await get('?previous=maybe')).status).toBe(400);
    const long = await reply('00000000-0000-4000-8000-000000000000', ['x'.repeat(3000)]);
    expect(long.status).toBe(400);
  });

  it('of a pod that is not there is not found', async () => {
    expect((await app.call('GET', '/api/kubernetes/pods/shop/nobody/logs', user)).status).toBe(404);
    expect((await reply('00000000-0000-4000-8000-000000000000', [])).status).toBe(404);
  });

  it('of another account is not found, and its collector cannot answer ours', async () => {
    await report();
    const other = await app.newUser();
    expect((await get('', other)).status).toBe(404);
    await tail();
    const [request] = await report();
    const theirs = await reportingCluster(app, other);
    await theirs.report([kube.listing({ nodes: [theirs.node('node-1')] })]);
    expect((await reply(request?.id ?? '', ['forged'], null, theirs.token)).status).toBe(404);
    expect((await tail()).state).toBe('pending');
  });
});
