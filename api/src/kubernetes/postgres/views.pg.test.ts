import { randomBytes } from 'node:crypto';
import { TOP_NAMESPACES } from '@plimsoll/contract/rules/kubernetes-limits';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Owner } from '../../tenancy/owner.ts';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';

const { NOW, SECONDS, item, listing, nodeObject, podObject } = kube;

describeEachPostgres('what is shown of a cluster', (db) => {
  let owner: Owner;
  let cluster: kube.TestCluster;
  const views = () => db.storage().kubernetes.views;
  const reports = () => db.storage().kubernetes.reports;
  const write = (one: Parameters<kube.TestCluster['write']>[0], now = NOW) =>
    reports().write(cluster.clusterKey, one, now);
  const pods = async () => (await views().pods({ owner, sort: 'name', order: 'asc', limit: 100, offset: 0 }, NOW)).pods;
  const podNamed = (name: string) => views().pod({ owner }, 'shop', name, NOW);
  const goes = (...uids: string[]) => item({ deleted: { nodes: [], pods: uids, workloads: [], volumes: [] } });
  const enrol = async () => {
    const node = { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) };
    return (await reports().enrolNode(cluster.agent, node, NOW))?.serverId ?? '';
  };

  beforeEach(async () => {
    ({ owner, cluster } = await kube.clusterOfItsOwn(db.storage()));
  });

  describe('a pod', () => {
    it('leads to the node there is, where one of the name was there before', async () => {
      await write(listing({ nodes: [nodeObject('node-1', { uid: 'uid-old' })], pods: [podObject('a')] }));
      await write(listing({ nodes: [nodeObject('node-1', { uid: 'uid-new' })], pods: [podObject('a')] }), NOW + 1000);
      const [node] = await views().nodes({ owner }, NOW);
      expect((await pods()).map(({ object, serverId }) => [object.name, serverId])).toEqual([['a', node?.serverId]]);
    });

    it('tells its last restart, not an end that was none, and of one moment the later run', async () => {
      const pod = podObject('a');
      await write(listing({ pods: [pod] }));
      await write(
        item({
          ends: [
            kube.endOf(pod, 0, { at: SECONDS - 300, reason: 'Error', exit_code: 1 }),
            kube.endOf(pod, 1, { at: SECONDS - 200, reason: 'Error', exit_code: 2 }),
            kube.endOf(pod, 2, { at: SECONDS - 200, reason: 'OOMKilled', exit_code: 137 }),
            kube.endOf(pod, 3, { at: SECONDS - 100, reason: 'Completed', exit_code: 0, restarted: false }),
          ],
        }),
      );
      const last = { at: (SECONDS - 200) * 1000, container: 'app', reason: 'OOMKilled', exitCode: 137 };
      expect((await pods()).map(({ restarts, lastRestart }) => [restarts, lastRestart])).toEqual([[3, last]]);
    });

    it('is the living one of its name, else the one that went last', async () => {
      const named = (uid: string) => podObject('a', { uid });
      for (const [index, uid] of ['first', 'second', 'third'].entries()) {
        await write(item({ pods: [named(uid)] }), NOW);
        await write(goes(uid), NOW + index * 1000);
      }
      expect((await podNamed('a'))?.object.uid).toBe('third');
      // Told again it lives again, and goes before the others went.
      await write(item({ pods: [named('first')] }), NOW);
      expect((await podNamed('a'))?.object.uid).toBe('first');
      await write(goes('first'), NOW + 1500);
      expect((await podNamed('a'))?.object.uid).toBe('third');
    });
  });

  it('nodes stand in order of their names, and those that are gone are not offered', async () => {
    const uids = { 'node-c': 'uid-1', 'node-b': 'uid-2', 'node-a': 'uid-3' };
    await write(listing({ nodes: Object.entries(uids).map(([name, uid]) => nodeObject(name, { uid })) }));
    await write(item({ deleted: { nodes: ['uid-2'], pods: [], workloads: [], volumes: [] } }));
    expect((await views().nodes({ owner }, NOW)).map(({ object }) => object.name)).toEqual(['node-a', 'node-c']);
    expect((await views().podsSummary({ owner }, NOW)).nodeNames).toEqual(['node-a', 'node-c']);
  });

  it('the summary names the largest namespaces and offers all, and knows no use of a pod that is gone', async () => {
    const many = Array.from({ length: TOP_NAMESPACES + 2 }, (_, index) => `ns-${String(index).padStart(2, '0')}`);
    const inEach = many.map((namespace) => podObject(`in-${namespace}`, { namespace }));
    const gone = kube.restartedPod('gone', 2);
    await write(listing({ nodes: [nodeObject('node-1')], pods: [...inEach, gone] }));
    const serverId = await enrol();
    await writeNode(db, serverId, NOW - 30_000, kube.nodePart([...inEach, gone]));
    const [ranked] = (await views().podsSummary({ owner }, NOW)).topRestarts;
    expect(ranked).toMatchObject({ name: 'gone', phase: 'Running', usage: { source: 'kubelet' } });
    await write(goes('uid-gone'));
    const summary = await views().podsSummary({ owner }, NOW);
    expect(summary.topRestarts).toMatchObject([{ name: 'gone', phase: null, usage: null }]);
    // The later one of the list used the more.
    expect(summary.namespaces.map(({ namespace }) => namespace)).toEqual(many.toReversed().slice(0, TOP_NAMESPACES));
    expect(summary.namespaceNames).toEqual(many);
  });

  it('a series comes from the samples where its buckets are fine or its range short, else from the rollup', async () => {
    await write(listing({ nodes: [nodeObject('node-1')], pods: [podObject('a')] }));
    const serverId = await enrol();
    const sample = (cpu: number) => {
      const part = kube.nodePart([podObject('a')]);
      return { ...part, pods: part.pods.map((pod) => ({ ...pod, cpu_cores: cpu })) };
    };
    await writeNode(db, serverId, NOW - 3_600_000, sample(1));
    await db.storage().kubernetes.upkeep.rollup(NOW);
    // Not rolled up any more: what has it came from the samples.
    await writeNode(db, serverId, NOW - 60_000, sample(2));
    const pod = await podNamed('a');
    if (!pod) throw new Error('the pod is not there');
    const maximaOf = async (hours: number, bucketSeconds: number) => {
      const range = { from: NOW - hours * 3_600_000, to: NOW, bucketSeconds };
      return (await views().podSeries(pod, owner, range)).map(({ cpuCores }) => cpuCores.max);
    };
    expect(await maximaOf(24, 300)).toEqual([1, 2]);
    expect(await maximaOf(48, 60)).toEqual([1, 2]);
    expect(await maximaOf(48, 300)).toEqual([1]);
  });

  it('a series is of the node there is, where one of the name was there before', async () => {
    for (const uid of ['uid-old', 'uid-new'])
      await write(listing({ nodes: [nodeObject('node-1', { uid })], pods: [podObject('a')] }));
    await writeNode(db, await enrol(), NOW - 60_000, kube.nodePart([podObject('a')]));
    const pod = await podNamed('a');
    if (!pod) throw new Error('the pod is not there');
    const range = { from: NOW - 3_600_000, to: NOW, bucketSeconds: 60 };
    expect(await views().podSeries(pod, owner, range)).toMatchObject([{ at: NOW - 60_000, cpuCores: { max: 0.125 } }]);
  });

  it('a token tells to the minute when it was used, the newest token first', async () => {
    const { tokens } = db.storage().kubernetes;
    const newest = { owner, tokenHash: randomBytes(32), name: 'newest', lastFour: 'wxyz', expiresUnusedAt: null };
    await tokens.create({ ...newest, createdBy: null }, NOW + 1000);
    const used = async (afterMs: number) => {
      await tokens.find(cluster.tokenHash, NOW + afterMs);
      return (await tokens.list(owner)).map(({ lastFour, lastUsedAt }) => [lastFour, lastUsedAt]);
    };
    const told = (lastUsedAt: number) => [
      ['wxyz', null],
      ['abcd', lastUsedAt],
    ];
    expect(await used(60_000)).toEqual(told(NOW));
    expect(await used(60_001)).toEqual(told(NOW + 60_001));
  });
});
