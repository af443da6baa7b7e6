/** POST /api/agent/v1/cluster/standby, and what the screens read of it. */
import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { LEASE_NEEDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';

const PATH = '/api/agent/v1/cluster/standby';

describe('a replica that cannot take the lease', () => {
  const db = testStorage();
  let app: TestApp;
  let user: TestUser;
  let cluster: ReportingCluster;
  const lease = {
    name: 'lease',
    state: 'forbidden',
    detail: 'forbidden: needs leases.coordination.k8s.io get,create,update; password=hunter2',
    since: kube.SECONDS,
    needs: LEASE_NEEDS,
    service_account: 'monitoring:collector',
  };
  const body = { v: 1, collector: { id: 'pod-1', version: '0.1.0' }, lease };
  const tell = (token = cluster.token, more: object = {}) =>
    app.call('POST', PATH, { token, body: { ...body, ...more } });
  const status = async (who: TestUser = user) => {
    const answer = await app.call('GET', '/api/kubernetes/cluster/overview', who);
    return (answer.json.data as unknown as ClusterOverviewAnswer).collectors;
  };

  beforeEach(async () => {
    app = testApp(db.storage());
    app.clock.ms = kube.NOW;
    user = await app.newUser();
    cluster = await reportingCluster(app, user);
    await cluster.report([kube.listing({ nodes: [cluster.node('node-1')] })]);
  });

  it('is why a silent cluster has no leader, with the line that mends it and without secrets', async () => {
    app.clock.ms += 140_000;
    expect(await status()).toMatchObject([{ state: 'silent', age_seconds: 140 }]);
    expect((await tell()).status).toBe(200);
    const [told] = await status();
    expect(told).toMatchObject({ state: 'no_leader', age_seconds: 140 });
    expect(told?.command).toContain('kubectl -n monitoring create role');
    expect(told?.detail).toMatch(/^forbidden: needs leases/);
    expect(told?.detail).not.toContain('hunter2');
    await cluster.report([]);
    expect(await status()).toMatchObject([{ state: 'reporting', detail: null }]);
  });

  it('is not heard without a token, or with that of a person', async () => {
    expect((await app.call('POST', PATH, { body })).status).toBe(401);
    expect([401, 403]).toContain((await tell(user.token)).status);
  });

  it('gets an error that names the bad field', async () => {
    const answer = await tell(cluster.token, { lease: { ...lease, state: 'sleepy' } });
    expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining('lease.state')]);
  });

  it('is not found while its token belongs to no cluster', async () => {
    const unbound = await reportingCluster(app, user);
    expect((await tell(unbound.token)).status).toBe(404);
  });

  it('changes nothing for another account', async () => {
    const other = await app.newUser();
    const theirs = await reportingCluster(app, other);
    await theirs.report([kube.listing({ nodes: [theirs.node('node-1')] })]);
    app.clock.ms += 140_000;
    await tell(theirs.token);
    expect(await status()).toMatchObject([{ state: 'silent' }]);
    expect(await status(other)).toMatchObject([{ state: 'no_leader' }]);
  });
});
