import * as fc from 'fast-check';

/** Objects of Kubernetes as JSON. */
export interface KubernetesObject {
  metadata: { name: string; [key: string]: unknown };
  [key: string]: unknown;
}
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
export interface RandomCluster {
  nodes: KubernetesObject[];
  /** Node names that a bound local volume of this number can be mounted on. */
  volumes: string[][];
  /** In the order in which they are made. */
  pods: KubernetesObject[];
}

const ZONES = ['a', 'b', 'c'];
const APPS = ['web', 'api', 'db'];
export const NAMESPACES = ['oracle-one', 'oracle-two'];
const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, { weight, arbitrary });
const some = <T>(...values: T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const present = <T extends object>(parts: T): Partial<T> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<T>;

const taint = fc
  .record({
    key: some('dedicated', 'spot'),
    value: some('', 'x', 'y'),
    effect: some('NoSchedule', 'NoExecute', 'PreferNoSchedule'),
  })
  .map(({ value, ...rest }) => ({ ...rest, ...(value === '' ? {} : { value }) }));

const node = fc.record({
  zone: sometimes(some(...ZONES), 12),
  disk: sometimes(some('ssd', 'hdd'), 4),
  cores: sometimes(some('4', '8', '16'), 4),
  cpu: some('1', '2', '4'),
  memory: some('2Gi', '4Gi', '8Gi'),
  pods: some('4', '8', '110'),
  storage: some('1Gi', '10Gi'),
  gpus: sometimes(some('1', '2')),
  taints: fc.uniqueArray(taint, { maxLength: 2, selector: ({ key, effect }) => `${key}${effect}` }),
  unschedulable: sometimes(fc.constant(true)),
});

const nodeObject = (index: number, one: Of<typeof node>): KubernetesObject => {
  const name = `node-${String(index)}`;
  const sizes = {
    cpu: one.cpu,
    memory: one.memory,
    pods: one.pods,
    'ephemeral-storage': one.storage,
    ...(one.gpus === undefined ? {} : { 'nvidia.com/gpu': one.gpus }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: present({ [HOST]: name, [ZONE]: one.zone, disk: one.disk, cores: one.cores }) },
    spec: {
      ...(one.taints.length > 0 ? { taints: one.taints } : {}),
      ...present({ unschedulable: one.unschedulable }),
    },
    status: { capacity: sizes, allocatable: sizes, conditions: [{ type: 'Ready', status: 'True' }] },
  };
};

const expression = fc.oneof(
  fc.record({ key: some(ZONE), operator: some('In', 'NotIn'), values: fc.subarray(ZONES, { minLength: 1 }) }),
  fc.record({
    key: some('disk'),
    operator: some('In', 'NotIn'),
    values: fc.subarray(['ssd', 'hdd'], { minLength: 1 }),
  }),
  fc.record({ key: some(ZONE, 'disk', 'nothing'), operator: some('Exists', 'DoesNotExist') }),
  fc.record({ key: some('cores'), operator: some('Gt', 'Lt'), values: some(['4'], ['8'], ['15']) }),
);
const nodeTerm = (names: string[]) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        matchFields: fc
          .record({
            key: some('metadata.name'),
            operator: some('In', 'NotIn'),
            values: some(...names).map((name) => [name]),
          })
          .map((one) => [one]),
      }),
    },
  );
const selector = fc.oneof(
  fc.record({ matchLabels: fc.record({ app: some(...APPS) }) }),
  fc.record({
    matchExpressions: fc
      .record({ key: some('app'), operator: some('In', 'NotIn'), values: fc.subarray(APPS, { minLength: 1 }) })
      .map((one) => [one]),
  }),
  fc.constant({}),
);
const podTerm = fc
  .record({
    topologyKey: some(ZONE, HOST, 'disk'),
    labelSelector: selector,
    namespaces: sometimes(fc.subarray(NAMESPACES, { minLength: 1 })),
    namespaceSelector: sometimes(fc.constant({})),
  })
  .map(present);
const spread = fc
  .record({
    maxSkew: some(1, 1, 2),
    topologyKey: some(ZONE, HOST, 'disk'),
    whenUnsatisfiable: some('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: selector,
    minDomains: sometimes(some(2, 3)),
    nodeAffinityPolicy: sometimes(some('Honor', 'Ignore')),
    nodeTaintsPolicy: sometimes(some('Honor', 'Ignore')),
  })
  .map(({ minDomains, ...rest }) =>
    present({ ...rest, minDomains: rest.whenUnsatisfiable === 'DoNotSchedule' ? minDomains : undefined }),
  );
const toleration = fc.oneof(
  fc.record({ key: some('dedicated', 'spot'), operator: some('Exists') }),
  fc.record({
    key: some('dedicated', 'spot'),
    operator: some('Equal'),
    value: some('x', 'y'),
    effect: some('NoSchedule', 'NoExecute'),
  }),
  fc.constant({ operator: 'Exists' }),
);
const container = fc
  .record({
    cpu: sometimes(some('100m', '500m', '1', '2'), 12),
    memory: sometimes(some('128Mi', '1Gi', '3Gi'), 12),
    storage: sometimes(some('512Mi', '2Gi')),
    gpus: sometimes(some('1', '2')),
  })
  .map(({ cpu, memory, storage, gpus }) =>
    present({ cpu, memory, 'ephemeral-storage': storage, 'nvidia.com/gpu': gpus }),
  );

const pod = (names: string[], volumes: number) =>
  fc.record({
    namespace: some(...NAMESPACES),
    app: some(...APPS),
    containers: fc.array(container, { minLength: 1, maxLength: 2 }),
    init: sometimes(fc.record({ requests: container, isSidecar: fc.boolean() })),
    nodeSelector: sometimes(some({ disk: 'ssd' }, { disk: 'hdd' }, { [ZONE]: 'a' })),
    nodeTerms: sometimes(fc.array(nodeTerm(names), { minLength: 1, maxLength: 2 }), 2),
    tolerations: sometimes(fc.array(toleration, { minLength: 1, maxLength: 2 }), 4),
    hostPort: sometimes(
      some({ hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, protocol: 'UDP' }),
      2,
    ),
    affinity: sometimes(fc.array(podTerm, { minLength: 1, maxLength: 2 })),
    antiAffinity: sometimes(fc.array(podTerm, { minLength: 1, maxLength: 2 }), 2),
    spread: sometimes(
      fc.uniqueArray(spread, { minLength: 1, maxLength: 2, selector: ({ topologyKey }) => topologyKey }),
      2,
    ),
    volume: volumes === 0 ? fc.constant(undefined) : sometimes(fc.nat(volumes - 1)),
  });

/** Name of the claim that is bound to volume `index`, in each namespace. */
export const claimName = (index: number, namespace: string): string => `claim-${String(index)}-${namespace}`;

function podObject(index: number, one: Of<ReturnType<typeof pod>>): KubernetesObject {
  const requests = (list: object) => (Object.keys(list).length === 0 ? {} : { resources: resourcesOf(list) });
  const terms = (list: unknown[] | undefined) =>
    list === undefined ? undefined : { requiredDuringSchedulingIgnoredDuringExecution: list };
  const affinity = present({
    nodeAffinity:
      one.nodeTerms === undefined
        ? undefined
        : { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: one.nodeTerms } },
    podAffinity: terms(one.affinity),
    podAntiAffinity: terms(one.antiAffinity),
  });
  const init = one.init && {
    name: 'init',
    image: 'none',
    ...requests(one.init.requests),
    ...(one.init.isSidecar ? { restartPolicy: 'Always' } : {}),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${String(index)}`, namespace: one.namespace, labels: { app: one.app } },
    spec: {
      containers: one.containers.map((list, at) => ({
        name: `c${String(at)}`,
        image: 'none',
        ...requests(list),
        ...(at === 0 && one.hostPort ? { ports: [{ containerPort: one.hostPort.hostPort, ...one.hostPort }] } : {}),
      })),
      ...(init ? { initContainers: [init] } : {}),
      ...present({
        nodeSelector: one.nodeSelector,
        tolerations: one.tolerations,
        topologySpreadConstraints: one.spread,
      }),
      ...(Object.keys(affinity).length === 0 ? {} : { affinity }),
      ...(one.volume === undefined
        ? {}
        : { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claimName(one.volume, one.namespace) } }] }),
    },
  };
}
/** Devices need a limit that equals the request. */
const resourcesOf = (list: object) => {
  const gpus = (list as Record<string, string>)['nvidia.com/gpu'];
  return { requests: list, ...(gpus === undefined ? {} : { limits: { 'nvidia.com/gpu': gpus } }) };
};

interface Bounds {
  minLength: number;
  maxLength: number;
}
const clusterOf = (nodeCount: Bounds, podCount: Bounds): fc.Arbitrary<RandomCluster> =>
  fc.record({ nodes: fc.array(node, nodeCount), volumeCount: fc.nat(2) }).chain(({ nodes, volumeCount }) => {
    const names = nodes.map((_, index) => `node-${String(index)}`);
    return fc.record({
      nodes: fc.constant(nodes.map((one, index) => nodeObject(index, one))),
      volumes: fc.array(fc.subarray(names, { minLength: 1, maxLength: Math.min(2, names.length) }), {
        minLength: volumeCount,
        maxLength: volumeCount,
      }),
      pods: fc.array(pod(names, volumeCount), podCount).map((list) => list.map((one, index) => podObject(index, one))),
    });
  });

/** Small clusters in which every filter refuses something. */
export const randomCluster = clusterOf({ minLength: 1, maxLength: 8 }, { minLength: 10, maxLength: 30 });
/** Clusters of 30 nodes that are nearly full, for the loss of one. */
export const largeCluster = clusterOf({ minLength: 30, maxLength: 30 }, { minLength: 120, maxLength: 120 });
