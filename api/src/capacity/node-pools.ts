import type { StoredNode, StoredPod } from './types.ts';

/** Node pools by the labels that providers and autoscalers set. */

const POOL_LABELS = [
  'karpenter.sh/nodepool',
  'cloud.google.com/gke-nodepool',
  'eks.amazonaws.com/nodegroup',
  'alpha.eksctl.io/nodegroup-name',
  'kubernetes.azure.com/agentpool',
  'doks.digitalocean.com/node-pool',
  'k8s.scaleway.com/pool-name',
  'lke.linode.com/pool-id',
  'oke.oraclecloud.com/pool.name',
  'hcloud/node-group',
  'node.gardener.cloud/worker-group',
  'worker.gardener.cloud/pool',
  'node-pool',
  'nodepool',
] as const;
/** Karpenter adds nodes to each of its pools. */
const SCALED_LABEL = 'karpenter.sh/nodepool';
const AUTOSCALER = /cluster-autoscaler|karpenter/;

/** Returns the pool of a node; null where no label names one. */
export function poolOf({ labels }: Pick<StoredNode, 'labels'>): { name: string; label: string } | null {
  const label = POOL_LABELS.find((one) => (labels[one] ?? '') !== '');
  return label === undefined ? null : { name: labels[label] ?? '', label };
}

/** Returns the workload that adds nodes by itself; null: none is seen. A provider can run it outside the cluster. */
export function nodeAutoscaler(nodes: readonly StoredNode[], pods: readonly StoredPod[]): string | null {
  const pod = pods.find(({ kind, owner }) => kind === 'Deployment' && AUTOSCALER.test(owner ?? ''));
  if (pod !== undefined) return `${pod.namespace}/${pod.owner ?? ''}`;
  return nodes.some(({ labels }) => (labels[SCALED_LABEL] ?? '') !== '') ? 'Karpenter' : null;
}

export interface PoolNodes {
  name: string;
  label: string;
  nodes: StoredNode[];
  pods: StoredPod[];
}

/** Most pools of a plan; a cluster with more has a pool for each node. */
const MOST_POOLS = 50;

/** Returns the pools with their nodes and the pods on them, by name. A cluster of one pool has none apart. */
export function poolsOf(nodes: readonly StoredNode[], pods: readonly StoredPod[]): PoolNodes[] {
  const pools = new Map<string, PoolNodes>();
  for (const node of nodes) {
    const pool = poolOf(node);
    if (pool === null) continue;
    const known = pools.get(pool.name) ?? { ...pool, nodes: [], pods: [] };
    known.nodes.push(node);
    pools.set(pool.name, known);
  }
  const whole = pools.size === 1 && [...pools.values()][0]?.nodes.length === nodes.length;
  if (whole) return [];
  const poolByNode = new Map(
    [...pools.values()].flatMap((pool) => pool.nodes.map(({ name }) => [name, pool] as const)),
  );
  for (const pod of pods) if (pod.node !== null) poolByNode.get(pod.node)?.pods.push(pod);
  return [...pools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_POOLS);
}
