import { describe, expect, it } from 'vitest';
import { nodeAutoscaler, poolOf, poolsOf } from './node-pools.ts';
import type { StoredNode, StoredPod } from './types.ts';

const node = (name: string, labels: Record<string, string>): StoredNode =>
  ({ name, labels: { 'kubernetes.io/hostname': name, ...labels } }) as unknown as StoredNode;
const pod = (owner: string, on: string | null = 'a-1', kind = 'Deployment'): StoredPod =>
  ({ namespace: 'kube-system', owner, kind, node: on }) as unknown as StoredPod;
const POOL = 'cloud.google.com/gke-nodepool';

describe('node pools', () => {
  it.each([
    [{ 'eks.amazonaws.com/nodegroup': 'web' }, { name: 'web', label: 'eks.amazonaws.com/nodegroup' }],
    [{ 'karpenter.sh/nodepool': 'spot' }, { name: 'spot', label: 'karpenter.sh/nodepool' }],
    [{ [POOL]: '' }, null],
    [{ 'topology.kubernetes.io/zone': 'a' }, null],
  ])('of a node with %j is %j', (labels, pool) => {
    expect(poolOf(node('n', labels as Record<string, string>))).toEqual(pool);
  });

  it('hold their nodes and the pods on these', () => {
    const nodes = [
      node('b-1', { [POOL]: 'b' }),
      node('a-1', { [POOL]: 'a' }),
      node('a-2', { [POOL]: 'a' }),
      node('x', {}),
    ];
    const pools = poolsOf(nodes, [pod('api'), pod('api', 'a-2'), pod('api', 'x'), pod('api', null)]);
    expect(pools.map(({ name, nodes: own, pods }) => [name, own.map((one) => one.name), pods.length])).toEqual([
      ['a', ['a-1', 'a-2'], 2],
      ['b', ['b-1'], 0],
    ]);
  });

  it('are not apart where one has all nodes, or none is named', () => {
    expect(poolsOf([node('a-1', { [POOL]: 'a' }), node('a-2', { [POOL]: 'a' })], [])).toEqual([]);
    expect(poolsOf([node('a-1', {})], [])).toEqual([]);
  });
});

describe('an autoscaler of nodes', () => {
  it.each<[string, StoredNode[], StoredPod[], string | null]>([
    ['a deployment', [], [pod('cluster-autoscaler')], 'kube-system/cluster-autoscaler'],
    ['one of a chart', [], [pod('prod-aws-cluster-autoscaler')], 'kube-system/prod-aws-cluster-autoscaler'],
    ['nodes of Karpenter', [node('a', { 'karpenter.sh/nodepool': 'spot' })], [], 'Karpenter'],
    ['a job of that name', [], [pod('karpenter', 'a-1', 'Job')], null],
    ['nothing', [node('a', { [POOL]: 'a' })], [pod('api')], null],
  ])('is seen by %s', (_name, nodes, pods, expected) => {
    expect(nodeAutoscaler(nodes, pods)).toBe(expected);
  });
});
