import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { ownerOf, type Owner } from '../../tenancy/owner.ts';
import { newAccount } from '../../testing/batches.ts';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';
import type { PodFilter } from '../pod-records.ts';

const { NOW, SECONDS } = kube;

describeEachPostgres('kubernetes storage', (db) => {
  let owner: Owner;
  let cluster: kube.TestCluster;
  const views = () => db.storage().kubernetes.views;
  const reports = () => db.storage().kubernetes.reports;
  const all = (parts: Partial<PodFilter> = {}): PodFilter => ({
    owner,
    sort: 'name',
    order: 'asc',
    limit: 100,
    offset: 0,
    ...parts,
  });
  const names = async (parts: Partial<PodFilter> = {}) =>
    (await views().pods(all(parts), NOW)).pods.map(({ object }) => object.name);

  beforeEach(async () => {
    ({ owner, cluster } = await kube.clusterOfItsOwn(db.storage()));
  });

  describe('tokens', () => {
    it('are bound to the cluster that reports first and refused for another', async () => {
      const other = await reports().open(cluster.agent, kube.envelope('another'), NOW);
      expect(other).toEqual({ state: 'other_cluster' });
      const [token] = await db.storage().kubernetes.tokens.list(owner);
      expect(token).toMatchObject({ clusterId: cluster.clusterId, clusterName: 'test', lastFour: 'abcd' });
    });

    it('are revoked by their owner only', async () => {
      const { tokens } = db.storage().kubernetes;
      const stranger = ownerOf(await newAccount(db.storage()));
      expect(await tokens.revoke(stranger, cluster.agent.tokenId)).toBeNull();
      expect(await tokens.find(cluster.tokenHash, NOW)).not.toBeNull();
      expect(await tokens.revoke(owner, cluster.agent.tokenId)).toEqual({ name: expect.any(String) });
      expect(await tokens.find(cluster.tokenHash, NOW)).toBeNull();
    });
  });

  describe('leading collector', () => {
    it('of an older term is refused, unless the newer one fell silent', async () => {
      await reports().open(cluster.agent, kube.envelope(cluster.clusterId, 5), NOW);
      expect(await reports().open(cluster.agent, kube.envelope(cluster.clusterId, 4), NOW + 1000)).toEqual({
        state: 'older_term',
      });
      const later = await reports().open(cluster.agent, kube.envelope(cluster.clusterId, 1), NOW + 61_000);
      expect(later.state).toBe('open');
    });

    it('is asked for a listing until one came in', async () => {
      const open = () => reports().open(cluster.agent, kube.envelope(cluster.clusterId), NOW);
      expect(await open()).toMatchObject({ listingWanted: true });
      await cluster.write(kube.listing({}));
      expect(await open()).toMatchObject({ listingWanted: false });
    });
  });

  describe('objects', () => {
    it('are what the listing and the changes after it say', async () => {
      await cluster.write(
        kube.listing({ nodes: [kube.nodeObject('node-1')], pods: ['a', 'b', 'c'].map((n) => kube.podObject(n)) }),
      );
      await cluster.write(
        kube.item({
          pods: [kube.podObject('b', { phase: 'Failed' }), kube.podObject('d')],
          deleted: { nodes: [], pods: ['uid-a'], workloads: [], volumes: [] },
        }),
      );
      expect(await names()).toEqual(['b', 'c', 'd']);
      expect(await names({ phase: 'Failed' })).toEqual(['b']);
    });

    it('a listing ends what it does not name, of the kinds it covers', async () => {
      await cluster.write(
        kube.listing({ nodes: [kube.nodeObject('node-1')], pods: [kube.podObject('a'), kube.podObject('b')] }),
      );
      const id = randomBytes(16).toString('hex');
      await cluster.write(
        kube.item({ pods: [kube.podObject('b')], listing: { id, complete: true, covers: ['pods'] } }),
      );
      expect(await names()).toEqual(['b']);
      expect(await views().nodes({ owner }, NOW)).toHaveLength(1);
    });

    it('an unfinished listing ends nothing', async () => {
      await cluster.write(kube.listing({ pods: [kube.podObject('a'), kube.podObject('b')] }));
      const id = randomBytes(16).toString('hex');
      await cluster.write(
        kube.item({ pods: [kube.podObject('b')], listing: { id, complete: false, covers: ['pods'] } }),
      );
      expect(await names()).toEqual(['a', 'b']);
    });

    it('of one owner are not there for another', async () => {
      await cluster.write(kube.listing({ nodes: [kube.nodeObject('node-1')], pods: [kube.podObject('a')] }));
      const stranger = ownerOf(await newAccount(db.storage()));
      expect(await views().pods(all({ owner: stranger }), NOW)).toEqual({ pods: [], total: 0 });
      expect(await views().nodes({ owner: stranger }, NOW)).toEqual([]);
      expect(await views().pod({ owner: stranger }, 'shop', 'a', NOW)).toBeNull();
      await expect(views().pods(all({ owner: stranger, clusterId: cluster.clusterId }), NOW)).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  });

  describe('pods', () => {
    beforeEach(async () => {
      await cluster.write(
        kube.listing({
          nodes: [kube.nodeObject('node-1')],
          pods: [
            kube.podObject('a', { namespace: 'data', owner: { kind: 'StatefulSet', name: 'db' } }),
            kube.podObject('b', { owner: null, created_at: SECONDS - 40 * 86_400 }),
            kube.podObject('c', { limits: { cpu_cores: 1, memory_bytes: 2 ** 22 } }),
          ],
          workloads: [
            {
              uid: 'w',
              kind: 'Deployment',
              namespace: 'shop',
              name: 'web',
              created_at: SECONDS,
              desired: 3,
              ready: 1,
              suspended: false,
              last_run_at: null,
            },
            // Another of the name is another.
            {
              uid: 'w2',
              kind: 'StatefulSet',
              namespace: 'shop',
              name: 'web',
              created_at: SECONDS,
              desired: 9,
              ready: 9,
              suspended: false,
              last_run_at: null,
            },
          ],
        }),
      );
      const node = await reports().enrolNode(
        cluster.agent,
        { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) },
        NOW,
      );
      const pods = [kube.podObject('a', { namespace: 'data' }), kube.podObject('b'), kube.podObject('c')];
      await writeNode(db, node?.serverId ?? '', NOW - 30_000, kube.nodePart(pods));
    });

    it('are filtered by every column', async () => {
      expect(await names({ namespace: 'data' })).toEqual(['a']);
      expect(await names({ ownerKind: 'none' })).toEqual(['b']);
      expect(await names({ ownerKind: 'Deployment', ownerName: 'web' })).toEqual(['c']);
      expect(await names({ nodeName: 'node-1' })).toEqual(['a', 'b', 'c']);
      expect(await names({ nodeName: 'node-2' })).toEqual([]);
      expect(await names({ search: 'DB' })).toEqual(['a']);
      expect(await names({ search: "'; DROP TABLE kube_pod; --" })).toEqual([]);
    });

    it('are sorted and paged with the true total, also past the end', async () => {
      expect(await names({ sort: 'cpu', order: 'desc' })).toEqual(['c', 'b', 'a']);
      expect(await names({ sort: 'memory', order: 'asc' })).toEqual(['a', 'b', 'c']);
      expect(await names({ sort: 'age', order: 'desc' })).toEqual(['b', 'a', 'c']);
      const page = await views().pods(all({ sort: 'memory', order: 'desc', limit: 1, offset: 1 }), NOW);
      expect(page.total).toBe(3);
      expect(page.pods.map(({ object }) => object.name)).toEqual(['b']);
      expect(await views().pods(all({ limit: 10, offset: 50 }), NOW)).toEqual({ pods: [], total: 3 });
    });

    it.each(['name', 'namespace', 'node', 'phase', 'memory_percent', 'restarts', 'restarts_24h'] as const)(
      'can be sorted by %s',
      async (sort) => {
        expect((await names({ sort, order: 'desc' })).toSorted()).toEqual(['a', 'b', 'c']);
      },
    );

    it('carry usage with its source and moment', async () => {
      const { pods } = await views().pods(all(), NOW);
      expect(pods[2]?.usage).toEqual({
        source: 'kubelet',
        measuredAt: NOW - 30_000,
        cpuCores: 0.375,
        memoryBytes: 3 * 2 ** 20,
      });
    });

    it('are summed up over the cluster, stale usage left out', async () => {
      const summary = await views().podsSummary({ owner }, NOW);
      expect(summary.phases).toEqual({ Running: 3, Pending: 0, Failed: 0, Succeeded: 0, Unknown: 0 });
      expect(summary.ages).toEqual([0, 2, 0, 0, 1]);
      expect(summary.zombies).toBe(1);
      expect(summary.namespaces).toEqual([
        { clusterId: cluster.clusterId, namespace: 'shop', pods: 2, cpuCores: 0.625, memoryBytes: 5 * 2 ** 20 },
        { clusterId: cluster.clusterId, namespace: 'data', pods: 1, cpuCores: 0.125, memoryBytes: 2 ** 20 },
      ]);
      expect(summary.ownerKinds).toEqual(['Deployment', 'StatefulSet']);
      expect(summary.namespaceNames).toEqual(['data', 'shop']);
      const late = await views().podsSummary({ owner }, NOW + 600_000);
      expect(late.namespaces.map(({ cpuCores }) => cpuCores)).toEqual([null, null]);
    });

    it('are grouped by owner with desired and ready of the workload', async () => {
      const page = { sort: 'pods' as const, order: 'desc' as const, limit: 2, offset: 0 };
      const { owners, total } = await views().owners({ owner, ...page }, NOW);
      expect(total).toBe(3);
      expect(owners).toHaveLength(2);
      const found = await views().owners({ owner, ...page, ownerKind: 'Deployment' }, NOW);
      expect(found.owners).toMatchObject([
        { kind: 'Deployment', name: 'web', pods: 1, desired: 3, ready: 1, cpuCores: 0.375 },
      ]);
      expect(await views().owners({ owner, ...page, offset: 9 }, NOW)).toEqual({ owners: [], total: 3 });
    });

    it('have a history from the node reports, and the same from the rollup', async () => {
      const pod = await views().pod({ owner }, 'shop', 'c', NOW);
      const node = (await views().nodes({ owner }, NOW))[0];
      const pods = [kube.podObject('c')];
      for (let minute = 2; minute < 12; minute += 1)
        await writeNode(db, node?.serverId ?? '', NOW - minute * 60_000, kube.nodePart(pods));
      const range = { from: NOW - 3_600_000, to: NOW, bucketSeconds: 300 };
      const raw = await views().podSeries(pod!, owner, range);
      expect(raw.reduce((sum, { count }) => sum + count, 0)).toBe(11);
      await db.storage().kubernetes.upkeep.rollup(NOW);
      const wide = await views().podSeries(pod!, owner, { ...range, from: NOW - 3 * 86_400_000 });
      // The rollup keeps single precision.
      const rounded = (buckets: typeof raw) =>
        buckets.map((b) => [b.at, b.count, b.cpuCores.avg?.toFixed(5), b.memoryBytes.max]);
      expect(rounded(wide)).toEqual(rounded(raw));
      expect(await db.storage().kubernetes.upkeep.rollup(NOW)).toBe(0);
    });
  });

  describe('ends of containers', () => {
    it('are counted once, however often and by whomever they are told', async () => {
      const pod = kube.restartedPod('a', 2);
      const ends = [kube.endOf(pod, 0), kube.endOf(pod, 1)];
      await cluster.write(kube.listing({ pods: [pod], ends }));
      await cluster.write(kube.listing({ pods: [pod], ends: [kube.endOf(pod, 1), kube.endOf(pod, 1)] }));
      const [found] = (await views().pods(all(), NOW)).pods;
      expect(found).toMatchObject({ restarts: 2, oomKills: 2 });
      expect(found?.lastRestart).toEqual({
        at: (SECONDS - 60) * 1000,
        container: 'app',
        reason: 'OOMKilled',
        exitCode: 137,
      });
    });

    it('that nobody saw are taken from the counts', async () => {
      await cluster.write(kube.listing({ pods: [kube.restartedPod('a', 1)] }));
      await cluster.write(kube.item({ pods: [kube.restartedPod('a', 5)] }));
      await cluster.write(kube.item({ pods: [kube.restartedPod('a', 5)] }));
      const [found] = (await views().pods(all(), NOW)).pods;
      expect(found?.restarts).toBe(5);
    });

    it('of an old pod seen for the first time do not all count as of today', async () => {
      const old = { created_at: SECONDS - 30 * 86_400 };
      const pod = kube.restartedPod('a', 99, old);
      await cluster.write(kube.listing({ pods: [pod], ends: [kube.endOf(pod, 98)] }));
      const [found] = (await views().pods(all(), NOW)).pods;
      expect(found).toMatchObject({ restarts: 1, oomKills: 1 });
      expect(found?.object.restart_count).toBe(99);
    });

    it('outlive their pod in the ranking', async () => {
      const pod = kube.restartedPod('a', 3);
      await cluster.write(kube.listing({ pods: [pod, kube.podObject('b')] }));
      await cluster.write(kube.item({ deleted: { nodes: [], pods: [pod.uid], workloads: [], volumes: [] } }));
      const summary = await views().podsSummary({ owner }, NOW);
      expect(summary.restarts).toBe(3);
      expect(summary.topRestarts).toMatchObject([{ name: 'a', restarts: 3, phase: null, ownerKind: 'Deployment' }]);
      const tomorrow = await views().podsSummary({ owner }, NOW + 86_400_000);
      expect(tomorrow).toMatchObject({ restarts: 0, topRestarts: [] });
    });

    it('tell the peak before an OOM kill', async () => {
      const pod = kube.restartedPod('a', 1);
      await cluster.write(
        kube.listing({ nodes: [kube.nodeObject('node-1')], pods: [pod], ends: [kube.endOf(pod, 0)] }),
      );
      const node = await reports().enrolNode(
        cluster.agent,
        { name: 'node-1', hostname: 'n', tokenHash: randomBytes(32) },
        NOW,
      );
      await writeNode(db, node?.serverId ?? '', NOW - 120_000, kube.nodePart([pod]));
      const record = await views().pod({ owner }, 'shop', 'a', NOW);
      const ends = await views().terminations(record!, owner, NOW - 86_400_000);
      expect(ends).toMatchObject([
        { run: 0, reason: 'OOMKilled', memoryLimitBytes: 2 ** 26, memoryPeakBytes: 2 ** 20 },
      ]);
    });
  });

  describe('nodes', () => {
    it('enrol under one stable server id and become servers', async () => {
      const enrol = () =>
        reports().enrolNode(cluster.agent, { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) }, NOW);
      expect(await enrol()).toBeNull();
      await cluster.write(kube.listing({ nodes: [kube.nodeObject('node-1')] }));
      const [node] = await views().nodes({ owner }, NOW);
      const first = await enrol();
      const second = await enrol();
      expect(first).toEqual({ serverId: node?.serverId });
      expect(second).toEqual(first);
      const servers = await db.storage().servers.listAll(owner);
      expect(servers.map(({ server }) => [server.id, server.isKubernetesNode])).toEqual([[node?.serverId, true]]);
    });

    it('that are scaled away leave an uninstalled server, and bring it back when they return', async () => {
      await cluster.write(kube.listing({ nodes: [kube.nodeObject('node-1')] }));
      const node = { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) };
      await reports().enrolNode(cluster.agent, node, NOW);
      const uninstalledAt = async () => (await db.storage().servers.listAll(owner))[0]?.server.uninstalledAt;
      await cluster.write(kube.listing({}));
      expect(await uninstalledAt()).toBe(NOW);
      expect(await views().nodes({ owner }, NOW)).toEqual([]);
      await cluster.write(kube.item({ nodes: [kube.nodeObject('node-1')] }));
      expect(await uninstalledAt()).toBeNull();
    });

    it('sum up what their pods asked for, finished pods left out', async () => {
      const amounts = {
        requests: { cpu_cores: 0.5, memory_bytes: 1000 },
        limits: { cpu_cores: 1, memory_bytes: null },
      };
      await cluster.write(
        kube.listing({
          nodes: [kube.nodeObject('node-1')],
          pods: [
            kube.podObject('a', amounts),
            kube.podObject('b', amounts),
            kube.podObject('c', { ...amounts, phase: 'Succeeded' }),
          ],
        }),
      );
      const [node] = await views().nodes({ owner }, NOW);
      expect(node).toMatchObject({
        pods: 3,
        requests: { cpuCores: 1, memoryBytes: 2000 },
        limits: { cpuCores: 2, memoryBytes: null },
      });
    });

    it('metrics-server fills in where no agent speaks, and gives way where one does', async () => {
      const usage = (at: number, cpu: number) => [
        {
          node_name: 'node-1',
          measured_at: at,
          window_seconds: 15,
          cpu_cores: cpu,
          memory_working_set_bytes: 2 ** 30,
          pods: [{ uid: 'uid-a', cpu_cores: cpu, memory_working_set_bytes: 500 }],
        },
      ];
      await cluster.write(
        kube.listing({
          nodes: [kube.nodeObject('node-1')],
          pods: [kube.podObject('a')],
          usage: usage(SECONDS - 40, 2),
        }),
      );
      const read = async () => (await views().pods(all(), NOW)).pods[0]?.usage;
      expect(await read()).toMatchObject({ source: 'metrics-server', cpuCores: 2 });
      const node = await reports().enrolNode(
        cluster.agent,
        { name: 'node-1', hostname: 'n', tokenHash: randomBytes(32) },
        NOW,
      );
      await writeNode(db, node?.serverId ?? '', NOW - 30_000, kube.nodePart([kube.podObject('a')]));
      expect(await read()).toMatchObject({ source: 'kubelet', cpuCores: 0.125 });
      await cluster.write(kube.item({ usage: usage(SECONDS - 10, 3) }));
      expect(await read()).toMatchObject({ source: 'kubelet', cpuCores: 0.125 });
      await cluster.write(kube.item({ usage: usage(SECONDS + 600, 4) }));
      expect(await read()).toMatchObject({ source: 'metrics-server', cpuCores: 4 });
    });
  });

  describe('Prometheus', () => {
    const HOUR = 3600;
    /** The hour that ends `hours` before the installation: the node uses one core more in each bucket. */
    const hourBefore = (hours: number, complete = true) =>
      kube.item({
        history: {
          from: SECONDS - (hours + 1) * HOUR,
          to: SECONDS - hours * HOUR,
          complete,
          nodes: [
            {
              node_name: 'node-1',
              cpu_cores: Array.from({ length: 12 }, (_, bucket) => bucket / 8),
              memory_bytes: Array.from({ length: 12 }, () => 2 ** 32),
              pods: ['uid-a', 'uid-gone'],
              pod_cpu_cores: Array.from({ length: 24 }, (_, index) => (index === 3 ? null : 0.25)),
              pod_memory_bytes: Array.from({ length: 24 }, (_, index) => (index === 3 ? null : 1000)),
            },
          ],
        },
      });
    const wanted = async () => {
      const opened = await reports().open(cluster.agent, kube.envelope(cluster.clusterId), NOW);
      return opened.state === 'open' ? opened.historyWanted : opened.state;
    };
    const seriesOf = async (range: { from: number; to: number; bucketSeconds: number }) => {
      const [pod, [node]] = await Promise.all([
        views().pod({ owner }, 'shop', 'a', NOW),
        views().nodes({ owner }, NOW),
      ]);
      if (!pod || !node) throw new Error('not there');
      return { pod: await views().podSeries(pod, owner, range), node: await views().nodeSeries(node, owner, range) };
    };
    const lastHours = (hours: number, bucketSeconds: number) => ({
      from: NOW - hours * HOUR * 1000,
      to: NOW,
      bucketSeconds,
    });
    beforeEach(async () => {
      await cluster.write(kube.listing({ nodes: [kube.nodeObject('node-1')], pods: [kube.podObject('a')] }));
    });

    it('is asked for the seven days before the installation, newest first, until all of it was told', async () => {
      const from = SECONDS - 7 * 86_400;
      expect(await wanted()).toEqual({ from, to: SECONDS });
      await cluster.write(hourBefore(0, false));
      expect(await wanted()).toEqual({ from, to: SECONDS });
      await cluster.write(hourBefore(0));
      expect(await wanted()).toEqual({ from, to: SECONDS - HOUR });
      // An older leader's window that arrives late takes nothing back.
      await cluster.write(hourBefore(5), hourBefore(0));
      expect(await wanted()).toEqual({ from, to: SECONDS - 6 * HOUR });
      await cluster.write(kube.item({ history: { from, to: from + 300, complete: true, nodes: [] } }));
      expect(await wanted()).toBeNull();
    });

    it('fills charts of every width, marked, and twice is once', async () => {
      await cluster.write(hourBefore(0), hourBefore(0));
      const fine = await seriesOf(lastHours(1, 60));
      expect(fine.node).toHaveLength(60);
      expect(fine.node.slice(5, 11).map(({ cpuCores }) => cpuCores.avg)).toEqual([
        ...Array.from({ length: 5 }, () => 0.125),
        0.25,
      ]);
      expect(fine.node.every(({ isTold }) => isTold)).toBe(true);
      expect(fine.pod).toHaveLength(55);
      const even = await seriesOf(lastHours(1, 120));
      expect(even.node).toHaveLength(30);
      const usual = await seriesOf(lastHours(24, 300));
      expect(usual.node.map(({ count }) => count)).toEqual(Array.from({ length: 12 }, () => 1));
      const coarse = await seriesOf(lastHours(24 * 7, 1800));
      expect(coarse.pod).toMatchObject([
        { at: NOW - HOUR * 1000, count: 5, isTold: true, cpuCores: { avg: 0.25, min: null, max: null } },
        { at: NOW - 1_800_000, count: 6, isTold: true, memoryBytes: { avg: 1000 } },
      ]);
    });

    it('never stands against what was measured here', async () => {
      const node = await reports().enrolNode(
        cluster.agent,
        { name: 'node-1', hostname: 'n', tokenHash: randomBytes(32) },
        NOW,
      );
      const at = NOW - 2 * HOUR * 1000;
      await cluster.write(hourBefore(1));
      await writeNode(db, node?.serverId ?? '', at + 60_000, kube.nodePart([kube.podObject('a')]));
      await db.storage().kubernetes.upkeep.rollup(NOW);
      await cluster.write(hourBefore(1));
      const { pod } = await seriesOf({ from: at, to: at + 600_000, bucketSeconds: 300 });
      expect(pod).toMatchObject([
        { isTold: false, count: 1, cpuCores: { avg: 0.125 } },
        { isTold: true, count: 1, cpuCores: { avg: 0.25 } },
      ]);
      expect(await db.storage().kubernetes.upkeep.rollup(NOW)).toBe(0);
    });

    it('gives way to every better source of usage and fills in where there is none', async () => {
      const usage = (source: 'prometheus' | undefined, at: number, cpu: number) =>
        kube.item({
          usage: [
            {
              node_name: 'node-1',
              ...(source ? { source } : {}),
              measured_at: at,
              window_seconds: 300,
              cpu_cores: cpu,
              memory_working_set_bytes: 2 ** 30,
              pods: [{ uid: 'uid-a', cpu_cores: cpu, memory_working_set_bytes: 500 }],
            },
          ],
        });
      const read = async () => (await views().pods(all(), NOW)).pods[0]?.usage;
      await cluster.write(usage('prometheus', SECONDS - 90, 1));
      expect(await read()).toMatchObject({ source: 'prometheus', cpuCores: 1, measuredAt: NOW - 90_000 });
      await cluster.write(usage(undefined, SECONDS - 60, 2), usage('prometheus', SECONDS - 30, 3));
      expect(await read()).toMatchObject({ source: 'metrics-server', cpuCores: 2 });
      const [node] = await views().nodes({ owner }, NOW);
      expect(node?.usage).toMatchObject({ source: 'metrics-server', cpuCores: 2 });
      const podsOnly = usage(undefined, SECONDS - 20, 4);
      for (const one of podsOnly.usage ?? []) Object.assign(one, { cpu_cores: null, memory_working_set_bytes: null });
      await cluster.write(podsOnly);
      expect(await read()).toMatchObject({ source: 'metrics-server', cpuCores: 4 });
      const [same] = await views().nodes({ owner }, NOW);
      expect(same?.usage).toMatchObject({ cpuCores: 2, memoryBytes: 2 ** 30 });
    });

    it('restarts from before the installation count once, whoever else tells of them', async () => {
      const old = { created_at: SECONDS - 30 * 86_400 };
      const unseen = (run: number, at: number) =>
        kube.endOf(kube.podObject('b'), run, { at, reason: null, exit_code: null, memory_limit_bytes: null });
      const told = kube.item({
        ends: [unseen(96, SECONDS - 7200), unseen(97, SECONDS - 3600), unseen(98, SECONDS - 60)],
      });
      await cluster.write(kube.listing({ pods: [kube.restartedPod('b', 99, old)] }), told);
      await cluster.write(kube.item({ ends: [kube.endOf(kube.podObject('b'), 98)] }), told);
      const [found] = (await views().pods(all({ search: 'b' }), NOW)).pods;
      expect(found).toMatchObject({ restarts: 3, oomKills: 1 });
    });
  });

  it('events are kept by their uid, the newest state stands', async () => {
    const event = {
      uid: 'e1',
      type: 'Warning',
      reason: 'BackOff',
      message: 'Back-off restarting',
      namespace: 'shop',
      kind: 'Pod',
      name: 'a',
      object_uid: null,
      component: 'kubelet',
      count: 1,
      first_at: SECONDS - 100,
      last_at: SECONDS - 100,
    };
    await cluster.write(
      kube.listing({ events: [event] }),
      kube.item({ events: [{ ...event, count: 7, last_at: SECONDS - 5 }] }),
    );
    const page = { from: NOW - 3_600_000, limit: 10, offset: 0 };
    const found = await views().events({ owner, ...page, type: 'Warning', kind: 'Pod', name: 'a' });
    expect(found).toMatchObject({ total: 1, events: [{ count: 7, lastAt: (SECONDS - 5) * 1000 }] });
    expect((await views().events({ owner, ...page, type: 'Normal' })).total).toBe(0);
  });

  it('claims show the use the kubelet tells', async () => {
    const volume = {
      uid: 'v',
      namespace: 'shop',
      name: 'data',
      phase: 'Bound',
      storage_class: 'fast',
      capacity_bytes: 100,
      requested_bytes: 100,
    };
    await cluster.write(
      kube.listing({
        nodes: [kube.nodeObject('node-1')],
        pods: [kube.podObject('a', { claims: ['data'] })],
        volumes: [volume],
      }),
    );
    const node = await reports().enrolNode(
      cluster.agent,
      { name: 'node-1', hostname: 'n', tokenHash: randomBytes(32) },
      NOW,
    );
    const use = {
      namespace: 'shop',
      claim: 'data',
      used_bytes: 40,
      capacity_bytes: 90,
      inodes_used: null,
      inodes_total: null,
    };
    await writeNode(db, node?.serverId ?? '', NOW, kube.nodePart([], { volumes: [use] }));
    const pod = await views().pod({ owner }, 'shop', 'a', NOW);
    expect(await views().volumes(pod!, owner)).toEqual([
      { claim: 'data', phase: 'Bound', storageClass: 'fast', capacityBytes: 90, usedBytes: 40 },
    ]);
    const late = { ...use, used_bytes: 20, capacity_bytes: 80 };
    await writeNode(db, node?.serverId ?? '', NOW - 30_000, kube.nodePart([], { volumes: [late] }));
    expect(await views().volumes(pod!, owner)).toMatchObject([{ capacityBytes: 90, usedBytes: 40 }]);
  });
});
