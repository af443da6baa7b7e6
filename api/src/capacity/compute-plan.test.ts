import { describe, expect, it } from 'vitest';
import { DEFAULT_ADVICE } from './advice.ts';
import { computePlan as planAt } from './compute-plan.ts';
import type { ClusterParts, StoredNode, StoredPod } from './types.ts';

const GB = 2 ** 30;
const NOW = Date.UTC(2026, 0, 31);
const computePlan = (of: ClusterParts) => planAt(of, NOW);
const node = (name: string, parts: Partial<StoredNode> = {}): StoredNode => ({
  name,
  labels: { 'kubernetes.io/hostname': name },
  taints: [],
  unschedulable: false,
  ready: true,
  allocatable: { cpu_cores: 4, memory_bytes: 16 * GB, ephemeral_bytes: 100 * GB, pods: 110 },
  usedCpu: 1,
  usedMemory: 4 * GB,
  usedDisk: 10 * GB,
  ...parts,
});
const pod = (name: string, on: string | null, parts: Partial<StoredPod> = {}): StoredPod => ({
  namespace: 'shop',
  name,
  node: on,
  kind: 'Deployment',
  owner: 'api',
  labels: { app: 'api' },
  cpu: 1,
  memory: 6 * GB,
  usedCpu: 0.5,
  usedMemory: 7 * GB,
  placement: null,
  claims: [],
  createdAt: 1,
  deleting: false,
  unknown: null,
  ...parts,
});
const parts = (more: Partial<ClusterParts> = {}): ClusterParts => ({
  reportsPlacements: true,
  readsVolumes: true,
  nodes: [node('node-1'), node('node-2')],
  pods: [pod('api-1', 'node-1'), pod('api-2', 'node-2'), pod('api-3', 'node-2')],
  placements: [],
  volumes: [],
  usage: [],
  specs: [],
  ooms: [],
  days: [],
  advice: DEFAULT_ADVICE,
  autoscalers: [],
  ...more,
});

describe('a plan', () => {
  it('counts no pod that is being deleted as one that needs another node, but for a StatefulSet', () => {
    const full = [pod('api-2', 'node-2'), pod('api-3', 'node-2')];
    const pendingOf = (kind: string) => {
      const deleted = pod('old-1', 'node-1', { kind, owner: 'old', deleting: true });
      const { loss } = computePlan(parts({ pods: [deleted, ...full] }));
      return loss.find((row) => row.node === 'node-1')?.pending;
    };
    expect(['Deployment', 'Job', 'StatefulSet'].map(pendingOf)).toEqual([0, 0, 1]);
  });

  it('says what the other nodes lack, not the one that is lost', () => {
    const whyWithout = (more: Partial<ClusterParts>) =>
      computePlan(parts(more))
        .loss.find((row) => row.node === 'node-1')
        ?.who.map(({ why }) => why);
    const [one, two] = [pod('api-1', 'node-1'), pod('api-2', 'node-1', { owner: 'web' })];
    expect(whyWithout({ nodes: [node('node-1')], pods: [one] })).toEqual(['no other node']);
    const unseen = node('node-2', { ready: null });
    expect(whyWithout({ nodes: [node('node-1'), unseen], pods: [one] })).toEqual(['no other node']);
    const tainted = node('node-2', { taints: ['dedicated=db:NoSchedule'] });
    expect(whyWithout({ nodes: [node('node-1'), tainted], pods: [one, two] })).toEqual([
      'taints of the nodes',
      'taints of the nodes',
    ]);
  });

  it('notes that a pod of higher priority which stays pending may evict another one', () => {
    const notesWith = (priority: number) =>
      computePlan(
        parts({
          pods: [pod('api-1', 'node-1', { placement: 'high' }), pod('api-2', 'node-2'), pod('api-3', 'node-2')],
          placements: [{ hash: 'high', priority }],
        }),
      ).notes.filter((note) => note.startsWith('Preemption'));
    expect(notesWith(1000)).toHaveLength(1);
    expect(notesWith(0)).toEqual([]);
  });

  it.each([
    ['team in (a)', 'anti-affinity of other pods by labels of namespaces'],
    ['team notin (a)', 'anti-affinity of other pods by labels of namespaces'],
    ['kubernetes.io/metadata.name in (web),team in (a)', null],
    ['kubernetes.io/metadata.name in (web)', null],
  ])('judges no pod that another one may keep away by the labels of its namespace: %s', (byLabels, reason) => {
    const term = { topology_key: 'kubernetes.io/hostname', selector: 'app in (api)', namespace_selector: byLabels };
    const loner = pod('loner', 'node-1', { namespace: 'other', owner: 'loner', placement: 'alone', labels: {} });
    const { fits } = computePlan(
      parts({ pods: [loner, pod('api-1', 'node-2')], placements: [{ hash: 'alone', pod_anti_affinity: [term] }] }),
    );
    expect(fits.find(({ name }) => name === 'api')?.reason).toBe(reason);
  });

  it('keeps the zone of a node that is out of sight as a domain of a topology spread', () => {
    const inZone = (name: string, zone: string, ready: boolean | null) =>
      node(name, { labels: { 'kubernetes.io/hostname': name, zone }, ready });
    const spread = [{ topology_key: 'zone', max_skew: 1, selector: 'app in (api)' }];
    const plan = computePlan(
      parts({
        nodes: [inZone('node-1', 'a', true), inZone('node-2', 'b', null)],
        pods: [pod('api-1', 'node-1', { placement: 'spread' })],
        placements: [{ hash: 'spread', spread }],
      }),
    );
    expect(plan.fits[0]).toMatchObject({ more: 0, firstLimit: 'topology spread' });
  });

  it('counts how many more pods fit, and names what ends first', () => {
    const [fit] = computePlan(parts()).fits;
    expect(fit).toEqual({
      namespace: 'shop',
      kind: 'Deployment',
      name: 'api',
      pods: 3,
      cpuCores: 1,
      memoryBytes: 6 * GB,
      more: 1,
      isCut: false,
      firstLimit: 'memory',
      reason: null,
    });
  });

  it('names the pods that stay pending without a node, and why', () => {
    const { loss } = computePlan(parts());
    const waiting = [{ namespace: 'shop', kind: 'Deployment', name: 'api', pods: 1, why: 'memory' }];
    expect(loss.map(({ node: name, pending, moved, who }) => [name, pending, moved, who])).toEqual([
      ['node-1', 1, 0, waiting],
      ['node-2', 1, 1, waiting],
    ]);
    expect(loss[0]?.memoryPercentAfter).toBe(75);
  });

  it('has pods of DaemonSets and static pods follow their node, and counts those that nobody makes anew', () => {
    const pods = [
      pod('agent-1', 'node-1', { kind: 'DaemonSet', owner: 'agent' }),
      pod('etcd-node-1', 'node-1', { kind: 'Node', owner: 'node-1' }),
      pod('by-hand', 'node-1', { kind: null, owner: null }),
    ];
    const { loss, fits } = computePlan(parts({ pods }));
    expect(loss.find(({ node: name }) => name === 'node-1')).toMatchObject({ pending: 0, moved: 0, ended: 1 });
    expect(fits).toEqual([]);
  });

  it.each<[string, Partial<ClusterParts>, string]>([
    ['an older collector', { reportsPlacements: false }, 'The cluster collector is older'],
    ['a cluster without nodes', { nodes: [] }, 'No node of the cluster is reported.'],
    [
      'a cluster without requests',
      { pods: [pod('a', 'node-1', { cpu: null, memory: null })] },
      'No pod of the cluster requests',
    ],
  ])('is unknown for %s, with the reason', (_, more, reason) => {
    const plan = computePlan(parts(more));
    expect(plan.unknown).toContain(reason);
    expect([plan.fits, plan.loss]).toEqual([[], []]);
  });

  it.each<[string, Partial<StoredPod>, string]>([
    ['constraints that could not be sent', { placement: 'unknown' }, 'its constraints could not be sent'],
    ['constraints that have not arrived', { placement: 'aaaaaaaaaaaa' }, 'its constraints have not arrived yet'],
    ['a scheduler of its own', { placement: 'bbbbbbbbbbbb' }, 'schedulerName volcano'],
    ['a claim that is not bound', { claims: ['pending'] }, 'volume binding of unbound claims is not modelled'],
    ['a claim that nobody reported', { claims: ['other'] }, 'a claim of a volume is not reported'],
    ['a volume whose nodes are not read', { claims: ['unread'] }, 'persistent volumes are not read'],
    [
      'requests of nonsense',
      { unknown: ['requests.cpu_cores: many is no quantity in range'] },
      'its requests cannot be read',
    ],
  ])('guesses nothing of a pod with %s', (_, more, reason) => {
    const plan = computePlan(
      parts({
        readsVolumes: false,
        pods: [pod('odd', 'node-1', more)],
        placements: [{ hash: 'bbbbbbbbbbbb', not_modelled: ['schedulerName volcano'] }],
        volumes: [
          { namespace: 'shop', name: 'pending', phase: 'Pending' },
          { namespace: 'shop', name: 'unread', phase: 'Bound' },
        ],
      }),
    );
    expect(plan.fits[0]).toMatchObject({ more: null, reason });
    expect(plan.loss[0]).toMatchObject({ node: 'node-1', pending: null, reason: `1 pod cannot be judged: ${reason}` });
    expect(plan.notes).toEqual([`1 pod cannot be judged: ${reason}.`]);
  });

  it('keeps a pod on the nodes that can mount its volume', () => {
    const volumes = [
      { namespace: 'shop', name: 'data', phase: 'Bound', nodes: [{ fields: 'metadata.name in (node-1)' }] },
    ];
    const { loss } = computePlan(parts({ pods: [pod('db', 'node-1', { claims: ['data'] })], volumes }));
    expect(loss[0]).toMatchObject({ node: 'node-1', pending: 1, who: [{ why: 'nodes of its volume' }] });
  });

  it('says nothing of a node that the control plane lost sight of, and places nothing there', () => {
    const plan = computePlan(parts({ nodes: [node('node-1', { ready: null }), node('node-2')] }));
    expect(plan.loss.find(({ node: name }) => name === 'node-1')).toMatchObject({ pending: null });
    expect(plan.notes).toEqual(['The control plane lost sight of 1 node: node-1.']);
    expect(plan.fits[0]).toMatchObject({ more: 0, firstLimit: 'memory' });
  });

  it('of one node has all of its pods pending', () => {
    const plan = computePlan(parts({ nodes: [node('node-1')], pods: [pod('api-1', 'node-1')] }));
    expect(plan.loss).toMatchObject([{ pending: 1, memoryPercentAfter: null, cpuPercentAfter: null }]);
  });
});

describe('an odd cluster', () => {
  const noteOf = (more: Partial<ClusterParts>): string[] => computePlan(parts(more)).notes;

  it('with a nonsense quantity says which pods cannot be judged', () => {
    const pods = [pod('odd', 'node-1', { cpu: null, unknown: ['requests.cpu_cores: many is no quantity in range'] })];
    expect(noteOf({ pods: [...pods, pod('api-1', 'node-2')] })).toEqual([
      '1 pod cannot be judged: its requests cannot be read.',
    ]);
  });

  it('without requests says that the scheduler places pods without limit', () => {
    expect(computePlan(parts({ pods: [pod('a', 'node-1', { cpu: null, memory: null })] })).unknown).toBe(
      'No pod of the cluster requests CPU or memory, so the scheduler places pods without limit.',
    );
  });

  it('of one node loses every pod, and has no other node to be full', () => {
    const [loss] = computePlan(parts({ nodes: [node('node-1')], pods: [pod('api-1', 'node-1')] })).loss;
    expect(loss).toMatchObject({ pending: 1, who: [{ name: 'api', pods: 1 }], memoryPercentAfter: null });
  });

  it('of nodes of three sizes counts what fits on each', () => {
    const sized = (name: string, gb: number, cores: number) =>
      node(name, { allocatable: { cpu_cores: cores, memory_bytes: gb * GB, ephemeral_bytes: 0, pods: 110 } });
    const plan = computePlan(
      parts({
        nodes: [sized('small', 4, 8), sized('middle', 13, 8), sized('large', 64, 3)],
        pods: [pod('api-1', 'large')],
      }),
    );
    // Nothing on the small node, two on the middle one by memory, two on the large one by CPU.
    expect(plan.fits[0]).toMatchObject({ more: 4 });
    expect(plan.loss.map(({ node: name, pending }) => [name, pending])).toEqual([
      ['large', 0],
      ['middle', 0],
      ['small', 0],
    ]);
    expect(plan.loss.find(({ node: name }) => name === 'middle')?.memoryPercentAfter).toBeCloseTo((6 / 68) * 100, 6);
  });

  it('whose pools scale by themselves says that the answers are about the nodes of now', () => {
    const scaler = pod('ca-1', 'node-1', { namespace: 'kube-system', owner: 'cluster-autoscaler', memory: GB });
    const labelled = (name: string, pool: string) => node(name, { labels: { 'eks.amazonaws.com/nodegroup': pool } });
    const plan = computePlan(
      parts({
        nodes: [labelled('node-1', 'web'), labelled('node-2', 'batch')],
        pods: [scaler, pod('api-1', 'node-2')],
      }),
    );
    expect(plan.notes).toEqual([
      'kube-system/cluster-autoscaler may add nodes: the answers are about the nodes that are there now.',
    ]);
    expect(plan.pools).toMatchObject([
      { pool: 'batch', nodes: 1, resources: [{ requested: 1, allocatable: 4 }, { requested: 6 * GB }] },
      { pool: 'web', worst: { node: 'node-1', pending: 0 } },
    ]);
  });

  it('whose collector describes no autoscalers of pods says so beside the advice', () => {
    const usage = [
      {
        namespace: 'shop',
        kind: 'Deployment',
        workload: 'api',
        container: 'app',
        day: '2026-01-30',
        cpu: '',
        memory: '',
      },
    ];
    expect(noteOf({ autoscalers: null, usage })).toEqual([
      'Horizontal pod autoscalers are not reported, so the advice on sizes names none.',
    ]);
    expect(noteOf({ autoscalers: null })).toEqual([]);
  });
});
