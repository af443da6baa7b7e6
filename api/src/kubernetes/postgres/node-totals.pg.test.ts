import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Owner } from '../../tenancy/owner.ts';
import { rounded } from '../../http/units.ts';
import { meanOf } from '../../servers/fleet.ts';
import {
  clusterOfItsOwn,
  item,
  listing,
  nodeObject,
  nodePart,
  NOW,
  type TestCluster,
} from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';
import { nodeFigures } from '../cluster-state.ts';

const NAMES = ['node-1', 'node-2', 'node-3', 'node-10'];
const RUNS = 25;

const ages = fc.constantFrom(0, 1000, 179_999, 180_000, 600_000);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 3 });
const percent = maybe(fc.integer({ min: 0, max: 100_000 }).map((n) => n / 1000));
const readings = fc.record({
  sample: maybe(fc.record({ age: ages, cpu: percent, memory: percent })),
  usage: maybe(
    fc.record({
      age: ages,
      source: fc.constantFrom(1, 2, 3),
      cores: maybe(fc.integer({ min: 0, max: 4000 }).map((n) => n / 1000)),
      bytes: maybe(fc.integer({ min: 0, max: 2 ** 33 })),
    }),
  ),
  capacity: fc.constantFrom(null, 0, 3, 4),
  ready: fc.constantFrom(true, false, null),
});
type Readings = typeof readings extends fc.Arbitrary<infer T> ? T : never;

describeEachPostgres('sums over nodes', (db) => {
  let owner: Owner;
  let cluster: TestCluster;
  let ids: string[];
  const views = () => db.storage().kubernetes.views;
  const store = async (name: string, id: string, { sample, usage, capacity, ready }: Readings) => {
    const object = nodeObject(name, {
      ready,
      capacity: {
        cpu_cores: capacity,
        memory_bytes: capacity && capacity * 2 ** 31,
        ephemeral_bytes: null,
        pods: null,
      },
    });
    await db.sql('UPDATE kube_node SET object = $2 WHERE server_id = $1', [id, JSON.stringify(object)]);
    await db.sql('DELETE FROM kube_node_usage USING kube_node n WHERE node_key = n.key AND n.server_id = $1', [id]);
    await db.sql('DELETE FROM server_latest USING server s WHERE server_key = s.key AND s.id = $1', [id]);
    if (usage)
      await db.sql('INSERT INTO kube_node_usage SELECT key, $2, $3, $4, $5 FROM kube_node WHERE server_id = $1', [
        id,
        usage.source,
        new Date(NOW - usage.age),
        usage.cores,
        usage.bytes,
      ]);
    if (sample)
      await db.sql(
        `INSERT INTO server_latest (server_key, sample_at, cpu_percent, memory_percent)
         SELECT key, $2, $3, $4 FROM server WHERE id = $1`,
        [id, new Date(NOW - sample.age), sample.cpu, sample.memory],
      );
  };

  beforeAll(async () => {
    ({ owner, cluster } = await clusterOfItsOwn(db.storage()));
    await cluster.write(listing({ nodes: NAMES.map((name) => nodeObject(name)) }));
    ids = [];
    for (const name of NAMES) {
      const node = { name, hostname: name, tokenHash: randomBytes(32) };
      ids.push((await db.storage().kubernetes.reports.enrolNode(cluster.agent, node, NOW))?.serverId ?? '');
    }
  });

  it('follow the ladder of each node, to the last digit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(readings, readings, readings, readings), async (all) => {
        for (const [index, one] of all.entries()) await store(NAMES[index] ?? '', ids[index] ?? '', one);
        const nodes = await views().rankedNodes({ owner }, false);
        const figures = nodes.map((node) => nodeFigures(node, NOW));
        const known = figures.flatMap(({ cpu }) => (cpu.source === null ? [] : [cpu]));
        const totals = await views().nodeTotals({ owner }, NOW);
        expect({ ...totals, sources: new Set(totals.sources) }).toEqual({
          nodes: NAMES.length,
          ready: nodes.filter(({ object }) => object.ready === true).length,
          cpuPercent: meanOf(figures.map(({ cpu }) => rounded(cpu.value))),
          memoryPercent: meanOf(figures.map(({ memory }) => rounded(memory.value))),
          sources: new Set(known.map(({ source }) => source)),
          oldestAt:
            known.length === 0 ? null : NOW - Math.max(...known.map(({ ageSeconds }) => ageSeconds ?? 0)) * 1000,
          first: known.length === 0 ? nodes[0] : null,
          notReady: nodes
            .filter(({ object }) => object.ready !== true)
            .map(({ object, serverId }) => ({ name: object.name, serverId, reason: 'KubeletReady' })),
        });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('are of no node where there is none', async () => {
    const other = await clusterOfItsOwn(db.storage());
    expect(await views().nodeTotals({ owner: other.owner }, NOW)).toEqual({
      nodes: 0,
      ready: 0,
      cpuPercent: null,
      memoryPercent: null,
      sources: [],
      oldestAt: null,
      first: null,
      notReady: [],
    });
  });

  it('name failing kubelets in order, and one that reads well', async () => {
    const write = async (index: number, parts: Parameters<typeof nodePart>[1]) =>
      writeNode(db, ids[index] ?? '', NOW, nodePart([], { node_name: NAMES[index] ?? '', ...parts }));
    const { kubelet } = nodePart([]);
    await write(0, {});
    await write(1, { kubelet_tls_verified: false });
    await write(2, { kubelet: { ...kubelet, state: 'forbidden' } });
    const named = async (limit: number) => {
      const { failing, well } = await views().kubelets({ owner }, limit);
      return [well?.nodeName, ...failing.map(({ nodeName }) => nodeName)];
    };
    expect(await named(10)).toEqual(['node-1', 'node-2', 'node-3']);
    expect(await named(1)).toEqual(['node-1', 'node-2']);
    await cluster.write(item({ deleted: { nodes: ['uid-node-1'], pods: [], workloads: [], volumes: [] } }));
    expect(await named(10)).toEqual([undefined, 'node-2', 'node-3']);
  });
});
