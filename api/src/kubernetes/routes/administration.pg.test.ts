import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { ClustersAnswer, ClusterTokensAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

describe('an admin and a whole cluster', () => {
  const db = testStorage();
  let app: TestApp;
  let user: TestUser;
  let cluster: ReportingCluster;

  beforeEach(async () => {
    app = testApp(db.storage());
    app.clock.ms = kube.NOW;
    user = await app.newUser();
    cluster = await reportingCluster(app, user);
    await report(cluster);
  });

  const report = (one: ReportingCluster, name = 'prod') =>
    one.report(
      [kube.listing({ nodes: [one.node('node-1')], pods: [one.pod('a', { phase: 'Failed', node_name: 'node-1' })] })],
      { cluster: { uid: one.id, name, version: '1.34.1' } },
    );
  const read = async <T>(path: string) =>
    (await app.call('GET', path, { token: user.token })).json.data as unknown as T;
  const names = async () =>
    (await read<ClustersAnswer>('/api/kubernetes/clusters')).clusters.map(({ name }) => name ?? '').toSorted();
  const rename = (name: unknown, id = cluster.id, token = user.token) =>
    app.call('PUT', `/api/kubernetes/clusters/${id}/name`, { token, body: { name } });
  const remove = (id = cluster.id, token = user.token) =>
    app.call('DELETE', `/api/kubernetes/clusters/${id}`, { token });
  const keyOf = async (id: string) =>
    (await db.sql<{ key: number }>('SELECT key FROM cluster WHERE uid = $1', [id]))[0]?.key;
  const count = async (table: string, key: number | undefined) =>
    (await db.sql(`SELECT 1 FROM ${table} WHERE cluster_key = $1`, [key])).length;

  it('keeps the name of an admin against the next reports, and returns to the reported one', async () => {
    await report(cluster, 'east');
    expect(await names()).toEqual(['east']);
    const renamed = await rename('harbour');
    expect([renamed.status, renamed.audited, renamed.json.data]).toEqual([
      200,
      ['cluster_renamed'],
      { cluster_id: cluster.id, name: 'harbour' },
    ]);
    await report(cluster, 'east-2');
    expect(await names()).toEqual(['harbour']);
    // The same name again changes nothing and leaves no entry.
    expect((await rename('harbour')).audited).toEqual([]);
    expect((await rename(null)).json.data).toEqual({ cluster_id: cluster.id, name: 'east-2' });
    await report(cluster, 'east-3');
    expect(await names()).toEqual(['east-3']);
  });

  it('refuses names that a reader cannot see, and clusters of others', async () => {
    for (const name of ['', ' ', 'a\nb', 'x'.repeat(121), 7]) expect((await rename(name)).status).toBe(400);
    const other = await app.newUser();
    const answers = [await rename('x', cluster.id, other.token), await remove(cluster.id, other.token)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect((await remove('unknown')).status).toBe(404);
    expect(await count('kube_node', await keyOf(cluster.id))).toBe(1);
  });

  it('removes every row of the cluster, and of no other one', async () => {
    const second = await reportingCluster(app, user);
    await report(second, 'second');
    const enrolled = await app.call('POST', '/api/agent/v1/nodes/enrol', {
      token: cluster.token,
      body: { node_name: 'node-1', boot_id: 'b', hostname: 'node-1' },
    });
    const { server_id: serverId } = enrolled.json as unknown as { server_id: string };
    const key = await keyOf(cluster.id);
    const nodes = await db.sql<{ key: number }>('SELECT key FROM kube_node WHERE cluster_key = $1', [key]);
    const none = "'{}', '{}', '{}', '{}', '{}', '{}', '{}'";
    await db.sql(
      `INSERT INTO kube_rollup_5m (ts, node_key, samples, pods, cpu_avg, cpu_min, cpu_max, memory_avg, memory_min, memory_max)
        SELECT now(), unnest($1::int[]), 1, ${none}`,
      [nodes.map((node) => node.key)],
    );
    const answer = await remove();
    expect([answer.status, answer.audited]).toEqual([200, ['cluster_removed']]);
    expect([await count('kube_node', key), await count('kube_pod', key)]).toEqual([0, 0]);
    expect(await db.sql('SELECT 1 FROM kube_rollup_5m')).toEqual([]);
    expect(await db.sql('SELECT 1 FROM server WHERE id = $1', [serverId])).toEqual([]);
    expect(await names()).toEqual(['second']);
    const { tokens } = await read<ClusterTokensAnswer>('/api/user/cluster-tokens');
    expect(tokens.map(({ cluster_id: id }) => id)).toEqual([second.id]);
    expect((await report(second, 'second')).status).toBe(200);
    // The collectors of the removed cluster still run.
    const late = await report(cluster);
    expect([late.status, late.json.code]).toEqual([401, 'cluster_token_unknown']);
    expect(await names()).toEqual(['second']);
  });

  it('ends open alerts as removed: no channel sends that they are resolved', async () => {
    const hook = await app.call('POST', '/api/notify/channels', {
      token: user.token,
      body: { type: 'webhook', name: 'hook', settings: { url: 'https://hook.example/x' } },
    });
    expect(hook.status).toBe(200);
    const event = {
      uid: 'e-1',
      type: 'Warning',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
      namespace: 'shop',
      kind: 'Job',
      name: 'backup',
      object_uid: null,
      component: 'job-controller',
      count: 1,
      first_at: kube.SECONDS,
      last_at: kube.SECONDS,
    };
    expect((await cluster.report([kube.item({ events: [event] })])).status).toBe(200);
    const open = async () => (await read<AlertsAnswer>('/api/data/notifications')).alerts;
    expect((await open()).map(({ status }) => status)).toEqual(['active']);
    const waiting = () => db.sql('SELECT state FROM notify_outbox');
    const before = await waiting();
    expect(before.length).toBeGreaterThan(0);
    await remove();
    expect([await open(), await waiting()]).toEqual([[], []]);
    const [entry] = await db.sql<{ detail: Record<string, string> }>(
      `SELECT detail FROM audit_log WHERE action = 'cluster_removed' ORDER BY id DESC LIMIT 1`,
    );
    expect(entry?.detail).toMatchObject({ id: cluster.id, nodes: '1', alerts: '1', tokens: '1' });
  });

  it('deletes the rules for this cluster alone, and keeps those for every cluster', async () => {
    const rule = (target: object) =>
      app.call('POST', '/api/alerts/rules', {
        token: user.token,
        body: { metric: 'pod_pending', lines: [{ level: 'warning', threshold: 3 }], ...target },
      });
    const made = [
      await rule({ target: 'cluster', cluster_id: cluster.id }),
      await rule({ target: 'namespace', namespace: 'shop' }),
    ];
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    await remove();
    const { rules } = await read<{ rules: { target: string }[] }>('/api/alerts/rules');
    expect(rules.map(({ target }) => target)).toEqual(['namespace']);
  });
});
