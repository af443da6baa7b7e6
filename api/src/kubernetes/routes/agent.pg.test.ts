import type { ClusterAnswer } from '@plimsoll/contract/wire/cluster-report';
import type { PermissionsAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { PodsAnswer } from '@plimsoll/contract/wire/kubernetes-pods';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

describe('reports of a cluster', () => {
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

  it.each(['gzip', 'GZip', 'x-gzip'])('are accepted as %s; a listing is asked for until one came', async (coding) => {
    const body = gzipSync(
      JSON.stringify({ ...kube.envelope(cluster.id), reports: [kube.item({ nodes: [cluster.node('a')] })] }),
    );
    const headers = { 'content-encoding': coding, 'content-type': 'application/json' };
    const first = await app.call('POST', '/api/agent/v1/cluster/reports', { token: cluster.token, body, headers });
    expect(first.status).toBe(200);
    expect(first.json as unknown as ClusterAnswer).toMatchObject({ listing_wanted: true, rejected: [] });
    const second = await cluster.report([kube.listing({ nodes: [cluster.node('a')] })]);
    expect(second.json as unknown as ClusterAnswer).toMatchObject({ listing_wanted: false });
  });

  it('may hold texts in the envelope that PostgreSQL cannot store', async () => {
    const bad = 'x\0y\ud800';
    const { cluster: named, collector, ...head } = kube.envelope(cluster.id);
    const body = {
      ...head,
      cluster: { ...named, name: bad, version: bad },
      collector: { ...collector, id: bad, version: bad },
      reports: [],
    };
    const answer = await app.call('POST', '/api/agent/v1/cluster/reports', { token: cluster.token, body });
    expect([answer.status, answer.json.code]).toEqual([200, undefined]);
  });

  it('are judged item by item where no object can be told', async () => {
    const bad = { ...kube.item({}), ts: 'today' };
    const answer = await cluster.report([
      kube.item({ nodes: [cluster.node('a')] }),
      { seq: 7, kind: 'galaxy' },
      bad,
      'nonsense',
    ]);
    expect(answer.status).toBe(207);
    const { accepted, rejected } = answer.json as unknown as ClusterAnswer;
    expect(accepted).toHaveLength(1);
    expect(rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, 'kind_unknown'],
      [2, 'invalid_item'],
      [3, 'invalid_item'],
    ]);
    expect(rejected[1]?.detail).toContain('ts');
  });

  it('with a name that no index has room for are refused by the field', async () => {
    const answer = await cluster.report([kube.item({ pods: [cluster.pod('x', { node_name: '木'.repeat(253) })] })]);
    expect(answer.json as unknown as ClusterAnswer).toMatchObject({ rejected: [] });
    const { json } = await app.call('GET', '/api/kubernetes/permissions', { token: user.token });
    expect((json.data as unknown as PermissionsAnswer).permissions).toMatchObject([
      { reader: 'pods', state: 'incomplete', detail: 'shop/x: node_name: must be ASCII' },
    ]);
  });

  it.each([
    [{ v: 99 }, 426, 'version_not_spoken'],
    [{ cluster: { uid: '', name: null, version: null } }, 400, 'invalid_parameter'],
    [{ cluster: { uid: 'another', name: null, version: null } }, 403, 'cluster_mismatch'],
    [{ collector: { id: 'old', version: '0', term: 0 } }, 409, 'collector_superseded'],
  ])('with %j are refused', async (more, code, name) => {
    await cluster.report([]);
    const answer = await cluster.report([], more);
    expect([answer.status, answer.json.code]).toEqual([code, name]);
  });

  it('with hostile texts are stored and answered as text', async () => {
    const name = '<script>alert(1)</script>\u0000\u202E';
    await cluster.report([
      kube.listing({ nodes: [cluster.node('a')], pods: [cluster.pod('x', { labels: { __proto__: name, ok: name } })] }),
    ]);
    const { json } = await app.call('GET', '/api/kubernetes/pods', { token: user.token });
    const { pods } = json.data as unknown as PodsAnswer;
    expect(pods[0]?.labels.ok).toContain('<script>');
    expect(pods[0]?.labels.ok).not.toContain('\0');
  });

  it('an unknown node cannot enrol yet and is told when to try again', async () => {
    const body = { node_name: 'ghost', boot_id: 'b', hostname: 'ghost' };
    const answer = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
    expect([answer.status, answer.json.code]).toEqual([503, 'node_not_known_yet']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('a node of a copied cluster does not take over the node of its name', async () => {
    const [own, other] = ['0f5a3b1c-1111-4222-8333-444455556666', '0f5a3b1c-1111-4222-8333-444455557777'];
    const report = (boot_id: string) =>
      cluster.report([kube.item({ nodes: [{ ...cluster.node('node-1'), boot_id }] })]);
    const enrol = async (boot_id: string) => {
      const body = { node_name: 'node-1', boot_id, hostname: 'node-1' };
      const answer = await app.call('POST', '/api/agent/v1/nodes/enrol', { token: cluster.token, body });
      return { status: answer.status, ...(answer.json as { server_id?: string; agent_token?: string }) };
    };
    const reports = ({ server_id: serverId = '', agent_token: token = '' }: Awaited<ReturnType<typeof enrol>>) =>
      app.call('POST', '/api/agent/v1/reports', {
        token,
        body: reportsBody({ serverId, token }, app.clock.ms, [{ ts: app.clock.ms / 1000 - 10, up: 99_990 }]),
      });
    await report(own);
    const first = await enrol(own);
    expect((await reports(first)).status).toBe(200);
    expect((await enrol(other)).status).toBe(503);
    // The token of the first node still works, and its pod may be restarted.
    expect((await reports(first)).status).toBe(200);
    expect((await enrol(own)).status).toBe(200);
    // A node that was restarted is known again with the next report of the collector.
    await report(other);
    expect(await enrol(other)).toMatchObject({ status: 200, server_id: first.server_id });
  });

  it('a revoked token is refused at once', async () => {
    const listed = await app.call('GET', '/api/user/cluster-tokens', { token: user.token });
    const [entry] = (listed.json.data as unknown as { tokens: { id: string }[] }).tokens;
    await app.call('DELETE', `/api/user/cluster-tokens/${entry?.id}`, { token: user.token });
    const answer = await cluster.report([]);
    expect([answer.status, answer.json.code]).toEqual([401, 'cluster_token_unknown']);
    const audit = await app.call('GET', '/api/user/audit-log', { token: user.token });
    const { entries } = audit.json.data as unknown as { entries: { action: string }[] };
    expect(entries.map(({ action }) => action)).toContain('cluster_token_revoked');
  });
});
