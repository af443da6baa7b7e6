import { randomBytes } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { Agent } from '../../servers/types.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { batchOf, itemOf } from '../../testing/batches.ts';
import { clusterOfItsOwn, listing, nodeObject, nodePart, NOW, podObject } from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

describeEachPostgres('a report of a node', (db) => {
  let owner: Owner;
  let agent: Agent;
  const pod = podObject('a');

  beforeEach(async () => {
    const own = await clusterOfItsOwn(db.storage());
    owner = own.owner;
    await own.cluster.write(listing({ nodes: [nodeObject('node-1')], pods: [pod] }));
    const tokenHash = randomBytes(32);
    await db
      .storage()
      .kubernetes.reports.enrolNode(own.cluster.agent, { name: 'node-1', hostname: 'node-1', tokenHash }, NOW);
    const found = await db.storage().agents.findByToken(tokenHash);
    if (found.state !== 'known') throw new Error(`enrolled, but its token is ${found.state}`);
    agent = found.agent;
  });

  const figures = (cores: number): NonNullable<NodePart['node']> =>
    ({ cpu_cores: cores, memory_working_set_bytes: 1 }) as NonNullable<NodePart['node']>;
  const reportOf = (seq: number, cores: number, parts: Partial<NodePart> = {}) =>
    itemOf(seq, NOW - 600_000 + seq * 60_000, { kubernetes: nodePart([pod], { node: figures(cores), ...parts }) });
  const accept = (...items: ReturnType<typeof itemOf>[]) => db.storage().reports.accept(batchOf(agent, items));
  /** CPU of the host, of its kubelet and of its pod, as the lists show them. */
  const shown = async () => {
    const [node] = await db.storage().kubernetes.views.nodes({ owner }, NOW);
    const { pods } = await db
      .storage()
      .kubernetes.views.pods({ owner, sort: 'name', order: 'asc', limit: 1, offset: 0 }, NOW);
    return [node?.server?.sample?.cpuPercent, node?.usage?.cpuCores, pods[0]?.usage?.cpuCores];
  };
  const samples = () =>
    db.sql<{ cpu_cores: number }>(
      `SELECT s.cpu_cores FROM kube_sample s JOIN kube_node n ON n.key = s.node_key WHERE n.server_id = $1 ORDER BY s.ts`,
      [agent.serverId],
    );

  it('stores the host and its kubelet together', async () => {
    expect(await accept(reportOf(1, 2))).toMatchObject({ outcome: 'stored', storedSeqs: [1] });
    expect(await shown()).toEqual([1, 2, 0.125]);
  });

  it('stores neither where the part of the kubelet fails, and both when it comes again', async () => {
    const refuse = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''disk is full''; END';
      CREATE TRIGGER refuse BEFORE INSERT ON kube_sample FOR EACH STATEMENT EXECUTE FUNCTION refuse()`;
    await db.sql(refuse);
    try {
      await expect(accept(reportOf(1, 2))).rejects.toThrow('disk is full');
      expect(await shown()).toEqual([undefined, undefined, undefined]);
    } finally {
      await db.sql('DROP TRIGGER refuse ON kube_sample; DROP FUNCTION refuse');
    }
    expect(await accept(reportOf(1, 2))).toMatchObject({ storedSeqs: [1] });
    expect(await shown()).toEqual([1, 2, 0.125]);
  });

  it('changes nothing when it comes again', async () => {
    await accept(reportOf(1, 2));
    await db.sql('DELETE FROM kube_sample s USING kube_node n WHERE n.key = s.node_key AND n.server_id = $1', [
      agent.serverId,
    ]);
    expect(await accept(reportOf(1, 2))).toMatchObject({ storedSeqs: [] });
    expect(await samples()).toEqual([]);
  });

  it('of a backlog stores every sample, and shows the newest whatever the order', async () => {
    await accept(reportOf(3, 3), reportOf(1, 1), reportOf(2, 2));
    expect((await samples()).map(({ cpu_cores: cores }) => cores)).toEqual([1, 2, 3]);
    expect(await shown()).toEqual([3, 3, 0.125]);
  });
});
