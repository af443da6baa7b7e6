import { randomBytes } from 'node:crypto';
import { POD_AGE_BUCKETS } from '@plimsoll/contract/rules/kubernetes-limits';
import { beforeEach, expect, it } from 'vitest';
import type { Owner } from '../../tenancy/owner.ts';
import * as kube from '../../testing/kubernetes.ts';
import { writeNode } from '../../testing/node-report.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { FRESH_MS } from './usage.ts';

const { NOW, SECONDS, item, listing, nodeObject, podObject } = kube;
const [HOUR] = POD_AGE_BUCKETS;
const web = { kind: 'Deployment', name: 'web' };

describeEachPostgres('kept groups of pods', (db) => {
  let owner: Owner;
  let cluster: kube.TestCluster;
  const views = () => db.storage().kubernetes.views;
  const write = (one: Parameters<kube.TestCluster['write']>[0]) =>
    db.storage().kubernetes.reports.write(cluster.clusterKey, one, NOW);
  const shown = async (now = NOW) => {
    const { phases, ages, namespaces } = await views().podsSummary({ owner }, now);
    const { owners } = await views().owners({ owner, sort: 'name', order: 'asc', limit: 10, offset: 0 }, now);
    const { total } = await views().pods({ owner, sort: 'name', order: 'asc', limit: 1, offset: 0 }, now);
    return { running: phases.Running, young: ages[0], cpu: namespaces[0]?.cpuCores, of: owners[0]?.cpuCores, total };
  };
  const usage = (cpuCores: number) => ({
    node_name: 'node-1',
    measured_at: SECONDS,
    window_seconds: 30,
    cpu_cores: 1,
    memory_working_set_bytes: 2 ** 30,
    pods: [{ uid: 'uid-a', cpu_cores: cpuCores, memory_working_set_bytes: 2 ** 20 }],
  });
  const pod = (name: string) => podObject(name, { owner: web, created_at: SECONDS - HOUR + 60 });

  beforeEach(async () => {
    ({ owner, cluster } = await kube.clusterOfItsOwn(db.storage()));
    await write(listing({ nodes: [nodeObject('node-1')], pods: [pod('a')] }));
  });

  it('are true again after each item of a report, one without readers included', async () => {
    expect(await shown()).toEqual({ running: 1, young: 1, cpu: null, of: null, total: 1 });
    await write(item({ pods: [pod('b')], usage: [usage(0.5)] }));
    expect(await shown()).toEqual({ running: 2, young: 2, cpu: 0.5, of: 0.5, total: 2 });
    await write(item({ deleted: { nodes: [], pods: ['uid-b'], workloads: [], volumes: [] } }));
    expect(await shown()).toEqual({ running: 1, young: 1, cpu: 0.5, of: 0.5, total: 1 });
  });

  it('follow the clock: a pod grows old, and its usage stale', async () => {
    await write(item({ usage: [usage(0.5)] }));
    const before = await shown();
    expect([before.young, before.cpu]).toEqual([1, 0.5]);
    const old = await shown(NOW + 60_000);
    expect([old.young, old.cpu]).toEqual([0, 0.5]);
    const stale = await shown(NOW + FRESH_MS);
    expect([stale.young, stale.cpu, stale.of]).toEqual([0, null, null]);
    // A clock that was set back.
    expect(await shown()).toEqual(before);
  });

  it('include what the agent of a node reports, also in a part that is older than the last one', async () => {
    const node = { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) };
    const { serverId = '' } = (await db.storage().kubernetes.reports.enrolNode(cluster.agent, node, NOW)) ?? {};
    const measure = (at: number, cpuCores: number | null) => {
      const part = kube.nodePart(cpuCores === null ? [] : [pod('a')]);
      const pods = part.pods.map((one) => ({ ...one, cpu_cores: cpuCores }));
      return writeNode(db, serverId, at, { ...part, pods });
    };
    await measure(NOW, null);
    expect((await shown()).cpu).toBeNull();
    await measure(NOW - 10_000, 0.25);
    expect((await shown()).cpu).toBe(0.25);
    await measure(NOW + 10_000, 0.5);
    expect((await shown()).cpu).toBe(0.5);
  });
});
