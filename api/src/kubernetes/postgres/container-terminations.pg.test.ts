import { randomBytes } from 'node:crypto';
import type { ContainerEnd } from '@plimsoll/contract/wire/cluster-objects';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Owner } from '../../tenancy/owner.ts';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';

const { NOW, SECONDS } = kube;
const DAY_MS = 86_400_000;

describeEachPostgres('the end of a container', (db) => {
  let owner: Owner;
  let cluster: kube.TestCluster;
  const pod = kube.podObject('a');
  const views = () => db.storage().kubernetes.views;
  const seen = kube.endOf(pod, 0, { at: SECONDS - 100 });
  /** Found by its counter alone: its time and reason are unknown. */
  const counted = kube.endOf(pod, 0, { at: SECONDS - 10, reason: null, exit_code: null });
  const tell = (...ends: ContainerEnd[]) => cluster.write(kube.item({ ends }));
  const told = async () => {
    const record = await views().pod({ owner }, 'shop', 'a', NOW);
    if (!record) throw new Error('the pod is not there');
    return views().terminations(record, owner, NOW - DAY_MS);
  };
  const SEEN = { at: (SECONDS - 100) * 1000, reason: 'OOMKilled', exitCode: 137, restarted: true };

  beforeEach(async () => {
    ({ owner, cluster } = await kube.clusterOfItsOwn(db.storage()));
    await cluster.write(kube.listing({ nodes: [kube.nodeObject('node-1')], pods: [pod] }));
  });

  it.each([
    ['counted, then seen, in one item', [[counted, seen]]],
    ['seen, then counted, in one item', [[seen, counted]]],
    ['counted first and seen later', [[counted], [seen]]],
    ['seen first and counted later', [[seen], [counted]]],
    ['seen again at another time', [[seen], [{ ...seen, at: SECONDS - 5, reason: 'Error', exit_code: 1 }]]],
  ])('%s, has the time and the reason it was first seen with', async (_, items) => {
    for (const ends of items) await tell(...ends);
    expect(await told()).toMatchObject([SEEN]);
  });

  it('has the time it was first counted with until someone saw it', async () => {
    await tell(counted);
    await tell({ ...counted, at: SECONDS - 1 });
    expect(await told()).toMatchObject([{ at: (SECONDS - 10) * 1000, reason: null, exitCode: null }]);
  });

  describe('that nobody watched', () => {
    const unseen = (run: number) => kube.endOf(pod, run, { reason: null, exit_code: null });
    const failed = (run: number) => kube.endOf(pod, run, { reason: 'Error', exit_code: 1 });
    const reasons = async () =>
      (await told()).toSorted((a, b) => a.run - b.run).map(({ reason, isInferred }) => [reason, isInferred]);
    const SEEN_KILL = ['OOMKilled', false];
    const INFERRED = ['OOMKilled', true];

    it('between two OOM kills is inferred to be one, and counts', async () => {
      await tell(kube.endOf(pod, 3), unseen(4), unseen(5), kube.endOf(pod, 6));
      expect(await reasons()).toEqual([SEEN_KILL, INFERRED, INFERRED, SEEN_KILL]);
      expect((await views().podsSummary({ owner }, NOW)).oomKills).toBe(4);
    });

    it('keeps its unknown reason where a neighbour ended otherwise, or none was seen', async () => {
      await tell(unseen(0), kube.endOf(pod, 1), unseen(2), failed(3), unseen(4), kube.endOf(pod, 5), unseen(6));
      const UNKNOWN = [null, false];
      expect(await reasons()).toEqual([UNKNOWN, SEEN_KILL, UNKNOWN, ['Error', false], UNKNOWN, SEEN_KILL, UNKNOWN]);
    });

    it('is stored though thousands were missed at once, no more of them than a report may add', async () => {
      const [container] = pod.containers;
      const restarts = (count: number) => {
        const containers = Array.from({ length: 200 }, (_, index) => ({
          ...container!,
          name: `c${String(index)}`,
          restart_count: index < 100 ? count : 10,
        }));
        return cluster.write(kube.item({ pods: [{ ...pod, containers }] }));
      };
      await restarts(10);
      await db.sql("DELETE FROM kube_container_end WHERE container LIKE 'c_%'");
      await restarts(5000);
      const ends = await db.sql<{ container: string; runs: number; last: number }>(
        "SELECT container, count(*)::int AS runs, max(run) AS last FROM kube_container_end WHERE container LIKE 'c_%' GROUP BY 1",
      );
      expect(new Set(ends.map(({ runs, last }) => `${String(runs)} ${String(last)}`))).toEqual(new Set(['100 4999']));
      await tell(
        kube.endOf(pod, 0, { container: 'c0', run: 4899 }),
        kube.endOf(pod, 0, { container: 'c0', run: 5000 }),
      );
      const [inferred] = await db.sql<{ count: number }>(
        "SELECT count(*)::int FROM kube_container_end WHERE is_inferred AND container = 'c0'",
      );
      expect(inferred?.count).toBe(100);
    });

    it('gets the reason of a later report instead of the inferred one', async () => {
      await tell(kube.endOf(pod, 0), unseen(1), kube.endOf(pod, 2));
      await tell({ ...failed(1), at: SECONDS - 70 });
      expect(await reasons()).toEqual([SEEN_KILL, ['Error', false], SEEN_KILL]);
    });
  });

  it('is a restart once it was told as one', async () => {
    await tell({ ...seen, restarted: false });
    expect(await told()).toMatchObject([{ ...SEEN, restarted: false }]);
    await tell(seen);
    await tell({ ...seen, restarted: false });
    expect(await told()).toMatchObject([SEEN]);
  });

  it('learns its owner, and keeps it when nobody knows it any more', async () => {
    await cluster.write(kube.item({ deleted: { nodes: [], pods: [pod.uid], workloads: [], volumes: [] } }));
    const ownerNow = async () => {
      const { topRestarts } = await views().podsSummary({ owner }, NOW);
      return [topRestarts[0]?.ownerKind, topRestarts[0]?.ownerName];
    };
    await tell({ ...seen, owner: null });
    expect(await ownerNow()).toEqual([null, null]);
    await tell({ ...seen, owner: { kind: 'ReplicaSet', name: 'web-1' } });
    expect(await ownerNow()).toEqual(['ReplicaSet', 'web-1']);
    await tell({ ...seen, owner: { kind: 'Deployment', name: 'web' } });
    await tell({ ...seen, owner: null });
    expect(await ownerNow()).toEqual(['Deployment', 'web']);
  });

  it('by memory tells the peak of the ten minutes before it, any other tells none', async () => {
    const { reports } = db.storage().kubernetes;
    const hash = randomBytes(32);
    const node = await reports.enrolNode(cluster.agent, { name: 'node-1', hostname: 'n', tokenHash: hash }, NOW);
    const peaks: [secondsBefore: number, bytes: number][] = [
      [601, 4000],
      [599, 2000],
      [60, 3000],
      [-61, 5000],
    ];
    for (const [before, bytes] of peaks) {
      const part = kube.nodePart([pod]);
      const pods = part.pods.map((one) => ({ ...one, memory_working_set_bytes: bytes }));
      await writeNode(db, node?.serverId ?? '', (seen.at - before) * 1000, { ...part, pods });
    }
    await tell(seen, kube.endOf(pod, 1, { at: seen.at, reason: 'Error', exit_code: 1 }));
    expect((await told()).map(({ reason, memoryPeakBytes }) => [reason, memoryPeakBytes])).toEqual([
      ['Error', null],
      ['OOMKilled', 3000],
    ]);
  });
});
