import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { meets } from '@plimsoll/contract/rules/label-selector';
import { ClusterModel } from './model.ts';
import { countFits } from './fits.ts';
import { loseNode } from './loss.ts';
import { portsConflict, refusalOfNode } from './node-filters.ts';
import { readProfile, readTaint, type StoredPod } from './read-profile.ts';
import type { NodeFacts, PlacedPod, PodProfile, PodTerm } from './types.ts';

const node = (name: string, parts: Partial<NodeFacts> = {}): NodeFacts => ({
  name,
  labels: { 'kubernetes.io/hostname': name },
  taints: [],
  isUnschedulable: false,
  allocatable: { cpu: 4000, memory: 8e9, pods: 10 },
  ...parts,
});
const pod = (parts: Partial<StoredPod> = {}): PodProfile =>
  readProfile({
    namespace: 'shop',
    labels: { app: 'api' },
    cpuCores: 1,
    memoryBytes: 1e9,
    placement: null,
    volumes: [],
    isTerminating: false,
    unknown: [],
    ...parts,
  });
const placed = (placement: Omit<NonNullable<StoredPod['placement']>, 'hash'>, parts: Partial<StoredPod> = {}) =>
  pod({ placement: { hash: 'h', ...placement }, ...parts });
const zones = [
  node('a', { labels: { 'kubernetes.io/hostname': 'a', zone: 'x' } }),
  node('b', { labels: { 'kubernetes.io/hostname': 'b', zone: 'y' } }),
  node('c', { labels: { 'kubernetes.io/hostname': 'c' } }),
];
const refusals = (nodes: readonly NodeFacts[], profiles: readonly PodProfile[], pods: readonly PlacedPod[] = []) => {
  const model = new ClusterModel(nodes, profiles, pods);
  return nodes.map((_, index) => model.refusal(0, index)?.plugin ?? null);
};
const HOST = 'kubernetes.io/hostname';

test('a cordoned node refuses what does not tolerate it', () => {
  const cordoned = [
    node('a', { isUnschedulable: true, taints: [readTaint('node.kubernetes.io/unschedulable:NoSchedule')] }),
  ];
  expect(refusals(cordoned, [pod()])).toEqual(['NodeUnschedulable']);
  const everywhere = placed({ tolerations: [{ key: 'node.kubernetes.io/unschedulable', exists: true }] });
  expect(refusals(cordoned, [everywhere])).toEqual([null]);
});

test('a taint refuses unless key, value and effect are tolerated', () => {
  const tainted = [
    node('a', { taints: [readTaint('dedicated=db:NoSchedule')] }),
    node('b', { taints: [readTaint('soft:PreferNoSchedule')] }),
  ];
  const judged = (toleration: object) => refusals(tainted, [placed({ tolerations: [toleration] })])[0];
  expect(refusals(tainted, [pod()])).toEqual(['TaintToleration', null]);
  expect(judged({ key: 'dedicated', value: 'db' })).toBeNull();
  expect(judged({ key: 'dedicated', value: 'web' })).toBe('TaintToleration');
  expect(judged({ key: 'dedicated', value: 'db', effect: 'NoExecute' })).toBe('TaintToleration');
  expect(judged({ exists: true })).toBeNull();
});

test('selector and affinity of nodes are both required, and one term suffices', () => {
  expect(refusals(zones, [placed({ node_selector: { zone: 'x' } })])).toEqual([null, 'NodeAffinity', 'NodeAffinity']);
  const terms = [{ labels: 'zone in (y)' }, { fields: 'metadata.name in (c)' }];
  expect(refusals(zones, [placed({ node_affinity: terms })])).toEqual(['NodeAffinity', null, null]);
  expect(refusals(zones, [placed({ node_affinity: [] })])).toEqual(['NodeAffinity', 'NodeAffinity', 'NodeAffinity']);
});

test('an empty term matches no node, and numbers are as large as an int64', () => {
  expect(refusals(zones, [placed({ node_affinity: [{}] })])).toEqual(['NodeAffinity', 'NodeAffinity', 'NodeAffinity']);
  expect(refusals(zones, [placed({ node_affinity: [{}, { labels: 'zone in (x)' }] })])[0]).toBeNull();
  const judged = (value: string) =>
    refusals([node('a', { labels: { cores: value } })], [placed({ node_affinity: [{ labels: 'cores>4' }] })])[0];
  expect(judged('9223372036854775807')).toBeNull();
  expect(judged('9223372036854775808')).toBe('NodeAffinity');
});

test('a label key that every object of JavaScript has is no label of the pod', () => {
  const terms = [{ topology_key: HOST, selector: 'app in (api)', match_label_keys: ['constructor'] }];
  expect(refusals([node('a')], [placed({ pod_anti_affinity: terms })], [{ profile: 0, node: 0 }])).toEqual([
    'InterPodAffinity',
  ]);
});

test('a volume binds its pod to the nodes that can mount it', () => {
  expect(refusals(zones, [pod({ volumes: [[{ labels: 'zone in (y)' }]] })])).toEqual([
    'VolumeBinding',
    null,
    'VolumeBinding',
  ]);
});

test('host ports conflict on one address, and an address of all conflicts with any', () => {
  const profiles = [placed({ host_ports: ['TCP:80'] }), placed({ host_ports: ['TCP:80@10.0.0.1'] })];
  expect(refusals(zones, profiles, [{ profile: 1, node: 0 }])).toEqual(['NodePorts', null, null]);
  expect(portsConflict('TCP:80@10.0.0.1', 'TCP:80@10.0.0.2')).toBe(false);
  expect(portsConflict('TCP:80', 'UDP:80')).toBe(false);
});

test('the resource that a node lacks is named, devices and pods included', () => {
  const model = new ClusterModel(
    [node('a'), node('b', { allocatable: { cpu: 4000, memory: 8e9, pods: 0 } })],
    [
      pod({ cpuCores: 4.1 }),
      pod({ memoryBytes: 9e9 }),
      placed({ requests: { 'nvidia.com/gpu': 1 } }),
      pod({ cpuCores: null, memoryBytes: null }),
    ],
    [],
  );
  expect([0, 1, 2, 3].map((profile) => model.refusal(profile, 0)?.resource ?? null)).toEqual([
    'cpu',
    'memory',
    'nvidia.com/gpu',
    null,
  ]);
  expect(model.refusal(3, 1)).toEqual({ plugin: 'NodeResourcesFit', resource: 'pods' });
});

test('0.1 cores are 100 millicores, however often they are added', () => {
  const model = new ClusterModel(
    [node('a', { allocatable: { cpu: 1000, memory: 8e9, pods: 100 } })],
    [pod({ cpuCores: 0.1, memoryBytes: 0 })],
    [],
  );
  expect(countFits(model, 0)).toEqual({
    more: 10,
    isCut: false,
    firstLimit: { plugin: 'NodeResourcesFit', resource: 'cpu' },
  });
});

test('anti-affinity works in both directions', () => {
  const loner = placed({ pod_anti_affinity: [{ topology_key: HOST, selector: 'app in (api)' }] });
  expect(refusals(zones, [loner, pod()], [{ profile: 1, node: 1 }])).toEqual([null, 'InterPodAffinity', null]);
  expect(refusals(zones, [pod(), loner], [{ profile: 1, node: 1 }])).toEqual([null, 'InterPodAffinity', null]);
  expect(refusals(zones, [pod({ namespace: 'other' }), loner], [{ profile: 1, node: 1 }])).toEqual([null, null, null]);
});

test('affinity needs every term, and the first of a group may start anywhere with the key', () => {
  const term = { topology_key: 'zone', selector: 'app in (api)' };
  expect(refusals(zones, [placed({ pod_affinity: [term] })])).toEqual([null, null, 'InterPodAffinity']);
  const follower = placed({ pod_affinity: [term] }, { labels: { app: 'web' } });
  expect(refusals(zones, [follower])).toEqual(['InterPodAffinity', 'InterPodAffinity', 'InterPodAffinity']);
  expect(refusals(zones, [follower, pod()], [{ profile: 1, node: 0 }])).toEqual([
    null,
    'InterPodAffinity',
    'InterPodAffinity',
  ]);
});

test('spread counts the domains that the pod may use', () => {
  const spread = { topology_key: 'zone', max_skew: 1, selector: 'app in (api)' };
  const two: PlacedPod[] = [
    { profile: 0, node: 0 },
    { profile: 0, node: 0 },
  ];
  expect(refusals(zones, [placed({ spread: [spread] })], two)).toEqual([
    'PodTopologySpread',
    null,
    'PodTopologySpread',
  ]);
  const onlyX = placed({ spread: [spread], node_selector: { zone: 'x' } });
  expect(refusals(zones, [onlyX], two)[0]).toBeNull();
  const ignoring = placed({ spread: [{ ...spread, ignores_node_affinity: true }], node_selector: { zone: 'x' } });
  expect(refusals(zones, [ignoring], two)[0]).toBe('PodTopologySpread');
  const three = placed({ spread: [{ ...spread, min_domains: 3 }] });
  expect(
    refusals(
      zones,
      [three],
      [
        { profile: 0, node: 0 },
        { profile: 0, node: 1 },
      ],
    ).slice(0, 2),
  ).toEqual(['PodTopologySpread', 'PodTopologySpread']);
});

test('the loss of a node leaves what fits nowhere pending, and the model as it was', () => {
  const big = pod({ cpuCores: 3 });
  const profiles = [big, pod({ cpuCores: 0.5 }), pod({ unknown: ['resourceClaims'] })];
  const pods = [
    { profile: 0, node: 0 },
    { profile: 0, node: 1 },
    { profile: 1, node: 0 },
    { profile: 2, node: 0 },
  ];
  const model = new ClusterModel(zones.slice(0, 2), profiles, pods);
  const lost = [0, 1, 2, 1].map((profile, index) => ({ profile, endsWithNode: index === 3 }));
  model.place(1, 0);
  const loss = loseNode(model, 0, lost);
  expect(loss.pending).toEqual([lost[0]]);
  expect(loss.unknown).toEqual([lost[2]]);
  expect(loss.moved).toEqual([{ pod: lost[1], node: 1 }]);
  expect(model.freeOf('cpu', 0)).toBe(4000 - 3000 - 500 - 1000 - 500);
  expect(model.refusal(0, 1)?.plugin).toBe('NodeResourcesFit');
});

test('a namespace selector that needs labels of namespaces is not modelled', () => {
  const term = { topology_key: HOST, selector: 'app' };
  expect(placed({ pod_affinity: [{ ...term, namespace_selector: 'team in (a)' }] }).notModelled).toHaveLength(1);
  expect(placed({ pod_affinity: [{ ...term, namespace_selector: '' }] }).notModelled).toEqual([]);
});

/** The rules again without any count that is kept: what the model answers must be the same after any history. */
function naive(
  nodes: readonly NodeFacts[],
  profiles: readonly PodProfile[],
  pods: readonly PlacedPod[],
  gone: ReadonlySet<number>,
  [wanted, at]: [number, number],
): string | null {
  const facts = nodes[at] as NodeFacts;
  const profile = profiles[wanted] as PodProfile;
  const here = pods.filter((one) => one.node === at).map((one) => profiles[one.profile] as PodProfile);
  const fixed = refusalOfNode(profile, facts);
  if (fixed !== null && fixed !== 'VolumeBinding') return fixed;
  if (here.some(({ hostPorts }) => hostPorts.some((a) => profile.hostPorts.some((b) => portsConflict(a, b)))))
    return 'NodePorts';
  const used = (name: string): number => here.reduce((sum, { requests }) => sum + (requests[name] ?? 0), 0);
  const lacks = Object.entries(profile.requests).some(
    ([name, amount]) => amount > 0 && used(name) + amount > (facts.allocatable[name] ?? 0),
  );
  if (lacks || here.length + 1 > (facts.allocatable.pods ?? 0)) return 'NodeResourcesFit';
  if (fixed !== null) return fixed;
  const valueOf = (index: number, key: string): string | undefined => nodes[index]?.labels[key];
  for (const { topologyKey, selector, maxSkew, minDomains } of profile.spread) {
    const matches = (one: PodProfile): boolean =>
      selector !== null && one.namespace === profile.namespace && meets(one.labels, selector);
    const eligible = nodes.flatMap((one, index) =>
      !gone.has(index) &&
      profile.spread.every((term) => term.topologyKey in one.labels) &&
      !['NodeAffinity'].includes(affinityOf(profile, one))
        ? [index]
        : [],
    );
    const countOf = (value: string | undefined): number =>
      pods.filter(
        (one) =>
          eligible.includes(one.node) &&
          valueOf(one.node, topologyKey) === value &&
          matches(profiles[one.profile] as PodProfile),
      ).length;
    const domains = [...new Set(eligible.map((index) => valueOf(index, topologyKey)))];
    const least = domains.length < minDomains || domains.length === 0 ? 0 : Math.min(...domains.map(countOf));
    const value = valueOf(at, topologyKey);
    if (value === undefined || countOf(value) + (matches(profile) ? 1 : 0) - least > maxSkew)
      return 'PodTopologySpread';
  }
  const hit = (term: PodTerm, one: PodProfile): boolean =>
    term.namespaces.has(one.namespace) && term.selector !== null && meets(one.labels, term.selector);
  const sameDomain = (key: string, other: number): boolean =>
    valueOf(at, key) !== undefined && valueOf(at, key) === valueOf(other, key);
  const others = pods.map((one) => ({ ...one, facts: profiles[one.profile] as PodProfile }));
  if (
    others.some((one) =>
      one.facts.antiAffinity.some((term) => hit(term, profile) && sameDomain(term.topologyKey, one.node)),
    )
  )
    return 'InterPodAffinity';
  if (
    others.some((one) =>
      profile.antiAffinity.some((term) => hit(term, one.facts) && sameDomain(term.topologyKey, one.node)),
    )
  )
    return 'InterPodAffinity';
  if (profile.affinity.length === 0) return null;
  const friends = others.filter((one) => profile.affinity.every((term) => hit(term, one.facts)));
  if (profile.affinity.every((term) => friends.some((one) => sameDomain(term.topologyKey, one.node)))) return null;
  const counted = friends.some((one) =>
    profile.affinity.some((term) => valueOf(one.node, term.topologyKey) !== undefined),
  );
  const starts =
    !counted && profile.affinity.every((term) => hit(term, profile) && valueOf(at, term.topologyKey) !== undefined);
  return starts ? null : 'InterPodAffinity';
}
const affinityOf = (profile: PodProfile, facts: NodeFacts): string =>
  refusalOfNode({ ...profile, tolerations: [{ key: null, exists: true, value: '', effect: null }] }, facts) ?? '';

const app = fc.constantFrom('api', 'web', 'db');
const selector = fc.constantFrom('app in (api)', 'app in (web,db)', 'app', '!app');
const topologyKey = fc.constantFrom('zone', HOST);
const podTerm = fc.record({ topology_key: topologyKey, selector });
const anyProfile = fc
  .record({
    app,
    cpu: fc.constantFrom(0, 0.5, 1, 3),
    node_selector: fc.constantFrom<Record<string, string>>({}, {}, { zone: 'x' }),
    tolerations: fc.constantFrom<{ key: string; exists: true }[]>([], [{ key: 'dedicated', exists: true }]),
    host_ports: fc.constantFrom<string[]>([], [], ['TCP:80']),
    pod_affinity: fc.oneof(fc.constant<never[]>([]), fc.array(podTerm, { maxLength: 2 })),
    pod_anti_affinity: fc.oneof(fc.constant<never[]>([]), fc.array(podTerm, { maxLength: 1 })),
    spread: fc.oneof(
      fc.constant<never[]>([]),
      fc.array(
        fc.record({
          topology_key: topologyKey,
          selector,
          max_skew: fc.constantFrom(1, 2),
          min_domains: fc.constantFrom(1, 2, 3),
        }),
        { maxLength: 2 },
      ),
    ),
    volumes: fc.constantFrom<{ labels: string }[][]>([], [], [[{ labels: 'zone in (y)' }]]),
  })
  .map(({ app: name, cpu, volumes, ...placement }) =>
    placed(placement, { labels: { app: name }, cpuCores: cpu, memoryBytes: 0, volumes }),
  );
const anyNodes = fc.array(
  fc.record({
    zone: fc.constantFrom('x', 'y', 'z', null),
    isUnschedulable: fc.constantFrom(false, false, true),
    taint: fc.constantFrom(null, null, 'dedicated=db:NoSchedule'),
  }),
  { minLength: 1, maxLength: 5 },
);

test('after any history of placements each verdict is that of the rules read anew', () => {
  const step = fc.record({
    profile: fc.nat(3),
    node: fc.nat(4),
    kind: fc.constantFrom('place', 'place', 'unplace', 'gone', 'judge'),
  });
  fc.assert(
    fc.property(
      anyNodes,
      fc.array(anyProfile, { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 14 }),
      (raw, profiles, steps) => {
        const nodes = raw.map(({ zone, isUnschedulable, taint }, index) =>
          node(`n${String(index)}`, {
            labels: { [HOST]: `n${String(index)}`, ...(zone === null ? {} : { zone }) },
            isUnschedulable,
            taints: taint === null ? [] : [readTaint(taint)],
            allocatable: { cpu: 4000, memory: 8e9, pods: 4 },
          }),
        );
        const model = new ClusterModel(nodes, profiles, []);
        const pods: PlacedPod[] = [];
        const gone = new Set<number>();
        for (const { kind, ...at } of steps) {
          const where = { profile: at.profile % profiles.length, node: at.node % nodes.length };
          if (kind === 'judge') for (const one of profiles.keys()) model.best(one);
          else if (kind === 'gone') {
            if (pods.some((one) => one.node === where.node)) continue;
            if (!gone.delete(where.node)) gone.add(where.node);
            model.setGone(where.node, gone.has(where.node));
          } else if (kind === 'place') {
            if (gone.has(where.node)) continue;
            pods.push(where);
            model.place(where.profile, where.node);
          } else {
            const found = pods.findIndex((one) => one.profile === where.profile && one.node === where.node);
            if (found === -1) continue;
            pods.splice(found, 1);
            model.unplace(where.profile, where.node);
          }
        }
        for (const wanted of profiles.keys())
          for (const at of nodes.keys())
            expect([wanted, at, model.refusal(wanted, at)?.plugin ?? null]).toEqual([
              wanted,
              at,
              naive(nodes, profiles, pods, gone, [wanted, at]),
            ]);
      },
    ),
    { numRuns: 300 },
  );
});
