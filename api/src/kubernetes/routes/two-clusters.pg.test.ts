import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { ClusterAnswer } from '@plimsoll/contract/wire/cluster-report';
import type { PermissionsAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { NodesAnswer } from '@plimsoll/contract/wire/kubernetes-nodes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

const ONE = '10.0.0.5:6443';
const TWO = '10.0.9.5:6443';

describe('two clusters with one uid', () => {
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

  const at = (address: string, term = 1) => ({
    cluster: { uid: cluster.id, name: null, version: null, api_addresses: [address] },
    collector: { id: `collector at ${address}`, version: '1', term },
  });
  const first = () => cluster.report([kube.listing({ nodes: [cluster.node('a')] })], at(ONE));
  const second = (term = 9) => cluster.report([kube.listing({ nodes: [cluster.node('b')] })], at(TWO, term));
  const nodes = async () => {
    const { json } = await app.call('GET', '/api/kubernetes/nodes', { token: user.token });
    return (json.data as unknown as NodesAnswer).nodes.map(({ node_name: name }) => name);
  };

  it('the second stores nothing: it waits for two minutes, then it is refused with both addresses', async () => {
    expect((await first()).status).toBe(200);
    const waiting = await second();
    expect([waiting.status, waiting.json.code]).toEqual([503, 'overloaded']);
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
    for (let minute = 0; minute < 3; minute += 1) {
      app.clock.pass(60);
      const answer = await first();
      expect(answer.status).toBe(200);
      expect(answer.json).not.toHaveProperty('refused_collector_at');
      await second();
    }
    app.clock.pass(10);
    const refused = await second();
    expect([refused.status, refused.json.code, refused.json.field]).toEqual([
      409,
      'another_collector_reports',
      'cluster.uid',
    ]);
    for (const address of [ONE, TWO]) expect(refused.json.detail).toContain(address);
    expect(refused.json.remedy).toContain('This is another cluster');
    expect(await nodes()).toEqual(['a']);
    // The first one keeps its earlier term, although the term of the second is later.
    const { json, status } = await first();
    expect([status, (json as unknown as ClusterAnswer).refused_collector_at]).toEqual([200, [TWO]]);
  });

  it('an alert and the permissions name both, until the second stays away', async () => {
    await first();
    for (let tries = 0; tries < 4; tries += 1) {
      await second();
      app.clock.pass(60);
      await first();
    }
    const read = async (path: string) => (await app.call('GET', path, { token: user.token })).json.data as unknown;
    const alerts = async () => ((await read('/api/data/notifications')) as AlertsAnswer).alerts;
    const entries = async () =>
      ((await read('/api/kubernetes/permissions')) as PermissionsAnswer).permissions.filter(
        ({ reader }) => reader === 'another_collector_reports',
      );
    const both = expect.stringMatching(`${TWO}.*${ONE}`);
    expect(await alerts()).toMatchObject([{ status: 'active', metric_name: 'another_collector', message: both }]);
    expect(await entries()).toMatchObject([{ cluster_id: cluster.id, state: 'forbidden', detail: both }]);
    app.clock.pass(301);
    await first();
    expect(await alerts()).toMatchObject([{ status: 'resolved' }]);
    expect(await entries()).toEqual([]);
  });

  it('an admin separates the copy: it reports with its own token, and nothing of the first changes', async () => {
    const separate = (token = user.token) =>
      app.call('POST', '/api/kubernetes/clusters/separate', { token, body: { cluster_id: cluster.id } });
    await first();
    expect((await separate()).json.code).toBe('no_second_cluster');
    for (let tries = 0; tries < 4; tries += 1) {
      await second();
      app.clock.pass(60);
      await first();
    }
    const other = await app.newUser();
    expect((await separate(other.token)).status).toBe(404);
    const made = await separate();
    expect([made.status, made.audited]).toEqual([200, ['cluster_separated']]);
    const { token, cluster_id: copyId } = made.json.data as unknown as { token: string; cluster_id: string };
    const body = {
      ...kube.envelope(cluster.id),
      ...at(TWO, 9),
      reports: [kube.listing({ nodes: [cluster.node('b')] })],
    };
    const copy = () => app.call('POST', '/api/agent/v1/cluster/reports', { token, body });
    expect((await copy()).status).toBe(200);
    expect((await first()).status).toBe(200);
    expect((await copy()).status).toBe(200);
    expect((await nodes()).toSorted()).toEqual(['a', 'b']);
    const { json } = await app.call('GET', '/api/kubernetes/clusters', { token: user.token });
    const { clusters } = json.data as unknown as { clusters: { cluster_id: string; nodes: number }[] };
    expect(new Map(clusters.map(({ cluster_id: id, nodes: count }) => [id, count]))).toEqual(
      new Map([
        [cluster.id, 1],
        [copyId, 1],
      ]),
    );
    expect((await separate()).json.code).toBe('no_second_cluster');
  });

  it('the first is told no more once the second stays away', async () => {
    await first();
    for (let tries = 0; tries < 4; tries += 1) {
      await second();
      app.clock.pass(60);
      await first();
    }
    expect((await first()).json).toHaveProperty('refused_collector_at');
    app.clock.pass(301);
    expect((await first()).json).not.toHaveProperty('refused_collector_at');
  });

  it('a cluster that moved to another address goes on after two minutes of silence', async () => {
    await first();
    app.clock.pass(121);
    expect((await second(1)).status).toBe(200);
    const back = await first();
    expect([back.status, back.json.code]).toEqual([503, 'overloaded']);
  });

  it('a cluster that comes back with an older Lease reports again, custom resources included', async () => {
    const term = (value: number) => ({ ...at(ONE), collector: { id: 'x', version: '1', term: value } });
    expect((await cluster.report([], term(50))).status).toBe(200);
    await db.sql('UPDATE cluster SET object_term = 50, object_seq = 7 WHERE uid = $1', [cluster.id]);
    expect((await cluster.report([], term(3))).json.code).toBe('collector_superseded');
    app.clock.pass(61);
    expect((await cluster.report([], term(3))).status).toBe(200);
    const rows = await db.sql<{ object_term: string }>('SELECT object_term FROM cluster WHERE uid = $1', [cluster.id]);
    expect(Number(rows[0]?.object_term)).toBe(0);
  });

  it('collectors of 0.1.0 are accepted beside one with an address', async () => {
    await first();
    expect((await cluster.report([], {})).status).toBe(200);
    expect((await first()).status).toBe(200);
  });
});
