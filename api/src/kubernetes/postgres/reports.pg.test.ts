import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Owner } from '../../tenancy/owner.ts';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';
import { kubeletParts } from './reports.ts';

const { NOW, SECONDS } = kube;

describeEachPostgres('what a cluster reports', (db) => {
  let owner: Owner;
  let cluster: kube.TestCluster;
  const { nodeObject, podObject, item, listing } = kube;
  const views = () => db.storage().kubernetes.views;
  const reports = () => db.storage().kubernetes.reports;
  const write = (one: Parameters<kube.TestCluster['write']>[0], now = NOW) =>
    reports().write(cluster.clusterKey, one, now);
  const podNames = async () => {
    const { pods } = await views().pods({ owner, sort: 'name', order: 'asc', limit: 100, offset: 0 }, NOW);
    return pods.map(({ object }) => object.name);
  };
  const enrol = (tokenHash: Buffer = randomBytes(32), now = NOW) =>
    reports().enrolNode(cluster.agent, { name: 'node-1', hostname: 'node-1', tokenHash }, now);

  beforeEach(async () => {
    ({ owner, cluster } = await kube.clusterOfItsOwn(db.storage()));
  });

  describe('a request', () => {
    it('tells the version after an upgrade, and keeps the name where a later one tells none', async () => {
      const { cluster: told, ...rest } = kube.envelope(cluster.clusterId);
      const upgraded = { ...rest, cluster: { ...told, name: null, version: 'v1.35.0' } };
      await reports().open(cluster.agent, upgraded, NOW + 1000);
      expect(await views().clusters(owner)).toMatchObject([
        { name: 'test', version: 'v1.35.0', firstSeenAt: NOW, lastSeenAt: NOW + 1000 },
      ]);
    });

    it('binds its token once: who was let in before that cannot take it to another cluster', async () => {
      const early = { ...cluster.agent, clusterKey: null };
      await reports().open(early, kube.envelope(`${cluster.clusterId}-2`), NOW);
      const [token] = await db.storage().kubernetes.tokens.list(owner);
      expect(token?.clusterId).toBe(cluster.clusterId);
    });

    it('is asked for a listing until a whole one came, not after its first part', async () => {
      const wanted = async () => {
        const opened = await reports().open(cluster.agent, kube.envelope(cluster.clusterId), NOW);
        return opened.state === 'open' && opened.listingWanted;
      };
      const part = { id: 'of-two-parts', covers: ['pods' as const] };
      await write(item({ pods: [podObject('a')], listing: { ...part, complete: false } }));
      expect(await wanted()).toBe(true);
      await write(item({ pods: [podObject('b')], listing: { ...part, complete: true } }));
      expect(await wanted()).toBe(false);
    });
  });

  it('stores a pod whose names are all as long as they may be', async () => {
    // At random: what is regular would be packed.
    const long = (length = 253) => randomBytes(length).toString('hex').slice(0, length);
    const { uid, name } = { uid: long(128), name: long() };
    const object = {
      ...podObject(name),
      uid,
      namespace: long(),
      node_name: long(),
      owner: { kind: long(), name: long() },
    };
    await write(item({ pods: [object] }));
    expect(await podNames()).toEqual([name]);
  });

  describe('a listing', () => {
    it('in two parts keeps what changes between them', async () => {
      const part = { id: 'of-two-parts', covers: ['nodes' as const, 'pods' as const] };
      await write(
        item({ nodes: [nodeObject('node-1')], pods: [podObject('a')], listing: { ...part, complete: false } }),
      );
      await write(item({ nodes: [nodeObject('node-1')], pods: [podObject('a', { phase: 'Failed' })] }));
      await write(item({ pods: [podObject('b')], listing: { ...part, complete: true } }));
      expect(await podNames()).toEqual(['a', 'b']);
      expect(await views().nodes({ owner }, NOW)).toHaveLength(1);
    });

    it('says again what is gone without making it go again', async () => {
      await write(listing({ nodes: [nodeObject('node-1')], pods: [podObject('a')] }));
      await enrol();
      const goneAt = async () => {
        const [row] = await db.sql<{ pod: Date; node: Date }>(
          `SELECT p.gone_at AS pod, n.gone_at AS node FROM kube_pod p JOIN kube_node n USING (cluster_key)
             WHERE cluster_key = $1`,
          [cluster.clusterKey],
        );
        return [row?.pod.getTime(), row?.node.getTime()];
      };
      for (const at of [NOW + 1000, NOW + 2000]) {
        await write(listing({}), at);
        expect(await goneAt()).toEqual([NOW + 1000, NOW + 1000]);
      }
      const deleted = { nodes: ['uid-node-1'], pods: ['uid-a'], workloads: [], volumes: [] };
      await write(item({ deleted }), NOW + 3000);
      expect(await goneAt()).toEqual([NOW + 1000, NOW + 1000]);
      const [entry] = await db.storage().servers.listAll(owner);
      expect(entry?.server.uninstalledAt).toBe(NOW + 1000);
      expect(await views().clusters(owner)).toMatchObject([{ nodes: 0, pods: 0 }]);
    });
  });

  describe('a node that enrols', () => {
    beforeEach(() => write(listing({ nodes: [nodeObject('node-1')] })));
    const ofToken = async (tokenHash: Buffer) => (await db.storage().agents.findByToken(tokenHash)).state;

    it('again has one token: the old one is dead', async () => {
      const [first, second] = [randomBytes(32), randomBytes(32)];
      await enrol(first);
      expect(await ofToken(first)).toBe('known');
      await enrol(second);
      expect([await ofToken(first), await ofToken(second)]).toEqual(['unknown', 'known']);
    });

    it('again keeps the moment of the first time', async () => {
      await enrol(undefined, NOW);
      await enrol(undefined, NOW + 60_000);
      expect(await views().nodes({ owner }, NOW)).toMatchObject([{ enrolledAt: NOW }]);
    });

    it('after its server was uninstalled is there again', async () => {
      const enrolled = await enrol();
      await db.sql('UPDATE server SET uninstalled_at = now() WHERE id = $1', [enrolled?.serverId]);
      await enrol();
      const [entry] = await db.storage().servers.listAll(owner);
      expect(entry?.server.uninstalledAt).toBeNull();
    });

    it('under the name of one that is gone is another server', async () => {
      const old = await enrol();
      await write(listing({ nodes: [nodeObject('node-1', { uid: 'uid-new' })] }), NOW + 1000);
      const young = await enrol(undefined, NOW + 2000);
      expect(young?.serverId).not.toBe(old?.serverId);
      expect((await views().nodes({ owner }, NOW)).map(({ serverId }) => serverId)).toEqual([young?.serverId]);
    });
  });

  describe('a figure', () => {
    let serverId: string;
    const usage = async () => {
      const [node] = await views().nodes({ owner }, NOW);
      const { pods } = await views().pods({ owner, sort: 'name', order: 'asc', limit: 1, offset: 0 }, NOW);
      return [node?.usage?.cpuCores, pods[0]?.usage?.cpuCores, node?.agent?.figures?.cpu_cores];
    };
    const measured = (at: number, cpu: number, state: 'ok' | 'unreachable' = 'ok') => {
      const part = kube.nodePart([podObject('a')]);
      const figures = { cpu_cores: cpu, memory_working_set_bytes: 1 } as NonNullable<typeof part.node>;
      const pods = part.pods.map((pod) => ({ ...pod, cpu_cores: cpu }));
      return { at: at / 1000, part: { ...part, node: figures, pods, kubelet: { ...part.kubelet, state } } };
    };
    const kubelets = (...parts: ReturnType<typeof measured>[]) =>
      db.transaction((client) => kubeletParts.write(client, serverId, parts));
    const kubelet = (...of: Parameters<typeof measured>) => kubelets(measured(...of));
    const metricsServer = (at: number, cpu: number) =>
      write(
        item({
          usage: [
            {
              node_name: 'node-1',
              measured_at: at / 1000,
              window_seconds: 15,
              cpu_cores: cpu,
              memory_working_set_bytes: 1,
              pods: [{ uid: 'uid-a', cpu_cores: cpu, memory_working_set_bytes: 1 }],
            },
          ],
        }),
      );

    beforeEach(async () => {
      await write(listing({ nodes: [nodeObject('node-1')], pods: [podObject('a')] }));
      serverId = (await enrol())?.serverId ?? '';
    });

    it('gives way to a newer one of its source, never to an older one', async () => {
      await kubelet(NOW - 60_000, 1);
      await kubelet(NOW - 30_000, 2);
      expect(await usage()).toEqual([2, 2, 2]);
      await kubelet(NOW - 45_000, 3);
      await kubelet(NOW - 30_000, 4);
      expect(await usage()).toEqual([2, 2, 2]);
    });

    it('of several reports in one batch is the newest of the kubelet; each report is in the history', async () => {
      const silent = measured(NOW - 10_000, 4, 'unreachable');
      await kubelets(measured(NOW - 60_000, 1), measured(NOW - 30_000, 2), measured(NOW - 45_000, 3), silent);
      expect(await usage()).toEqual([2, 2, 4]);
      const rows = await db.sql<{ own: number; cpu: number[]; pods: string[] }>(
        `SELECT s.cpu_cores AS own, s.cpu, ARRAY(SELECT uid FROM kube_pod p WHERE p.key = ANY(s.pods)) AS pods
         FROM kube_sample s JOIN kube_node n ON n.key = s.node_key WHERE n.server_id = $1 ORDER BY ts`,
        [serverId],
      );
      expect(rows).toEqual([1, 3, 2].map((cpu) => ({ own: cpu, cpu: [cpu], pods: ['uid-a'] })));
    });

    it('is written for the node before its pods, as the collector of the cluster does', async () => {
      await kubelet(NOW - 60_000, 1);
      const written = await db.transaction(async (client) => {
        await client.query(
          'UPDATE kube_node_usage SET cpu_cores = 5 WHERE node_key = (SELECT key FROM kube_node WHERE server_id = $1)',
          [serverId],
        );
        const done = kubelet(NOW - 30_000, 2);
        await vi.waitFor(async () => {
          const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          expect(await db.sql(waiting, [])).toHaveLength(1);
        });
        // A writer that had the pods already would wait for this transaction, and this one for it.
        await client.query('SELECT FROM kube_pod_usage FOR UPDATE NOWAIT');
        return { done };
      });
      await written.done;
      expect(await usage()).toEqual([2, 2, 2]);
    });

    it('of metrics-server gives way to its newer one too', async () => {
      await metricsServer(NOW - 60_000, 1);
      await metricsServer(NOW - 30_000, 2);
      await metricsServer(NOW - 45_000, 3);
      expect((await usage()).slice(0, 2)).toEqual([2, 2]);
    });

    it('of a kubelet that did not answer is none, and the lower rung keeps a history of the node', async () => {
      const samples = async () => {
        const rows = await db.sql<{ source: number }>(
          'SELECT s.source FROM kube_sample s JOIN kube_node n ON n.key = s.node_key WHERE n.server_id = $1 ORDER BY s.ts',
          [serverId],
        );
        return rows.map(({ source }) => source);
      };
      await kubelet(NOW - 50_000, 1, 'unreachable');
      expect((await usage()).slice(0, 2)).toEqual([undefined, undefined]);
      await metricsServer(NOW - 40_000, 2);
      expect(await samples()).toEqual([2]);
      await kubelet(NOW - 30_000, 3);
      await metricsServer(NOW - 20_000, 4);
      expect(await samples()).toEqual([2, 1]);
      // An agent that fell silent has said its last word: the node's history goes on without it.
      await reports().write(
        cluster.clusterKey,
        item({
          usage: [
            {
              node_name: 'node-1',
              measured_at: SECONDS + 600,
              window_seconds: 15,
              cpu_cores: 5,
              memory_working_set_bytes: 1,
              pods: [],
            },
          ],
        }),
        NOW + 600_000,
      );
      expect(await samples()).toEqual([2, 1, 2]);
    });

    it('of a pod is that of its uid, and of its name only where no uid fits: static pods have two', async () => {
      await write(item({ deleted: { nodes: [], pods: ['uid-a'], workloads: [], volumes: [] } }));
      await write(item({ pods: [podObject('a', { uid: 'uid-young' })] }));
      const figureOf = async (uid: string) => {
        const [row] = await db.sql<{ cpu_cores: number }>(
          `SELECT u.cpu_cores FROM kube_pod p JOIN kube_pod_usage u ON u.pod_key = p.key
             WHERE p.cluster_key = $1 AND p.uid = $2`,
          [cluster.clusterKey, uid],
        );
        return row?.cpu_cores;
      };
      // A late report of the one that is gone.
      await kubelet(NOW - 60_000, 1);
      expect([await figureOf('uid-a'), await figureOf('uid-young')]).toEqual([1, undefined]);
      const part = kube.nodePart([podObject('a', { uid: 'uid-in-the-kubelet' })]);
      await writeNode(db, serverId, NOW - 30_000, part);
      expect([await figureOf('uid-a'), await figureOf('uid-young')]).toEqual([1, 0.125]);
    });
  });
});
