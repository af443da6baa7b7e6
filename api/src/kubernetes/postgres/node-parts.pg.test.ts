import { randomBytes } from 'node:crypto';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import { beforeEach, expect, it } from 'vitest';
import * as kube from '../../testing/kubernetes.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { writeNode } from '../../testing/node-report.ts';

const { NOW, item, nodeObject, podObject } = kube;

describeEachPostgres('containers in a report of a node agent', (db) => {
  let cluster: kube.TestCluster;
  let serverId: string;
  const readings = () =>
    db.sql(
      `SELECT ARRAY(SELECT p.name FROM unnest(r.pods) WITH ORDINALITY AS u(key, i) JOIN kube_pod p ON p.key = u.key ORDER BY i) AS pods,
         r.containers, r.cpu_cores, r.memory_bytes
       FROM capacity_reading r JOIN kube_node n ON n.key = r.node_key WHERE n.cluster_key = $1 ORDER BY r.ts`,
      [cluster.clusterKey],
    );

  beforeEach(async () => {
    ({ cluster } = await kube.clusterOfItsOwn(db.storage()));
    const { reports } = db.storage().kubernetes;
    await reports.write(
      cluster.clusterKey,
      item({ nodes: [nodeObject('node-1')], pods: [podObject('a'), podObject('b')] }),
      NOW,
    );
    const node = { name: 'node-1', hostname: 'node-1', tokenHash: randomBytes(32) };
    const enrolled = await reports.enrolNode(cluster.agent, node, NOW);
    serverId = enrolled?.serverId ?? '';
  });

  type Containers = NonNullable<NodePart['pods'][number]['containers']>;
  const partOf = (pods: Record<string, Containers | null>): NodePart => {
    const part = kube.nodePart(Object.keys(pods).map((name) => podObject(name)));
    return {
      ...part,
      pods: part.pods.map((pod) => {
        const containers = pods[pod.name];
        return containers ? { ...pod, containers } : pod;
      }),
    };
  };
  const app = { name: 'app', cpu_cores: 0.5, memory_working_set_bytes: 1024 };

  it('are stored in one row, and a replay of the report adds none', async () => {
    const sidecar = { name: 'sidecar', cpu_cores: null, memory_working_set_bytes: 512 };
    const part = partOf({ a: [app, sidecar], foreign: [app], b: [app] });
    await writeNode(db, serverId, NOW, part);
    await writeNode(db, serverId, NOW, part);
    expect(await readings()).toEqual([
      {
        pods: ['a', 'a', 'b'],
        containers: ['app', 'sidecar', 'app'],
        cpu_cores: [0.5, null, 0.5],
        memory_bytes: [1024, 512, 1024],
      },
    ]);
  });

  it('of an older agent are absent, and no row is stored', async () => {
    await writeNode(db, serverId, NOW, partOf({ a: null }));
    expect(await readings()).toEqual([]);
  });
});
