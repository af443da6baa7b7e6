import type { WorkloadObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, describe, expect, it } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../../testing/reporting-cluster.ts';
import { DEGRADED_REASONS } from '../degraded.ts';

describe('what keeps a cluster from being healthy', () => {
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

  const degraded = async () => {
    const { json } = await app.call('GET', '/api/kubernetes/cluster/overview', { token: user.token });
    return (json.data as unknown as ClusterOverviewAnswer).degraded;
  };
  const named = (kind: string, ...names: string[]) => ({
    kind,
    count: names.length,
    examples: names.map((name) => ({ cluster_id: cluster.id, namespace: 'shop', name })),
  });
  const workload = (name: string, ready: number, parts: Partial<WorkloadObject> = {}): WorkloadObject => ({
    uid: `${name}-${cluster.id}`,
    kind: 'Deployment',
    namespace: 'shop',
    name,
    created_at: kube.SECONDS,
    desired: 3,
    ready,
    suspended: false,
    last_run_at: null,
    ...parts,
  });

  it('counts pods by the reason of their container, and leaves finished ones out', async () => {
    const pods = [
      cluster.pod('loops', { reason: 'CrashLoopBackOff' }),
      cluster.pod('gone', { reason: 'CrashLoopBackOff', phase: 'Failed' }),
      ...DEGRADED_REASONS.image_pull.map((reason, index) =>
        cluster.pod(`pull-${String(index)}`, { reason, phase: 'Pending' }),
      ),
      cluster.pod('secret', { reason: 'CreateContainerConfigError', phase: 'Pending' }),
      cluster.pod('new', { reason: 'ContainerCreating', phase: 'Pending' }),
    ];
    await cluster.report([kube.listing({ nodes: [cluster.node('n')], pods })]);
    const pulls = DEGRADED_REASONS.image_pull.map((_reason, index) => `pull-${String(index)}`);
    expect(await degraded()).toEqual([
      named('crash_looping', 'loops'),
      { ...named('image_pull', ...pulls.slice(0, 5)), count: pulls.length },
      named('not_created', 'secret'),
    ]);
  });

  it('counts workloads whose replicas are missing for 15 minutes, from the moment they went missing', async () => {
    const report = (...workloads: WorkloadObject[]) => cluster.report([kube.item({ workloads })]);
    await report(workload('short', 2), workload('well', 3), workload('paused', 0, { suspended: true }));
    app.clock.pass(14 * 60);
    await report(workload('short', 1));
    expect(await degraded()).toEqual([]);
    app.clock.pass(60);
    expect(await degraded()).toEqual([named('replicas_missing', 'short')]);
    // All replicas for a moment begin the time anew.
    await report(workload('short', 3));
    await report(workload('short', 2));
    app.clock.pass(14 * 60);
    expect(await degraded()).toEqual([]);
  });
});
