import { readClusterParts } from '../../../api/src/capacity/read-stored-parts.ts';
import { loseNode } from '../../../api/src/capacity/scheduler/loss.ts';
import { ClusterModel } from '../../../api/src/capacity/scheduler/model.ts';
import { addPod, store, type Stored } from './judge.ts';
import type { KubernetesObject, RandomCluster } from './random-cluster.ts';
import type { RealCluster } from './real-cluster.ts';

/** Loses a node of a cluster with the real scheduler, and compares the pods that stay pending with the forecast. */
export interface ComparedLoss {
  node: string;
  /** Pods on the node. */
  pods: number;
  forecast: string[];
  real: string[];
}

interface Placed {
  object: KubernetesObject;
  stored: Stored['pods'][number];
}

/** Takes the node with most pods away. The pods are made anew in the order in which they were made. */
export async function compareLoss(real: RealCluster, { nodes, volumes, pods }: RandomCluster): Promise<ComparedLoss> {
  const stored = store(await real.make(nodes, volumes));
  const placed: Placed[] = [];
  for (const pod of pods) {
    const { object, verdict } = await real.place(pod);
    if (verdict.node === null) continue;
    placed.push({ object: pod, stored: addPod(stored, object, verdict.node) });
  }
  const byNode = Map.groupBy(placed, (one) => one.stored.node);
  const [largest] = [...byNode].toSorted((a, b) => b[1].length - a[1].length);
  const [node, lost] = largest ?? [];
  if (node === undefined || node === null || lost === undefined) throw new Error('no pod was placed');
  const forecast = forecastOf(stored, node);
  await real.loseNode(
    node,
    lost.map((one) => one.stored),
    nodes.length - 1,
  );
  const again = lost.map(({ object }) => ({
    ...object,
    metadata: { ...object.metadata, name: `${object.metadata.name}-again` },
  }));
  for (const object of again) await real.place(object, { isKept: true });
  const names = lost.map((one) => ({ namespace: one.stored.namespace, name: `${one.stored.name}-again` }));
  const pending = (await real.stillPending(names)).map((name) => name.replace(/-again$/, ''));
  await real.clear();
  return { node, pods: lost.length, forecast: forecast.toSorted(), real: pending.toSorted() };
}

/** Returns the names of the pods that the model leaves pending without the node. */
function forecastOf(stored: Stored, name: string): string[] {
  const cluster = readClusterParts({ ...stored, readsVolumes: true });
  const model = new ClusterModel(
    cluster.nodes,
    cluster.profiles,
    cluster.pods.flatMap(({ profile, node }) => (node === null ? [] : [{ profile, node }])),
  );
  const node = cluster.nodes.findIndex((one) => one.name === name);
  const own = cluster.pods.filter((one) => one.node === node).map((one) => ({ ...one, endsWithNode: false }));
  const { pending, unknown } = loseNode(model, node, own);
  if (unknown.length > 0) throw new Error(`${String(unknown.length)} pods are not modelled`);
  return pending.map((one) => one.stored.name);
}

/** Returns the table of the losses, and a line for each difference. */
export function lossReport(losses: readonly ComparedLoss[]): string[] {
  const sum = (of: (one: ComparedLoss) => number): number => losses.reduce((total, one) => total + of(one), 0);
  const isEqual = ({ forecast, real }: ComparedLoss): boolean => forecast.join() === real.join();
  const agreeing = sum(({ pods, forecast, real }) => pods - differenceOf(forecast, real).length);
  const row = [
    losses.length,
    sum(({ pods }) => pods),
    sum(({ forecast }) => forecast.length),
    sum(({ real }) => real.length),
    losses.filter(isEqual).length,
    agreeing,
  ];
  return [
    '| clusters | pods of the lost nodes | pending, forecast | pending, real | equal sets | equal pods |',
    '|---|---|---|---|---|---|',
    `| ${row.join(' | ')} |`,
    ...losses
      .filter((one) => !isEqual(one))
      .map(({ node, forecast, real }) => `difference of ${node}: ${differenceOf(forecast, real).join(', ')}`),
  ];
}

const differenceOf = (a: readonly string[], b: readonly string[]): string[] => [
  ...a.filter((one) => !b.includes(one)).map((one) => `${one} only forecast`),
  ...b.filter((one) => !a.includes(one)).map((one) => `${one} only real`),
];
