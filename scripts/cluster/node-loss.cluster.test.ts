import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dashboard } from './testing/dashboard.ts';
import { install, remove } from './testing/install.ts';
import { type KubernetesObject, kubectl, list, until } from './testing/release.ts';

const NAMESPACE = 'node-loss';
const WORKER = 'plimsoll-worker';
const CONTROL_PLANE = 'plimsoll-control-plane';
const IMAGE = process.env.PLIMSOLL_TEST_IMAGE ?? '';
const FAST = '--set-string=api.extraEnv[0].name=PLIMSOLL_REPORT_INTERVAL_SECONDS,api.extraEnv[0].value=5';

interface Node extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { annotations: Record<string, string>; labels: Record<string, string> };
  spec: Record<string, unknown>;
  status: { allocatable: { cpu: string } };
}
interface Pod extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & {
    deletionTimestamp?: string;
    ownerReferences?: { kind: string; name: string }[];
  };
  spec: { nodeName?: string; containers: { resources: { requests?: { cpu?: string } } }[] };
  status: { phase: string; conditions?: { type: string; status: string; reason?: string }[] };
}

const tolerations = [{ key: 'node-role.kubernetes.io/control-plane', operator: 'Exists' }];
const deployment = (name: string, spec: object, { main = {}, replicas = 1 } = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: 'main',
            image: IMAGE,
            imagePullPolicy: 'IfNotPresent',
            command: ['/bin/sh', '-c', 'sleep 100000'],
            ...main,
          },
        ],
        ...spec,
      },
    },
  },
});
const onWorker = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [WORKER] }] };
const preferWorker = {
  nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: onWorker }] },
};
const apart = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: { app: 'apart' } }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
};
/** One workload for each reason for which a pod may or may not find another node. */
const workloads = (milli: number) => [
  deployment('moves', { tolerations, affinity: preferWorker }),
  deployment('taint', {}),
  deployment('port', { tolerations }, { main: { ports: [{ containerPort: 80, hostPort: 18_080 }] }, replicas: 2 }),
  deployment('apart', { tolerations, affinity: apart }, { replicas: 2 }),
  deployment('large', { tolerations }, { main: { resources: { requests: { cpu: `${String(milli)}m` } } } }),
];

const milliOf = (cpu: string): number => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);
const pods = () => list<Pod>(['pods', '-A']);
/** Returns what pods may still request of a node, in thousandths of a core. */
function freeOn(name: string): number {
  const node = list<Node>(['nodes']).find(({ metadata }) => metadata.name === name);
  const requested = pods()
    .filter(({ spec }) => spec.nodeName === name)
    .flatMap(({ spec }) => spec.containers)
    .reduce((sum, { resources }) => sum + milliOf(resources.requests?.cpu ?? '0'), 0);
  return milliOf(node?.status.allocatable.cpu ?? '0') - requested;
}

let dashboard: Dashboard;
beforeAll(async () => {
  kubectl(['create', 'namespace', NAMESPACE]);
  // Fits on the worker alone: the node of the control plane has the API server's own requests.
  const items = workloads(freeOn(CONTROL_PLANE) + 50);
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  for (const { metadata } of items)
    kubectl(['-n', NAMESPACE, 'rollout', 'status', `deployment/${metadata.name}`, '--timeout=60s']);
  // Installed after the workloads: the first plan, which is made within a minute, has them already.
  const place = '--set=api.nodeSelector.node-role\\.kubernetes\\.io/control-plane=,api.tolerations[0].operator=Exists';
  ({ dashboard } = await install([place, FAST]));
});
afterAll(() => {
  kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found']);
  remove();
});

/** Makes the Node object anew as it was; its kubelet still runs and goes on to report to it. */
function restore({ apiVersion, kind, metadata: { name, labels, annotations }, spec }: Node): void {
  const { podCIDR, podCIDRs, providerID } = spec;
  const node = { apiVersion, kind, metadata: { name, labels, annotations }, spec: { podCIDR, podCIDRs, providerID } };
  kubectl(['create', '-f', '-'], { input: JSON.stringify(node) });
  kubectl(['wait', `node/${name}`, '--for=condition=Ready', '--timeout=120s']);
  for (const kinds of ['daemonsets', 'deployments'])
    for (const { metadata } of list(['-A', kinds]))
      kubectl(['-n', metadata.namespace ?? '', 'rollout', 'status', `${kinds}/${metadata.name}`, '--timeout=120s']);
  kubectl(['wait', 'apiservice/v1beta1.metrics.k8s.io', '--for=condition=Available', '--timeout=120s']);
}

/** Returns the workload of a pod as namespace/name. Null: it ends with its node. */
function workloadOf({ metadata }: Pod): string | null {
  const [owner] = metadata.ownerReferences ?? [];
  if (owner === undefined || ['DaemonSet', 'Node'].includes(owner.kind)) return null;
  const hash = metadata.labels?.['pod-template-hash'];
  const name = hash === undefined ? owner.name : owner.name.replace(`-${hash}`, '');
  return `${metadata.namespace ?? ''}/${name}`;
}
/** Returns the number of pods by workload, sorted by its name. */
function countOf(of: readonly Pod[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const pod of of) {
    const workload = workloadOf(pod);
    if (workload !== null) counts.set(workload, (counts.get(workload) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].toSorted(([a], [b]) => a.localeCompare(b)));
}
const living = () =>
  pods().filter(
    ({ metadata, status }) => metadata.deletionTimestamp === undefined && ['Pending', 'Running'].includes(status.phase),
  );
const isRefused = ({ status }: Pod) =>
  status.conditions?.some(({ type, reason }) => type === 'PodScheduled' && reason === 'Unschedulable') === true;

interface Loss {
  node: string;
  pending: number | null;
  reason: string | null;
  who: { namespace: string; name: string; pods: number }[];
  moved: number;
}
interface Capacity {
  cluster: { reason: string | null; pods: number; loss: Loss[] } | null;
}
const forecast = async (): Promise<Loss | null> => {
  const counted = living().length;
  const { cluster } = await dashboard.get<Capacity>('/api/kubernetes/capacity');
  if (cluster === null || cluster.reason !== null || cluster.pods !== counted) return null;
  return cluster.loss.find(({ node, reason }) => node === WORKER && reason === null) ?? null;
};

/**
 * Drains and deletes the worker. Returns the pods that no node takes, by workload, once `all` pods are there again and the
 * scheduler has a verdict for each. The worker is back when it returns.
 */
async function withoutWorker(all: Record<string, number>): Promise<Record<string, number>> {
  const worker = list<Node>(['nodes']).find(({ metadata }) => metadata.name === WORKER);
  if (worker === undefined) throw new Error(`the cluster has no ${WORKER}`);
  try {
    // Without evictions: the collectors' budget would keep their last replica, which no other node takes.
    const drain = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--disable-eviction', '--timeout=120s'];
    kubectl(['drain', WORKER, ...drain]);
    kubectl(['delete', 'node', WORKER]);
    return await until('a verdict for each pod', 120, () => {
      const now = living();
      const isWhole = JSON.stringify(countOf(now)) === JSON.stringify(all);
      const waiting = now.filter(({ spec }) => spec.nodeName === undefined);
      return isWhole && waiting.every(isRefused) ? countOf(waiting) : null;
    });
  } finally {
    if (list(['nodes']).every(({ metadata }) => metadata.name !== WORKER)) restore(worker);
    else kubectl(['uncordon', WORKER]);
  }
}

test('after the loss of a node as many pods stay pending as the forecast says, of the workloads it names', async () => {
  // A plan is made anew every five minutes: one that was made before all pods were reported is not used.
  const { pending, who, moved } = await until('a plan that judges every pod', 420, forecast);
  const before = living();
  const [all, onLost] = [countOf(before), before.filter(({ spec }) => spec.nodeName === WORKER)];

  const refused = await withoutWorker(all);
  const total = Object.values(refused).reduce((sum, count) => sum + count, 0);
  expect({ pending, moved }).toEqual({
    pending: total,
    moved: Object.values(countOf(onLost)).reduce((sum, count) => sum + count, 0) - total,
  });
  expect(refused).toMatchObject(Object.fromEntries(who.map((one) => [`${one.namespace}/${one.name}`, one.pods])));
  const own = Object.entries(refused).filter(([name]) => name.startsWith(`${NAMESPACE}/`));
  expect(Object.fromEntries(own)).toEqual({
    [`${NAMESPACE}/apart`]: 1,
    [`${NAMESPACE}/large`]: 1,
    [`${NAMESPACE}/port`]: 1,
    [`${NAMESPACE}/taint`]: 1,
  });
}, 900_000);
