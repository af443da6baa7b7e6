import {
  emptyEvidence,
  type AlertSeen,
  type ChangeSeen,
  type ContainerSeen,
  type Evidence,
  type EventSeen,
  type FieldSeen,
  type LineSeen,
  type NodeSeen,
  type ObjectSeen,
  type PodSeen,
  type WorkloadSeen,
} from '../evidence.ts';

/**
 * A small shop in a cluster, as the product records it while it is well. A test takes it, breaks something, and adds what a
 * real cluster would show: events, last words, alerts, entries of the ledger.
 */

export const AT = Date.parse('2026-11-20T14:20:00Z') / 1000;
export const CLUSTER = 'cluster-1';
const NAMESPACE = 'shop';
export const ago = (minutes: number): number => AT - minutes * 60;

interface App {
  name: string;
  kind?: string;
  namespace?: string;
  image?: string;
  port?: number | null;
  replicas?: number;
  fields?: Record<string, string>;
  hidden?: readonly string[];
  claims?: readonly string[];
}

export const container = (image: string, of: Partial<ContainerSeen> = {}): ContainerSeen => ({
  name: 'app',
  image,
  isInit: false,
  status: 'running',
  ready: true,
  reason: null,
  restarts: 0,
  end: null,
  cpuLimitCores: 0.5,
  memoryLimitMb: 256,
  ...of,
});

export const podOf = (app: App, index: number, of: Partial<PodSeen> = {}): PodSeen => ({
  clusterId: CLUSTER,
  namespace: app.namespace ?? NAMESPACE,
  name: app.kind === 'StatefulSet' ? `${app.name}-${String(index)}` : `${app.name}-6f7d8c9b5d-x${String(index)}k4p`,
  ownerKind: app.kind ?? 'Deployment',
  ownerName: app.name,
  node: index % 2 === 0 ? 'node-1' : 'node-2',
  phase: 'Running',
  reason: null,
  ready: true,
  deleting: false,
  createdAt: ago(3000),
  labels: { app: app.name },
  claims: app.claims ?? [],
  containers: [container(app.image ?? `shop/${app.name}:1.0`)],
  restarts: [],
  cpuCores: [],
  memoryMb: [],
  ...of,
});

const workloadObject = (app: App): ObjectSeen => ({
  clusterId: CLUSTER,
  namespace: app.namespace ?? NAMESPACE,
  kind: app.kind ?? 'Deployment',
  name: app.name,
  fields: {
    replicas: String(app.replicas ?? 2),
    'template.labels.app': app.name,
    'containers.app.image': app.image ?? `shop/${app.name}:1.0`,
    ...(app.port != null && { 'containers.app.ports': `http ${String(app.port)}/TCP` }),
    ...app.fields,
  },
  hidden: app.hidden ?? [],
});
const serviceObject = (app: App): ObjectSeen => ({
  clusterId: CLUSTER,
  namespace: app.namespace ?? NAMESPACE,
  kind: 'Service',
  name: app.name,
  fields: { type: 'ClusterIP', ports: `${String(app.port)}→${String(app.port)}/TCP`, 'selector.app': app.name },
  hidden: [],
});

export const APPS: readonly App[] = [
  {
    name: 'front',
    port: 8080,
    hidden: ['containers.app.env.ORDERS_URL'],
    fields: { 'containers.app.readinessProbe': '{"httpGet":{"path":"/ready","port":8080}}' },
  },
  {
    name: 'orders',
    port: 8081,
    hidden: ['containers.app.env.DATABASE_URL'],
    fields: { 'containers.app.envFrom': 'ConfigMap orders-config' },
  },
  { name: 'payments', port: 8082 },
  { name: 'postgres', kind: 'StatefulSet', port: 5432, replicas: 1, image: 'postgres:17', claims: ['data-postgres-0'] },
  { name: 'redis', port: 6379, replicas: 1, image: 'redis:8' },
  { name: 'consumer', port: null, replicas: 1 },
  { name: 'loadgen', port: null, replicas: 1, hidden: ['containers.app.env.RATE'] },
];
const DNS: App = { name: 'coredns', namespace: 'kube-system', port: 53, image: 'coredns/coredns:1.12' };

const node = (name: string): NodeSeen => ({
  clusterId: CLUSTER,
  name,
  serverId: null,
  ready: true,
  isCordoned: false,
  taints: [],
  conditions: [{ type: 'Ready', status: 'True', message: 'kubelet is posting ready status', since: ago(9000) }],
  cores: 4,
  cpu: [],
  memory: [],
});

export function healthyShop(): Evidence {
  const all = [...APPS, DNS];
  return {
    ...emptyEvidence(AT, AT + 120),
    nodes: [node('node-1'), node('node-2')],
    pods: all.flatMap((app) => Array.from({ length: app.replicas ?? 2 }, (_, index) => podOf(app, index))),
    workloads: all.map((app): WorkloadSeen => ({
      clusterId: CLUSTER,
      namespace: app.namespace ?? NAMESPACE,
      kind: app.kind ?? 'Deployment',
      name: app.name,
      desired: app.replicas ?? 2,
      ready: app.replicas ?? 2,
    })),
    objects: [
      ...all.map(workloadObject),
      ...APPS.filter(({ port }) => port !== null).map(serviceObject),
      {
        clusterId: CLUSTER,
        namespace: 'kube-system',
        kind: 'Service',
        name: 'kube-dns',
        fields: { ports: 'dns 53→53/UDP', 'selector.app': 'coredns' },
        hidden: [],
      },
      {
        clusterId: CLUSTER,
        namespace: NAMESPACE,
        kind: 'Ingress',
        name: 'shop',
        fields: { 'rules.shop.example.net/': 'Service front:8080' },
        hidden: [],
      },
      {
        clusterId: CLUSTER,
        namespace: NAMESPACE,
        kind: 'ConfigMap',
        name: 'orders-config',
        fields: {},
        hidden: ['data.DB_HOST', 'data.LOG_LEVEL'],
      },
    ],
    claims: [
      {
        clusterId: CLUSTER,
        namespace: NAMESPACE,
        name: 'data-postgres-0',
        phase: 'Bound',
        storageClass: 'standard',
        usedPercent: 40,
        reason: null,
      },
    ],
  };
}

/** The pods of an app, changed. */
export const withPods = (evidence: Evidence, app: string, change: (pod: PodSeen) => PodSeen): Evidence => ({
  ...evidence,
  pods: evidence.pods.map((pod) => (pod.ownerName === app ? change(pod) : pod)),
});
export const withObject = (
  evidence: Evidence,
  kind: string,
  name: string,
  change: (object: ObjectSeen) => ObjectSeen | null,
): Evidence => ({
  ...evidence,
  objects: evidence.objects.flatMap((object) =>
    object.kind === kind && object.name === name ? (change(object) ?? []) : [object],
  ),
});
export const withFields = (
  evidence: Evidence,
  kind: string,
  name: string,
  fields: Readonly<Record<string, string | null>>,
): Evidence =>
  withObject(evidence, kind, name, (object) => ({
    ...object,
    fields: Object.fromEntries(
      Object.entries({ ...object.fields, ...fields }).flatMap(([field, value]) =>
        value === null ? [] : [[field, value]],
      ),
    ),
  }));

export const change = (
  kind: string,
  name: string,
  minutes: number,
  fields: readonly FieldSeen[],
  of: Partial<ChangeSeen> = {},
): ChangeSeen => ({
  id: `${kind}-${name}-${String(minutes)}`,
  at: ago(minutes),
  source: 'cluster',
  action: 'changed',
  kind,
  namespace: NAMESPACE,
  name,
  title: fields.map(({ field }) => field).join(', ') || (of.action ?? 'changed'),
  by: 'kubectl-edit',
  clusterId: CLUSTER,
  serverId: null,
  hostname: null,
  fields,
  ...of,
});
export const field = (name: string, before: string | null, after: string | null): FieldSeen => ({
  field: name,
  was: before === null && after !== null ? 'set' : before !== null && after === null ? 'removed' : 'changed',
  before,
  after,
});
/** A value that stays in the cluster. */
export const hiddenField = (name: string, was: FieldSeen['was'] = 'changed'): FieldSeen => ({
  field: name,
  was,
  before: null,
  after: null,
});

export const alert = (name: string, metric: string, minutes: number, of: Partial<AlertSeen> = {}): AlertSeen => ({
  id: `alert-${metric}-${name}`,
  metric,
  title: `${metric} of ${name}`,
  message: '',
  at: ago(minutes),
  subject: '',
  serverId: null,
  hostname: null,
  object: { clusterId: CLUSTER, namespace: NAMESPACE, kind: name === 'postgres' ? 'StatefulSet' : 'Deployment', name },
  ...of,
});
export const event = (
  [kind, name]: readonly [kind: string, name: string],
  reason: string,
  message: string,
  minutes: number,
  of: Partial<EventSeen> = {},
): EventSeen => ({
  clusterId: CLUSTER,
  namespace: NAMESPACE,
  kind,
  name,
  type: 'Warning',
  reason,
  message,
  count: 3,
  firstAt: ago(minutes),
  lastAt: ago(Math.max(0, minutes - 2)),
  ...of,
});
export const lastWords = (pod: string, text: string, minutes: number): LineSeen => ({
  at: ago(minutes),
  kind: 'last_words',
  text,
  count: 1,
  subject: null,
  serverId: null,
  clusterId: CLUSTER,
  namespace: NAMESPACE,
  pod,
});

/** It ends again and again. */
export const crashing = (
  pod: PodSeen,
  minutes: number,
  words: string | null,
  of: Partial<ContainerSeen> = {},
): PodSeen => ({
  ...pod,
  ready: false,
  reason: 'CrashLoopBackOff',
  restarts: [1, 3, 6].map((each) => ({
    at: ago(minutes) + each * 30,
    reason: 'Error',
    exitCode: 1,
    memoryLimitMb: 256,
  })),
  containers: pod.containers.map((one) => ({
    ...one,
    status: 'waiting',
    ready: false,
    reason: 'CrashLoopBackOff',
    restarts: 3,
    end: { reason: 'Error', message: words, exitCode: 1, at: ago(minutes) + 180 },
    ...of,
  })),
});
export const notReady = (pod: PodSeen, of: Partial<PodSeen> = {}): PodSeen => ({
  ...pod,
  ready: false,
  containers: pod.containers.map((one) => ({ ...one, ready: false })),
  ...of,
});
export const young = (pod: PodSeen, minutes: number): PodSeen => ({ ...pod, createdAt: ago(minutes) });
/** It waits, and its container does not start. */
export const waiting = (pod: PodSeen, reason: string, minutes: number): PodSeen => ({
  ...pod,
  phase: 'Pending',
  ready: false,
  reason,
  createdAt: ago(minutes),
  containers: pod.containers.map((one) => ({ ...one, status: 'waiting', ready: false, reason })),
});
export const unscheduled = (pod: PodSeen, minutes: number): PodSeen => ({
  ...waiting(pod, 'Unschedulable', minutes),
  node: null,
  containers: [],
});
