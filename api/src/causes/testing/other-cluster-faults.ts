import type { Evidence, EventSeen, NodeSeen, ObjectSeen, PodSeen, Point } from '../evidence.ts';
import { bareServer } from './bare-server.ts';
import type { OtherFault } from './other-host-faults.ts';
import {
  ago,
  alert,
  APPS,
  change,
  CLUSTER,
  container,
  crashing,
  event,
  field,
  healthyShop,
  hiddenField,
  lastWords,
  notReady,
  podOf,
  unscheduled,
  waiting,
  withFields,
  withObject,
  withPods,
  young,
} from './shop.ts';

/** Faults of clusters of kinds that neither the lab nor the other tests have. */

type Change = (evidence: Evidence) => Evidence;
const fault = (
  id: string,
  right: readonly RegExp[],
  more: Pick<OtherFault, 'never' | 'untrue' | 'isHard'>,
  ...steps: readonly Change[]
): OtherFault => ({ id, right, ...more, evidence: steps.reduce((evidence, each) => each(evidence), healthyShop()) });
const add =
  (more: Partial<Evidence>): Change =>
  (evidence) => ({
    ...evidence,
    ...Object.fromEntries(
      Object.entries(more).map(([part, list]) => [part, [...(evidence[part as 'pods'] as unknown[]), ...(list as [])]]),
    ),
  });
const pods =
  (app: string, of: (pod: PodSeen) => PodSeen): Change =>
  (evidence) =>
    withPods(evidence, app, of);
const nodes =
  (name: string, of: (node: NodeSeen) => NodeSeen): Change =>
  (evidence) => ({ ...evidence, nodes: evidence.nodes.map((node) => (node.name === name ? of(node) : node)) });
const fields =
  (kind: string, name: string, of: Parameters<typeof withFields>[3]): Change =>
  (evidence) =>
    withFields(evidence, kind, name, of);
const POD = (app: string, index = 0): string => `${app}-6f7d8c9b5d-x${String(index)}k4p`;
const object = (kind: string, name: string, own: Record<string, string>, of: Partial<ObjectSeen> = {}): ObjectSeen => ({
  clusterId: CLUSTER,
  namespace: 'shop',
  kind,
  name,
  fields: own,
  hidden: [],
  ...of,
});
const nodeAlert = (name: string, metric: string, minutes: number) =>
  alert(name, metric, minutes, { object: { clusterId: CLUSTER, namespace: null, kind: 'Node', name } });
const stepped = (was: number, is: number, minutes: number): Point[] =>
  Array.from({ length: 60 }, (_, index) => ({ at: ago(60 - index), value: 60 - index > minutes ? was : is }));
const ready = (app: string, minutes: number, before = '1', after = '2') =>
  change('EndpointSlice', `${app}-abcde`, minutes, [field('readyAddresses', before, after)], {
    by: 'kube-controller-manager',
  });
const unhealthy = (
  app: string,
  words = 'Readiness probe failed: HTTP probe failed with statuscode: 503',
  minutes = 6,
) => event(['Pod', POD(app)], 'Unhealthy', words, minutes);
const CHECK = {
  id: 'check-1',
  name: 'shop',
  target: 'GET https://shop.example.net/',
  status: 'down',
  since: ago(3),
  reason: 'status_unexpected',
  serverId: null,
};
const checkFails = (minutes = 2, metric = 'check_failed'): Change =>
  add({
    checks: [CHECK],
    alerts: [alert('shop', metric, minutes, { object: null, subject: CHECK.id, title: 'Check shop failed' })],
  });
const frontSuffers = (words = ''): Change[] => [
  pods('front', (pod) => notReady(pod)),
  add({
    alerts: [alert('front', 'replicas_missing', 1)],
    events: [unhealthy('front')],
    lines: words === '' ? [] : [lastWords(POD('front'), words, 4)],
  }),
];
/** Rollouts of neighbours that went well, an autoscaler, a new ConfigMap and a marked change. */
const decoys = add({
  changes: [
    change('Deployment', 'payments', 22, [field('containers.app.image', 'shop/payments:0.9', 'shop/payments:1.0')]),
    ready('payments', 21),
    change('Deployment', 'redis', 12, [hiddenField('containers.app.env.MOTTO')]),
    ready('redis', 11, '0', '1'),
    change('HorizontalPodAutoscaler', 'front', 15, [field('maxReplicas', '6', '8')]),
    change('ConfigMap', 'banner', 9, [hiddenField('data.text')]),
    change('ConfigMap', 'banner-2', 8, [], { action: 'added' }),
  ],
});
const DECOYS = [/payments/, /redis/, /banner/, /HorizontalPodAutoscaler/];
const evictedFor = (message: string, minutes = 5): EventSeen[] => [
  event(['Pod', POD('payments')], 'Evicted', message, minutes),
];
const elsewhere = (name: string, namespace: string, of: Partial<PodSeen> = {}): PodSeen =>
  podOf({ name, namespace, image: `${name}:1` }, 0, of);

const dependencies: readonly OtherFault[] = [
  fault(
    'certificate-of-a-service',
    [/payments/],
    { never: [/redis/, /banner/, /Autoscaler/, /Deployment orders/] },
    decoys,
    pods('orders', (pod) =>
      crashing(pod, 6, 'Get "https://payments:8082/": x509: certificate has expired or is not yet valid'),
    ),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'secret-rotated',
    [/postgres|Deployment orders/],
    { never: [...DECOYS, /front/, /consumer/] },
    decoys,
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'FATAL: password authentication failed for user "shop"')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [
        change('Deployment', 'orders', 8, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'tls-secret-missing',
    [/Secret orders-tls/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => waiting(pod, 'ContainerCreating', 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      events: [
        event(
          ['Pod', POD('orders')],
          'FailedMount',
          'MountVolume.SetUp failed for volume "tls" : secret "orders-tls" not found',
          6,
        ),
      ],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'other-namespace-breaks',
    [/Deployment auth/],
    { never: DECOYS },
    decoys,
    add({
      pods: [crashing(elsewhere('auth', 'identity', { createdAt: ago(8) }), 7, 'panic: invalid signing key')],
      workloads: [
        { clusterId: CLUSTER, namespace: 'identity', kind: 'Deployment', name: 'auth', desired: 1, ready: 0 },
      ],
      objects: [
        object(
          'Deployment',
          'auth',
          { 'template.labels.app': 'auth', 'containers.app.image': 'auth:2' },
          { namespace: 'identity' },
        ),
        object('Service', 'auth', { ports: '9000→9000/TCP', 'selector.app': 'auth' }, { namespace: 'identity' }),
      ],
      changes: [
        change('Deployment', 'auth', 8, [field('containers.app.image', 'auth:1', 'auth:2')], { namespace: 'identity' }),
      ],
    }),
    ...frontSuffers('dial tcp: connect: connection refused http://auth.identity.svc:9000/token'),
  ),
  fault(
    'three-hops',
    [/data-postgres-0/],
    { never: [...DECOYS, /orders/, /front/, /Ingress/] },
    decoys,
    (evidence) => ({ ...evidence, claims: evidence.claims.map((claim) => ({ ...claim, usedPercent: 100 })) }),
    pods('postgres', (pod) => crashing(pod, 8, 'PANIC: could not write to file "pg_wal/x": No space left on device')),
    pods('orders', (pod) => crashing(pod, 7, 'connect ECONNREFUSED postgres:5432')),
    pods('front', (pod) => notReady(pod)),
    add({ events: [unhealthy('front')], lines: [lastWords(POD('front'), 'connect ECONNREFUSED orders:8081', 5)] }),
    checkFails(),
  ),
  fault(
    'too-many-clients-after-scaling',
    [/postgres|Deployment orders/],
    { never: DECOYS },
    decoys,
    pods('consumer', (pod) => crashing(pod, 6, 'FATAL: sorry, too many clients already')),
    add({
      alerts: [alert('consumer', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 9, [field('replicas', '2', '20')])],
      lines: [lastWords(POD('orders'), 'FATAL: sorry, too many clients already', 6)],
    }),
  ),
  fault(
    'resolver-configuration',
    [/coredns/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => crashing(pod, 6, 'lookup postgres on 10.96.0.10:53: server misbehaving')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('ConfigMap', 'coredns', 9, [hiddenField('data.Corefile')], { namespace: 'kube-system' })],
    }),
    ...frontSuffers('getaddrinfo EAI_AGAIN orders'),
  ),
  fault(
    'egress-denied',
    [/NetworkPolicy deny-egress/],
    { never: [...DECOYS, /coredns/] },
    decoys,
    pods('orders', (pod) => crashing(pod, 6, 'getaddrinfo EAI_AGAIN postgres')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      objects: [object('NetworkPolicy', 'deny-egress', { podSelector: '{}', policyTypes: '["Egress"]' })],
      changes: [change('NetworkPolicy', 'deny-egress', 8, [], { action: 'added' })],
    }),
    ...frontSuffers('getaddrinfo EAI_AGAIN orders'),
  ),
  fault(
    'policy-of-another-workload',
    [/Deployment orders/],
    { never: [...DECOYS, /NetworkPolicy/] },
    decoys,
    pods('orders', (pod) => crashing(young(pod, 7), 6, 'panic: nil map')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      objects: [
        object('NetworkPolicy', 'redis-only', {
          podSelector: '{"matchLabels":{"app":"redis"}}',
          policyTypes: '["Ingress"]',
          ingress: '[{"from":[{"podSelector":{}}]}]',
        }),
      ],
      changes: [
        change('NetworkPolicy', 'redis-only', 6, [], { action: 'added' }),
        change('Deployment', 'orders', 7, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:1.1')]),
      ],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'service-lost-its-node-port',
    [/Service front/],
    { never: DECOYS },
    decoys,
    fields('Service', 'front', { type: 'ClusterIP' }),
    add({ changes: [change('Service', 'front', 6, [field('type', 'LoadBalancer', 'ClusterIP')])] }),
    checkFails(),
  ),
  fault(
    'ingress-deleted',
    [/Ingress shop/],
    { never: DECOYS },
    decoys,
    (evidence) => withObject(evidence, 'Ingress', 'shop', () => null),
    add({ changes: [change('Ingress', 'shop', 5, [], { action: 'gone' })] }),
    checkFails(),
  ),
  fault(
    'certificate-of-a-webhook',
    [/ValidatingWebhookConfiguration policy/],
    { never: DECOYS },
    decoys,
    add({
      alerts: [alert('orders', 'replicas_missing', 3)],
      objects: [
        object(
          'ValidatingWebhookConfiguration',
          'policy',
          { 'webhooks.check.policy.example.net.failurePolicy': 'Fail' },
          { namespace: null },
        ),
      ],
      events: [
        event(
          ['ReplicaSet', 'orders-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: Internal error occurred: failed calling webhook "check.policy.example.net": failed to call webhook: Post "https://policy.tools.svc:443/": tls: failed to verify certificate: x509: certificate has expired',
          7,
        ),
      ],
    }),
  ),
  fault(
    'read-only-database',
    [/postgres/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => crashing(pod, 6, 'ERROR: cannot execute INSERT in a read-only transaction')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
  ),
];

const capacity: readonly OtherFault[] = [
  fault(
    'autoscaler-at-its-maximum',
    [/front/],
    { never: [/payments/, /redis/, /banner/], isHard: true },
    add({
      changes: [
        change('Deployment', 'payments', 22, [field('containers.app.image', 'a:1', 'a:2')]),
        ready('payments', 21),
        change('Deployment', 'front', 25, [field('replicas', '2', '3')], { by: 'kube-controller-manager' }),
      ],
      objects: [object('HorizontalPodAutoscaler', 'front', { target: 'Deployment/front', maxReplicas: '2' })],
    }),
    pods('front', (pod) => ({ ...pod, cpuCores: stepped(0.1, 0.49, 20) })),
    checkFails(2, 'check_slow'),
  ),
  fault(
    'neighbour-of-another-namespace',
    [/hog/],
    { never: DECOYS },
    decoys,
    nodes('node-1', (node) => ({ ...node, cpu: stepped(30, 99, 12) })),
    pods('front', (pod) => (pod.node === 'node-1' ? notReady(pod) : pod)),
    add({
      pods: [
        elsewhere('hog', 'batch', {
          createdAt: ago(13),
          cpuCores: stepped(0, 3.3, 12),
          containers: [container('hog:1', { cpuLimitCores: null })],
        }),
      ],
      alerts: [alert('front', 'replicas_missing', 2)],
      events: [unhealthy('front', 'Readiness probe failed: context deadline exceeded (Client.Timeout exceeded)')],
      changes: [change('Job', 'hog', 13, [], { action: 'added', namespace: 'batch' })],
    }),
  ),
  fault(
    'node-disk-filled-by-another',
    [/chatty/],
    { never: DECOYS },
    decoys,
    nodes('node-1', (node) => ({
      ...node,
      conditions: [
        ...node.conditions,
        { type: 'DiskPressure', status: 'True', message: 'kubelet has disk pressure', since: ago(6) },
      ],
    })),
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted' } : pod,
    ),
    add({
      pods: [elsewhere('chatty', 'tools', { phase: 'Failed', ready: false, reason: 'Evicted' })],
      alerts: [nodeAlert('node-1', 'node_pressure', 5), alert('payments', 'replicas_missing', 3)],
      events: [
        ...evictedFor(
          'The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 20Mi. Container app was using 24Ki, request is 0, has larger consumption of ephemeral-storage.',
        ),
        event(
          ['Pod', POD('chatty')],
          'Evicted',
          'The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 20Mi. Container app was using 31Gi, request is 0, has larger consumption of ephemeral-storage.',
          5,
          { namespace: 'tools' },
        ),
      ],
    }),
  ),
  fault(
    'own-ephemeral-storage',
    [/Deployment payments/],
    { never: [/redis/, /banner/, /Autoscaler/, /node-/], untrue: /too little memory/ },
    decoys,
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted' } : pod,
    ),
    add({
      alerts: [alert('payments', 'replicas_missing', 3)],
      events: evictedFor('Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. '),
    }),
  ),
  fault(
    'own-empty-dir',
    [/Deployment payments/],
    { never: [/redis/, /banner/, /Autoscaler/, /node-/], untrue: /too little memory/ },
    decoys,
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted' } : pod,
    ),
    add({
      alerts: [alert('payments', 'replicas_missing', 3)],
      events: evictedFor('Usage of EmptyDir volume "cache" exceeds the limit "1Gi". '),
    }),
  ),
  fault(
    'drain-held-by-a-budget',
    [/Node node-1/],
    { never: DECOYS },
    decoys,
    nodes('node-1', (node) => ({ ...node, isCordoned: true })),
    pods('consumer', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('consumer', 'pod_pending', 3)],
      changes: [change('Node', 'node-1', 10, [field('cordoned', 'no', 'yes')], { namespace: null })],
      objects: [object('PodDisruptionBudget', 'front', { minAvailable: '2' })],
      events: [
        event(
          ['Pod', POD('consumer')],
          'FailedScheduling',
          '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
          8,
        ),
      ],
    }),
  ),
  fault(
    'quota-met-by-scaling',
    [/ResourceQuota compute|Deployment front/],
    { never: DECOYS },
    decoys,
    add({
      alerts: [alert('front', 'replicas_missing', 3)],
      objects: [object('ResourceQuota', 'compute', { 'hard.pods': '9' })],
      changes: [change('Deployment', 'front', 8, [field('replicas', '2', '8')])],
      events: [
        event(
          ['ReplicaSet', 'front-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: pods "front-x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=9, limited: pods=9',
          7,
        ),
      ],
    }),
  ),
  fault(
    'taint-that-evicts',
    [/Node node-1/],
    { never: DECOYS },
    decoys,
    pods('consumer', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('consumer', 'pod_pending', 3)],
      changes: [
        change('Node', 'node-1', 9, [field('taints.maintenance=true:NoExecute', null, 'NoExecute')], {
          namespace: null,
        }),
      ],
      events: [
        event(['Pod', POD('consumer')], 'TaintManagerEviction', 'Marking for deletion Pod shop/consumer', 9, {
          type: 'Normal',
        }),
        event(
          ['Pod', POD('consumer')],
          'FailedScheduling',
          '0/2 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint {maintenance: true}.',
          8,
        ),
      ],
    }),
  ),
  fault(
    'room-taken-in-another-namespace',
    [/Deployment render/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      pods: [elsewhere('render', 'media'), podOf({ name: 'render', namespace: 'media' }, 1)],
      workloads: [
        { clusterId: CLUSTER, namespace: 'media', kind: 'Deployment', name: 'render', desired: 30, ready: 30 },
      ],
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [
        change('Deployment', 'render', 14, [field('replicas', '2', '30')], { namespace: 'media' }),
        change('Deployment', 'orders', 7, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 7)],
    }),
  ),
  fault(
    'node-taken-away',
    [/Node node-3/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [change('Node', 'node-3', 9, [], { namespace: null, action: 'gone' })],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 7)],
    }),
  ),
  fault(
    'preempted-by-a-batch',
    [/batch-import|importer/],
    { never: DECOYS },
    decoys,
    (evidence) => ({ ...evidence, pods: evidence.pods.filter(({ name }) => name !== POD('payments')) }),
    add({
      alerts: [alert('payments', 'replicas_missing', 3)],
      pods: [elsewhere('importer', 'batch', { createdAt: ago(6) })],
      workloads: [
        { clusterId: CLUSTER, namespace: 'batch', kind: 'Deployment', name: 'importer', desired: 1, ready: 1 },
      ],
      changes: [change('Deployment', 'importer', 7, [], { action: 'added', namespace: 'batch' })],
      events: [
        event(
          ['Pod', POD('payments')],
          'Preempted',
          'Preempted by pod batch/importer-6f7d8c9b5d-x0k4p on node node-1',
          6,
        ),
      ],
    }),
  ),
  fault(
    'leak-of-hours',
    [/Deployment orders/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => ({
      ...notReady(pod),
      restarts: [360, 180, 4].map((minutes) => ({
        at: ago(minutes),
        reason: 'OOMKilled',
        exitCode: 137,
        memoryLimitMb: 256,
      })),
    })),
    add({ alerts: [alert('orders', 'pod_oom_kill', 3)] }),
  ),
  fault(
    'limit-range-appears',
    [/LimitRange defaults/],
    { never: [/payments/, /redis/, /banner/, /Autoscaler/] },
    decoys,
    pods('orders', (pod) =>
      crashing(young(pod, 7), 6, null, {
        memoryLimitMb: 32,
        end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(5) },
      }),
    ),
    add({
      alerts: [alert('orders', 'pod_oom_kill', 3)],
      objects: [object('LimitRange', 'defaults', { 'limits.Container': '{"default":{"memory":"32Mi"}}' })],
      changes: [
        change('LimitRange', 'defaults', 20, [], { action: 'added' }),
        change('Deployment', 'orders', 7, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
    }),
  ),
  fault(
    'cron-jobs-overlap',
    [/report|postgres/],
    { never: DECOYS },
    decoys,
    pods('postgres', (pod) => ({ ...notReady(pod), cpuCores: stepped(0.1, 0.5, 20) })),
    add({
      pods: [0, 1, 2].map((index) =>
        podOf({ name: 'report', port: null }, index, {
          ownerKind: 'Job',
          ownerName: `report-2938440${String(index)}`,
          createdAt: ago(26 - 8 * index),
        }),
      ),
      objects: [object('CronJob', 'report', { schedule: '*/8 * * * *', concurrencyPolicy: 'Allow' })],
      alerts: [alert('postgres', 'replicas_missing', 3)],
      events: [event(['Pod', 'postgres-0'], 'Unhealthy', 'Readiness probe failed: timeout: failed to connect', 5)],
    }),
  ),
];

const rollouts: readonly OtherFault[] = [
  fault(
    'tag-mutated',
    [/Deployment orders/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => crashing(young(pod, 7), 6, "Error: Cannot find module '/app/server.js'")),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'stricter-probe',
    [/Deployment orders/, /change Deployment-orders-8/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => notReady(young(pod, 8))),
    add({
      alerts: [alert('orders', 'replicas_missing', 3)],
      changes: [
        change('Deployment', 'orders', 8, [
          field(
            'containers.app.readinessProbe',
            '{"httpGet":{"path":"/ready","port":8081}}',
            '{"httpGet":{"path":"/deep","port":8081}}',
          ),
        ]),
      ],
      events: [unhealthy('orders', 'Readiness probe failed: HTTP probe failed with statuscode: 404', 7)],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'no-addresses-for-pods',
    [/Node|Deployment orders/],
    { never: [...DECOYS, /change Deployment-orders/] },
    decoys,
    pods('orders', (pod) => waiting(pod, 'ContainerCreating', 8)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:1.1')]),
      ],
      events: [
        event(
          ['Pod', POD('orders')],
          'FailedCreatePodSandBox',
          'Failed to create pod sandbox: rpc error: plugin type="calico" failed (add): failed to request IPv4 addresses: no IPs available',
          7,
        ),
      ],
    }),
  ),
  fault(
    'registry-down',
    [/peer registry/],
    { never: [/change/, /redis/, /banner/] },
    decoys,
    pods('orders', (pod) => waiting(pod, 'ImagePullBackOff', 8)),
    pods('consumer', (pod) => waiting(pod, 'ErrImagePull', 7)),
    ...['orders', 'consumer'].map((app) =>
      pods(app, (pod) => ({
        ...pod,
        containers: pod.containers.map((one) => ({ ...one, image: `registry.example.net/shop/${app}:1.0` })),
      })),
    ),
    add({
      alerts: [alert('orders', 'pod_image_pull', 3), alert('consumer', 'pod_image_pull', 3)],
      events: ['orders', 'consumer'].map((app) =>
        event(
          ['Pod', POD(app)],
          'Failed',
          `Failed to pull image "registry.example.net/shop/${app}:1.0": dial tcp 10.9.9.9:443: i/o timeout`,
          7,
        ),
      ),
    }),
  ),
  fault(
    'sidecar-injected',
    [/MutatingWebhookConfiguration mesh|Deployment orders/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => ({
      ...crashing(young(pod, 7), 6, 'exit'),
      containers: [
        container('shop/orders:1.0'),
        container('mesh/proxy:1', {
          name: 'mesh-proxy',
          ready: false,
          status: 'waiting',
          reason: 'CrashLoopBackOff',
          end: {
            reason: 'Error',
            message: 'cannot reach control plane mesh.mesh-system:15012',
            exitCode: 1,
            at: ago(4),
          },
        }),
      ],
    })),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [
        change('MutatingWebhookConfiguration', 'mesh', 12, [], { action: 'added', namespace: null }),
        change('Deployment', 'orders', 7, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
    }),
  ),
  fault(
    'two-rollouts-one-guilty',
    [/Deployment orders/],
    { never: [/payments/, /redis/] },
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'TypeError: cannot read properties of undefined')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:1.1')]),
        change('Deployment', 'payments', 8, [field('containers.app.image', 'shop/payments:1.0', 'shop/payments:1.1')]),
        change('Deployment', 'redis', 7.5, [field('containers.app.image', 'redis:7', 'redis:8')]),
      ],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'change-after-the-onset',
    [/Deployment consumer/],
    { never: [/change Deployment-consumer/, ...DECOYS] },
    decoys,
    pods('consumer', (pod) => crashing(pod, 14, 'SyntaxError: Unexpected token in message 4711')),
    add({
      alerts: [alert('consumer', 'pod_crash_loop', 11)],
      changes: [
        change('Deployment', 'consumer', 5, [field('containers.app.image', 'shop/consumer:1.0', 'shop/consumer:0.9')]),
      ],
    }),
  ),
  fault(
    'fix-during-the-incident',
    [/Deployment orders/, /change Deployment-orders-14/],
    { never: [/change Deployment-orders-4/, ...DECOYS] },
    decoys,
    pods('orders', (pod) => crashing(young(pod, 14), 13, 'panic: nil map')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 11), alert('orders', 'replicas_missing', 2)],
      changes: [
        change('Deployment', 'orders', 14, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:1.1')]),
        change('Deployment', 'orders', 4, [hiddenField('containers.app.env.DEBUG', 'set')]),
      ],
    }),
  ),
  fault(
    'network-plugin-rolled-out',
    [/DaemonSet cilium/],
    { never: DECOYS, isHard: true },
    decoys,
    add({
      pods: [0, 1].map((index) =>
        crashing(
          podOf({ name: 'cilium', kind: 'DaemonSet', namespace: 'kube-system', port: null }, index, {
            createdAt: ago(9),
          }),
          8,
          'level=fatal msg="kernel too old"',
        ),
      ),
      workloads: [
        { clusterId: CLUSTER, namespace: 'kube-system', kind: 'DaemonSet', name: 'cilium', desired: 2, ready: 0 },
      ],
      objects: [object('DaemonSet', 'cilium', { 'containers.app.image': 'cilium:2' }, { namespace: 'kube-system' })],
      changes: [
        change('DaemonSet', 'cilium', 9, [field('containers.app.image', 'cilium:1', 'cilium:2')], {
          namespace: 'kube-system',
        }),
      ],
    }),
    ...frontSuffers('connect ETIMEDOUT 10.96.4.4:8081'),
  ),
  fault(
    'node-rebooted-for-a-kernel',
    [/Node node-1/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) =>
      pod.node === 'node-1'
        ? { ...notReady(pod), restarts: [{ at: ago(6), reason: 'Unknown', exitCode: 255, memoryLimitMb: 256 }] }
        : pod,
    ),
    add({
      alerts: [alert('orders', 'pod_restarts', 3)],
      changes: [
        change('Node', 'node-1', 7, [field('kernel', '6.1.0-30', '6.1.0-31'), field('bootId', 'a', 'b')], {
          namespace: null,
          by: null,
        }),
      ],
      events: [
        event(['Node', 'node-1'], 'Rebooted', 'Node node-1 has been rebooted, boot id: b', 7, { namespace: null }),
      ],
    }),
  ),
  fault(
    'host-path-missing',
    [/Deployment orders|Node/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => waiting(pod, 'ContainerCreating', 8)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      events: [
        event(
          ['Pod', POD('orders')],
          'FailedMount',
          'MountVolume.SetUp failed for volume "data" : hostPath type check failed: /srv/orders is not a directory',
          7,
        ),
      ],
    }),
  ),
  fault(
    'job-past-its-deadline',
    [/Job export/],
    { never: DECOYS },
    decoys,
    add({
      alerts: [
        alert('export', 'job_failed', 3, {
          object: { clusterId: CLUSTER, namespace: 'shop', kind: 'Job', name: 'export' },
        }),
      ],
      pods: [
        podOf({ name: 'export', port: null }, 0, {
          ownerKind: 'Job',
          ownerName: 'export',
          phase: 'Failed',
          ready: false,
          createdAt: ago(64),
        }),
      ],
      events: [event(['Job', 'export'], 'DeadlineExceeded', 'Job was active longer than specified deadline', 4)],
    }),
  ),
  fault(
    'autoscaler-without-figures',
    [/front|HorizontalPodAutoscaler front/],
    { never: [/payments/, /redis/, /banner/], isHard: true },
    add({
      changes: [
        change('Deployment', 'payments', 22, [field('containers.app.image', 'a:1', 'a:2')]),
        ready('payments', 21),
      ],
      objects: [object('HorizontalPodAutoscaler', 'front', { target: 'Deployment/front', maxReplicas: '9' })],
      events: [
        event(
          ['HorizontalPodAutoscaler', 'front'],
          'FailedGetResourceMetric',
          'unable to get metrics for resource cpu: no metrics returned',
          20,
        ),
      ],
    }),
    pods('front', (pod) => ({ ...pod, cpuCores: stepped(0.1, 0.49, 20) })),
    checkFails(2, 'check_slow'),
  ),
];

const healthy: readonly OtherFault[] = [
  fault('healthy-check-flaps', [], {}, decoys, checkFails()),
  fault(
    'healthy-rollouts-and-a-flap',
    [],
    {},
    decoys,
    add({
      changes: APPS.flatMap(({ name }, index) => [
        change('Deployment', name, 50 - index, [field('containers.app.image', 'a:1', 'a:2')]),
        ready(name, 49 - index),
      ]),
    }),
    checkFails(),
  ),
  fault(
    'healthy-node-at-its-line',
    [],
    {},
    decoys,
    add({
      alerts: [nodeAlert('node-1', 'cluster_requested', 3)],
      changes: [change('ConfigMap', 'orders-config', 9, [hiddenField('data.LOG_LEVEL')])],
    }),
  ),
  fault(
    'healthy-restart-of-one-pod',
    [],
    {},
    decoys,
    pods('payments', (pod) => ({
      ...pod,
      restarts: [{ at: ago(6), reason: 'Completed', exitCode: 0, memoryLimitMb: 256 }],
    })),
    add({ alerts: [alert('orders', 'workload_too_small', 3)] }),
  ),
  fault(
    'healthy-scaling-down',
    [],
    {},
    decoys,
    add({
      changes: [change('Deployment', 'front', 9, [field('replicas', '4', '2')])],
      events: [
        event(['Pod', POD('front', 3)], 'Killing', 'Stopping container app', 9, { type: 'Normal' }),
        unhealthy('front', undefined, 9),
      ],
    }),
    checkFails(2, 'check_slow'),
  ),
];

/** Harmless changes of the last minutes. */
const near = add({
  changes: [
    change('Deployment', 'payments', 6, [field('containers.app.image', 'shop/payments:0.9', 'shop/payments:1.0')]),
    ready('payments', 5),
    change('Deployment', 'redis', 5, [hiddenField('containers.app.env.MOTTO')]),
    ready('redis', 4.5, '0', '1'),
    change('ConfigMap', 'banner', 4, [hiddenField('data.text')]),
  ],
});
const NEAR = [/payments/, /redis/, /banner/];
const besideNearChanges: readonly OtherFault[] = [
  fault(
    'own-rollout-beside-near-ones',
    [/Deployment orders/, /change Deployment-orders-6/],
    { never: NEAR },
    near,
    pods('orders', (pod) => crashing(young(pod, 6), 5, 'panic: nil map')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 6, [field('containers.app.image', 'a', 'b')])],
    }),
    ...frontSuffers(),
  ),
  fault(
    'outside-provider',
    [/Deployment orders|peer/],
    { never: NEAR, isHard: true },
    near,
    pods('orders', (pod) => crashing(pod, 6, 'connect ETIMEDOUT api.pay.example.com:443')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'suspended-cron-job',
    [/CronJob report/],
    { never: NEAR, isHard: true },
    near,
    add({
      objects: [object('CronJob', 'report', { suspend: 'true' })],
      changes: [change('CronJob', 'report', 40, [field('suspend', 'false', 'true')])],
    }),
    checkFails(2, 'heartbeat_missed'),
  ),
  fault(
    'autoscaler-bound-lowered',
    [/HorizontalPodAutoscaler front|Deployment front/],
    { never: NEAR },
    near,
    add({
      objects: [object('HorizontalPodAutoscaler', 'front', { target: 'Deployment/front', maxReplicas: '2' })],
      changes: [change('HorizontalPodAutoscaler', 'front', 12, [field('maxReplicas', '8', '2')])],
    }),
    pods('front', (pod) => ({ ...notReady(pod), cpuCores: stepped(0.2, 0.49, 10) })),
    add({
      alerts: [alert('front', 'replicas_missing', 2)],
      events: [unhealthy('front', 'Readiness probe failed: context deadline exceeded')],
    }),
  ),
  fault(
    'no-default-class',
    [/PersistentVolumeClaim data/],
    { never: NEAR },
    near,
    add({
      pods: [unscheduled(podOf({ name: 'reporter', claims: ['data'] }, 0), 8)],
      claims: [
        {
          clusterId: CLUSTER,
          namespace: 'shop',
          name: 'data',
          phase: 'Pending',
          storageClass: null,
          usedPercent: null,
          reason: null,
        },
      ],
      alerts: [alert('reporter', 'pod_pending', 3)],
      events: [
        event(
          ['PersistentVolumeClaim', 'data'],
          'FailedBinding',
          'no persistent volumes available for this claim and no storage class is set',
          8,
          { type: 'Normal' },
        ),
        event(
          ['Pod', POD('reporter')],
          'FailedScheduling',
          '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.',
          8,
        ),
      ],
    }),
  ),
  fault(
    'database-volume-read-only',
    [/postgres/],
    { never: NEAR },
    near,
    pods('postgres', (pod) => crashing(pod, 6, 'PANIC: could not open file "pg_wal/1": Read-only file system')),
    add({ alerts: [alert('postgres', 'pod_crash_loop', 3)] }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'harmless-selector',
    [/Deployment orders/],
    { never: [...NEAR, /Service/] },
    near,
    fields('Service', 'orders', { 'selector.app': 'orders', 'selector.tier': 'back' }),
    fields('Deployment', 'orders', { 'template.labels.tier': 'back' }),
    pods('orders', (pod) =>
      crashing({ ...pod, labels: { app: 'orders', tier: 'back' } }, 4, 'SyntaxError: bad message'),
    ),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 2)],
      changes: [change('Service', 'orders', 12, [field('selector.tier', null, 'back')])],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'harmless-ingress-path',
    [/Deployment orders/],
    { never: [...NEAR, /Ingress/] },
    near,
    fields('Ingress', 'shop', { 'rules.shop.example.net/docs': 'Service payments:8082' }),
    pods('orders', (pod) => crashing(pod, 6, 'panic: out of range')),
    pods('front', (pod) => notReady(pod)),
    add({
      events: [unhealthy('front')],
      lines: [lastWords(POD('front'), 'connect ECONNREFUSED orders:8081', 4)],
      changes: [change('Ingress', 'shop', 9, [field('rules.shop.example.net/docs', null, 'Service payments:8082')])],
    }),
    checkFails(),
  ),
  fault(
    'harmless-ingress-path-and-a-flap',
    [],
    {},
    near,
    fields('Ingress', 'shop', { 'rules.shop.example.net/docs': 'Service payments:8082' }),
    add({
      changes: [change('Ingress', 'shop', 9, [field('rules.shop.example.net/docs', null, 'Service payments:8082')])],
    }),
    checkFails(),
  ),
  fault(
    'harmless-autoscaler',
    [/Deployment orders/, /change Deployment-orders-8/],
    { never: NEAR },
    near,
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'panic: nil map')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      objects: [object('HorizontalPodAutoscaler', 'orders', { target: 'Deployment/orders', maxReplicas: '8' })],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.image', 'a', 'b')]),
        change('HorizontalPodAutoscaler', 'orders', 7.5, [field('maxReplicas', '6', '8')]),
      ],
    }),
  ),
  fault(
    'harmless-quota',
    [/Deployment orders/],
    { never: [...NEAR, /Quota/] },
    near,
    pods('orders', (pod) => crashing(pod, 6, 'SyntaxError: bad message')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      objects: [object('ResourceQuota', 'compute', { 'hard.pods': '40' })],
      changes: [change('ResourceQuota', 'compute', 7, [field('hard.pods', '20', '40')])],
    }),
  ),
  fault(
    'harmless-label',
    [/Deployment orders/],
    { never: [...NEAR, /Node/] },
    near,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [change('Node', 'node-1', 9, [field('labels.team', null, 'a')], { namespace: null })],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 7)],
    }),
  ),
  fault(
    'old-configuration',
    [/postgres/],
    { never: [...NEAR, /orders-config/] },
    near,
    pods('orders', (pod) => crashing(pod, 6, 'FATAL: password authentication failed for user "shop"')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('ConfigMap', 'orders-config', 50, [hiddenField('data.LOG_LEVEL')])],
    }),
  ),
  fault(
    'configuration-of-a-sound-program',
    [/Deployment consumer/],
    { never: [...NEAR, /orders-config/] },
    near,
    pods('consumer', (pod) => crashing(pod, 5, 'SyntaxError: bad message')),
    add({
      alerts: [alert('consumer', 'pod_crash_loop', 3)],
      changes: [change('ConfigMap', 'orders-config', 6, [hiddenField('data.LOG_LEVEL')])],
    }),
  ),
  fault(
    'settled-rollout-then-dependency',
    [/Deployment auth/],
    { never: [...NEAR, /Deployment orders/] },
    near,
    pods('orders', (pod) => crashing(pod, 5, 'dial tcp auth:9000: connect: connection refused')),
    add({
      pods: [crashing(podOf({ name: 'auth' }, 0), 6, 'panic: key expired')],
      workloads: [{ clusterId: CLUSTER, namespace: 'shop', kind: 'Deployment', name: 'auth', desired: 1, ready: 0 }],
      objects: [
        object('Deployment', 'auth', { 'template.labels.app': 'auth' }),
        object('Service', 'auth', { ports: '9000→9000/TCP', 'selector.app': 'auth' }),
      ],
      alerts: [alert('orders', 'pod_crash_loop', 3), alert('auth', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 30, [field('containers.app.image', 'a', 'b')]), ready('orders', 29)],
    }),
  ),
  fault(
    'memory-by-traffic',
    [/Deployment (?:orders|loadgen)/],
    { never: NEAR },
    near,
    pods('orders', (pod) =>
      crashing(pod, 6, null, { end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(4) } }),
    ),
    add({
      alerts: [alert('orders', 'pod_oom_kill', 3)],
      changes: [change('Deployment', 'loadgen', 9, [field('replicas', '1', '10')])],
    }),
  ),
  fault(
    'job-without-database',
    [/postgres/],
    { never: [...NEAR, /Job/] },
    near,
    (e) => ({ ...e, pods: e.pods.filter(({ ownerName }) => ownerName !== 'postgres') }),
    fields('StatefulSet', 'postgres', { replicas: '0' }),
    add({
      changes: [change('StatefulSet', 'postgres', 12, [field('replicas', '1', '0')])],
      pods: [podOf({ name: 'export' }, 0, { ownerKind: 'Job', ownerName: 'export', phase: 'Failed', ready: false })],
      alerts: [
        alert('export', 'job_failed', 3, {
          object: { clusterId: CLUSTER, namespace: 'shop', kind: 'Job', name: 'export' },
        }),
      ],
      lines: [lastWords(POD('export'), 'connect ECONNREFUSED postgres:5432', 4)],
      events: [event(['Job', 'export'], 'BackoffLimitExceeded', 'Job has reached the specified backoff limit', 4)],
    }),
  ),
  fault(
    'pull-secret',
    [/Deployment orders/],
    { never: NEAR },
    near,
    pods('orders', (pod) => waiting(pod, 'ImagePullBackOff', 7)),
    add({
      alerts: [alert('orders', 'pod_image_pull', 3)],
      events: [
        event(
          ['Pod', POD('orders')],
          'Failed',
          'Failed to pull image "shop/orders:1.0": unauthorized: authentication required',
          7,
        ),
      ],
    }),
  ),
  fault(
    'volume-nearly-full',
    [/data-postgres-0/],
    { never: NEAR, untrue: / is full/ },
    near,
    (e) => ({ ...e, claims: e.claims.map((c) => ({ ...c, usedPercent: 96 })) }),
    add({
      alerts: [
        alert('data', 'volume_usage', 3, {
          object: { clusterId: CLUSTER, namespace: 'shop', kind: 'PersistentVolumeClaim', name: 'data-postgres-0' },
        }),
      ],
    }),
  ),
  fault(
    'resolver-overloaded',
    [/coredns/],
    { never: NEAR, isHard: true },
    near,
    pods('coredns', (pod) => ({ ...pod, cpuCores: stepped(0.1, 0.5, 12) })),
    pods('orders', (pod) => crashing(pod, 6, 'getaddrinfo EAI_AGAIN postgres')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
    ...frontSuffers('getaddrinfo EAI_AGAIN orders'),
  ),
  fault(
    'second-mount-by-a-rollout',
    [/PersistentVolumeClaim/],
    { never: NEAR },
    near,
    add({
      pods: [
        waiting(podOf({ name: 'files', claims: ['files'] }, 1), 'ContainerCreating', 7),
        podOf({ name: 'files', claims: ['files'] }, 0),
      ],
      claims: [
        {
          clusterId: CLUSTER,
          namespace: 'shop',
          name: 'files',
          phase: 'Bound',
          storageClass: 'fast',
          usedPercent: 20,
          reason: null,
        },
      ],
      alerts: [alert('files', 'pod_pending', 3)],
      changes: [change('Deployment', 'files', 7, [field('containers.app.image', 'a', 'b')])],
      events: [
        event(
          ['Pod', POD('files', 1)],
          'FailedAttachVolume',
          'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node',
          7,
        ),
      ],
    }),
  ),
  fault(
    'wrong-setting-of-a-ready-program',
    [/Deployment orders/, /change Deployment-orders-5/],
    { never: DECOYS },
    decoys,
    add({
      changes: [
        change('Deployment', 'orders', 5, [hiddenField('containers.app.env.DATABASE_URL')]),
        ready('orders', 4.5),
      ],
    }),
    checkFails(),
  ),
  fault(
    'starting-pods',
    [],
    {},
    near,
    add({
      pods: [notReady(podOf({ name: 'front' }, 2, { createdAt: ago(1.5) }))],
      changes: [change('Deployment', 'front', 1.6, [field('replicas', '2', '3')])],
      alerts: [alert('front', 'workload_too_small', 1)],
    }),
  ),
  fault(
    'pod-hangs-on-a-lost-node',
    [/Node node-1/],
    { never: NEAR },
    near,
    nodes('node-1', (node) => ({
      ...node,
      ready: null,
      conditions: [
        { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.', since: ago(9) },
      ],
    })),
    pods('payments', (pod) => (pod.node === 'node-1' ? { ...notReady(pod), deleting: true } : pod)),
    add({
      alerts: [nodeAlert('node-1', 'node_not_ready', 6), alert('payments', 'replicas_missing', 3)],
      events: [event(['Pod', POD('payments')], 'TaintManagerEviction', 'Marking for deletion', 4, { type: 'Normal' })],
    }),
  ),
  fault(
    'liveness-under-load',
    [/Deployment orders/],
    { never: NEAR },
    near,
    pods('orders', (pod) => ({ ...crashing(pod, 6, null), cpuCores: stepped(0.1, 0.5, 12) })),
    add({
      alerts: [alert('orders', 'pod_restarts', 3)],
      events: [
        event(['Pod', POD('orders')], 'Unhealthy', 'Liveness probe failed: context deadline exceeded', 6),
        event(['Pod', POD('orders')], 'Killing', 'Container app failed liveness probe, will be restarted', 5, {
          type: 'Normal',
        }),
      ],
    }),
  ),
  fault(
    'service-port-number',
    [/Service orders/],
    { never: NEAR },
    near,
    fields('Service', 'orders', { ports: '80→8081/TCP' }),
    add({ changes: [change('Service', 'orders', 7, [field('ports', '8081→8081/TCP', '80→8081/TCP')])] }),
    ...frontSuffers('connect ETIMEDOUT orders:8081'),
  ),
  fault('unknown-in-a-busy-namespace', [], {}, near, checkFails(2, 'check_slow')),
  fault(
    'unused-map-deleted',
    [/Deployment orders/],
    { never: [...NEAR, /old-banner/] },
    near,
    pods('orders', (pod) => crashing(pod, 5, 'SyntaxError: bad message')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('ConfigMap', 'old-banner', 7, [], { action: 'gone' })],
    }),
  ),
  fault(
    'unused-service-deleted',
    [/Deployment orders/],
    { never: [...NEAR, /legacy/] },
    near,
    pods('orders', (pod) => crashing(pod, 5, 'SyntaxError: bad message')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Service', 'legacy', 7, [], { action: 'gone' })],
    }),
  ),
  fault(
    'unused-service-deleted-and-a-flap',
    [],
    {},
    add({ changes: [change('Service', 'legacy', 30, [], { action: 'gone' })] }),
    checkFails(),
  ),
  fault(
    'webhook-added-and-sound',
    [/Deployment orders/],
    { never: [...NEAR, /Webhook/] },
    near,
    pods('orders', (pod) => crashing(pod, 5, 'SyntaxError: bad message')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('ValidatingWebhookConfiguration', 'policy', 8, [], { action: 'added', namespace: null })],
    }),
  ),
  fault(
    'neighbour-scaled-to-zero',
    [/Deployment orders/],
    { never: [...NEAR, /canary/] },
    near,
    pods('orders', (pod) => crashing(pod, 5, 'SyntaxError: bad message')),
    add({
      objects: [object('Deployment', 'canary', { replicas: '0', 'template.labels.app': 'canary' })],
      workloads: [{ clusterId: CLUSTER, namespace: 'shop', kind: 'Deployment', name: 'canary', desired: 0, ready: 0 }],
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'canary', 8, [field('replicas', '1', '0')])],
    }),
  ),
  fault(
    'canary-scaled-to-zero-and-a-flap',
    [],
    {},
    add({
      objects: [object('Deployment', 'canary', { replicas: '0', 'template.labels.app': 'canary' })],
      workloads: [{ clusterId: CLUSTER, namespace: 'shop', kind: 'Deployment', name: 'canary', desired: 0, ready: 0 }],
      changes: [change('Deployment', 'canary', 30, [field('replicas', '1', '0')])],
    }),
    checkFails(),
  ),
];

/** Changes that are some minutes older, and causes on other objects than those with the alert. */
const before = add({
  changes: [
    change('Deployment', 'payments', 11, [field('containers.app.image', 'shop/payments:0.9', 'shop/payments:1.0')]),
    ready('payments', 10),
    change('Deployment', 'redis', 9, [hiddenField('containers.app.env.MOTTO')]),
    ready('redis', 8.5, '0', '1'),
    change('ConfigMap', 'banner', 8, [hiddenField('data.text')]),
    change('Service', 'legacy', 10, [], { action: 'gone' }),
  ],
});
const BEFORE = [/payments/, /redis/, /banner/, /legacy/];
const onNode = (app: string, node: string, of: (pod: PodSeen) => PodSeen): Change =>
  pods(app, (pod) => (pod.node === node ? of(pod) : pod));
const FLAT = Array.from({ length: 125 }, (_, index) => ({ at: ago(720 - index * 6), value: 40 + Math.sin(index * 3) }));
const host =
  (name: string, node: string | null, of: Partial<Evidence['servers'][number]>): Change =>
  (evidence) => ({
    ...evidence,
    nodes: evidence.nodes.map((one) => (one.name === node ? { ...one, serverId: name } : one)),
    servers: [...evidence.servers, bareServer(name, ago(3), { cpuCores: 4, memoryTotalBytes: 16 * 2 ** 30, ...of })],
  });
const serverAlert = (name: string, metric: string, minutes: number, subject = '') =>
  alert(name, metric, minutes, {
    object: null,
    serverId: name,
    hostname: name,
    subject,
    title: metric + ' on ' + name,
  });
const acrossObjects: readonly OtherFault[] = [
  fault(
    'resolver-of-one-node',
    [/Node node-1|server/],
    { never: [...BEFORE, /coredns/], isHard: true },
    before,
    onNode('orders', 'node-1', (pod) => crashing(pod, 5, 'getaddrinfo EAI_AGAIN postgres')),
    onNode('consumer', 'node-1', (pod) => crashing(pod, 5, 'getaddrinfo EAI_AGAIN redis')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3), alert('consumer', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'key-of-a-secret',
    [/Secret db/],
    { never: BEFORE },
    before,
    pods('orders', (pod) => waiting(pod, 'CreateContainerConfigError', 6)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      events: [event(['Pod', POD('orders')], 'Failed', "Error: couldn't find key password in Secret shop/db", 6)],
    }),
  ),
  fault(
    'inodes-of-a-node',
    [/Node node-1/],
    { never: BEFORE, untrue: /memory/ },
    before,
    nodes('node-1', (node) => ({
      ...node,
      conditions: [
        ...node.conditions,
        { type: 'DiskPressure', status: 'True', message: 'kubelet has disk pressure', since: ago(6) },
      ],
    })),
    onNode('front', 'node-1', (pod) => ({ ...pod, phase: 'Failed', ready: false, reason: 'Evicted' })),
    add({
      alerts: [nodeAlert('node-1', 'node_pressure', 5), alert('front', 'replicas_missing', 3)],
      events: [event(['Pod', POD('front')], 'Evicted', 'The node was low on resource: inodes. ', 5)],
    }),
  ),
  fault(
    'clock-of-a-node',
    [/server host-1|Node node-1/],
    { never: [...BEFORE, /Service/], isHard: true },
    before,
    onNode('orders', 'node-1', (pod) =>
      crashing(
        pod,
        5,
        'Get "https://auth.identity.svc:8443/": x509: certificate has expired or is not yet valid: current time 2027-11-20 is after 2027-02-01',
      ),
    ),
    host('host-1', 'node-1', {
      clockSkewSeconds: 31_000_000,
      events: [
        { type: 'system_monitoring', name: 'plimsoll', message: 'The clock was set forward by 31000000 s', at: ago(9) },
      ],
    }),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'policy-of-another-namespace',
    [/NetworkPolicy db-only/],
    { never: BEFORE },
    before,
    pods('orders', (pod) => crashing(pod, 5, 'connect ETIMEDOUT db.data.svc:5432')),
    add({
      pods: [elsewhere('db', 'data')],
      workloads: [{ clusterId: CLUSTER, namespace: 'data', kind: 'Deployment', name: 'db', desired: 1, ready: 1 }],
      objects: [
        object('Deployment', 'db', { 'template.labels.app': 'db' }, { namespace: 'data' }),
        object('Service', 'db', { ports: '5432→5432/TCP', 'selector.app': 'db' }, { namespace: 'data' }),
        object(
          'NetworkPolicy',
          'db-only',
          {
            podSelector: '{"matchLabels":{"app":"db"}}',
            policyTypes: '["Ingress"]',
            ingress: '[{"from":[{"podSelector":{}}]}]',
          },
          { namespace: 'data' },
        ),
      ],
      changes: [change('NetworkPolicy', 'db-only', 6, [], { action: 'added', namespace: 'data' })],
      alerts: [alert('orders', 'pod_crash_loop', 3)],
    }),
  ),
  fault(
    'selector-beside-a-taint',
    [/Deployment orders/, /change Deployment-orders-7/],
    { never: BEFORE, untrue: /taint/ },
    before,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [change('Deployment', 'orders', 7, [field('nodeSelector.disk', null, 'ssd')])],
      events: [
        event(
          ['Pod', POD('orders')],
          'FailedScheduling',
          "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint(s).",
          7,
        ),
      ],
    }),
  ),
  fault(
    'soft-taint',
    [/Deployment orders/],
    { never: [...BEFORE, /Node/] },
    before,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [
        change('Node', 'node-1', 12, [field('taints.spot=true:PreferNoSchedule', null, 'PreferNoSchedule')], {
          namespace: null,
        }),
      ],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient memory.', 7)],
    }),
  ),
  fault(
    'file-server-gone',
    [/server nas-1|PersistentVolumeClaim files/],
    { never: BEFORE },
    before,
    host('nas-1', null, {
      metric: 'offline',
      at: ago(6),
      series: { ...bareServer('x', 0).series, cpu: FLAT.map((p) => (p.at > ago(9) ? { ...p, value: null } : p)) },
      gaps: [{ from: ago(9), to: ago(0), reason: 'silent', detail: '' }],
    }),
    add({
      pods: [waiting(podOf({ name: 'files', claims: ['files'] }, 0), 'ContainerCreating', 7)],
      claims: [
        {
          clusterId: CLUSTER,
          namespace: 'shop',
          name: 'files',
          phase: 'Bound',
          storageClass: 'nfs',
          usedPercent: null,
          reason: null,
        },
      ],
      alerts: [serverAlert('nas-1', 'offline', 6), alert('files', 'pod_pending', 3)],
      events: [
        event(
          ['Pod', POD('files')],
          'FailedMount',
          'MountVolume.SetUp failed for volume "pvc-1" : mount failed: mount.nfs: Connection timed out for nas-1:/export',
          6,
        ),
      ],
    }),
  ),
  fault(
    'leak-on-the-host-of-a-node',
    [/process java|Node node-1/],
    { never: BEFORE },
    before,
    nodes('node-1', (node) => ({
      ...node,
      conditions: [
        ...node.conditions,
        { type: 'MemoryPressure', status: 'True', message: 'kubelet has insufficient memory available', since: ago(6) },
      ],
    })),
    host('host-1', 'node-1', {
      metric: 'memory_usage',
      series: { ...bareServer('x', 0).series, cpu: FLAT, memory: FLAT.map((p, i) => ({ ...p, value: 50 + i * 0.37 })) },
      processes: [{ pid: 7, name: 'java', cpuPercent: 20, memoryBytes: 9e9, startedAt: ago(90000) }],
      processesBefore: [{ pid: 7, name: 'java', cpuPercent: 20, memoryBytes: 2e9, startedAt: ago(90000) }],
    }),
    onNode('front', 'node-1', (pod) => ({ ...pod, phase: 'Failed', ready: false, reason: 'Evicted' })),
    add({
      alerts: [
        serverAlert('host-1', 'memory_usage', 8),
        nodeAlert('node-1', 'node_pressure', 5),
        alert('front', 'replicas_missing', 3),
      ],
      events: [
        event(
          ['Pod', POD('front')],
          'Evicted',
          'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. Container app was using 20Mi, request is 10Mi.',
          5,
        ),
      ],
    }),
  ),
  fault(
    'restart-of-all',
    [],
    {},
    add({
      changes: APPS.filter(({ kind }) => kind === undefined).flatMap(({ name }, index) => [
        change('Deployment', name, 9 - index * 0.2, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'changed'),
        ]),
        ready(name, 7 - index * 0.2),
      ]),
    }),
    checkFails(),
  ),
  fault(
    'new-node-on-its-way',
    [/Deployment render/],
    { never: BEFORE },
    before,
    add({
      pods: [unscheduled(podOf({ name: 'render' }, 0), 4)],
      objects: [object('Deployment', 'render', { 'template.labels.app': 'render' })],
      changes: [change('Deployment', 'render', 4, [field('replicas', '1', '6')])],
      alerts: [alert('render', 'pod_pending', 2)],
      events: [
        event(['Pod', POD('render')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 4),
        event(['Pod', POD('render')], 'TriggeredScaleUp', 'pod triggered scale-up', 4, { type: 'Normal' }),
      ],
    }),
  ),
  fault(
    'liveness-stricter',
    [/Deployment orders/, /change Deployment-orders-9/],
    { never: BEFORE, untrue: /does not serve/ },
    before,
    pods('orders', (pod) => crashing(young(pod, 9), 7, null)),
    add({
      alerts: [alert('orders', 'pod_restarts', 3)],
      changes: [
        change('Deployment', 'orders', 9, [
          field('containers.app.livenessProbe', '{"timeoutSeconds":5}', '{"timeoutSeconds":1}'),
        ]),
      ],
      events: [
        event(['Pod', POD('orders')], 'Unhealthy', 'Liveness probe failed: context deadline exceeded', 7),
        event(['Pod', POD('orders')], 'Killing', 'Container app failed liveness probe, will be restarted', 6, {
          type: 'Normal',
        }),
      ],
    }),
  ),
  fault(
    'role-binding-removed',
    [/payments-sa|Deployment payments/],
    { never: [/redis/, /banner/, /legacy/, /change Deployment-payments/] },
    before,
    pods('payments', (pod) =>
      crashing(
        pod,
        5,
        'secrets is forbidden: User "system:serviceaccount:shop:payments-sa" cannot get resource "secrets" in API group ""',
      ),
    ),
    add({ alerts: [alert('payments', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'service-account-token',
    [/Deployment orders/],
    { never: BEFORE },
    before,
    pods('orders', (pod) =>
      crashing(young(pod, 6), 5, 'open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory'),
    ),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 6, [field('automountServiceAccountToken', 'true', 'false')])],
    }),
  ),
  fault(
    'command-of-a-job',
    [/CronJob report|Job/, /change CronJob-report-30/],
    { never: BEFORE },
    before,
    add({
      objects: [object('CronJob', 'report', { schedule: '*/15 * * * *' })],
      pods: [
        podOf({ name: 'report' }, 0, {
          ownerKind: 'Job',
          ownerName: 'report-29384400',
          phase: 'Failed',
          ready: false,
          createdAt: ago(6),
          containers: [
            container('report:1', {
              status: 'terminated',
              reason: 'Error',
              end: { reason: 'Error', message: 'unknown flag: --ful', exitCode: 2, at: ago(5) },
            }),
          ],
        }),
      ],
      changes: [change('CronJob', 'report', 30, [field('containers.app.args', '--full', '--ful')])],
      alerts: [
        alert('report', 'job_failed', 3, {
          object: { clusterId: CLUSTER, namespace: 'shop', kind: 'CronJob', name: 'report' },
        }),
      ],
      events: [
        event(['Job', 'report-29384400'], 'BackoffLimitExceeded', 'Job has reached the specified backoff limit', 5),
      ],
    }),
  ),
  fault(
    'scaled-down-and-too-small',
    [/Deployment orders/, /change Deployment-orders-12/],
    { never: BEFORE },
    before,
    pods('orders', (pod) => ({ ...notReady(pod), cpuCores: stepped(0.2, 0.49, 11) })),
    add({
      alerts: [alert('orders', 'replicas_missing', 3)],
      changes: [change('Deployment', 'orders', 12, [field('replicas', '6', '2')])],
      events: [unhealthy('orders', 'Readiness probe failed: context deadline exceeded', 6)],
    }),
  ),
  fault(
    'both-node-and-rollout',
    [/Node node-2/],
    { never: BEFORE },
    before,
    nodes('node-2', (node) => ({
      ...node,
      ready: false,
      conditions: [{ type: 'Ready', status: 'False', message: 'container runtime is down', since: ago(7) }],
    })),
    (e) => ({ ...e, pods: e.pods.map((pod) => (pod.node === 'node-2' ? notReady(pod) : pod)) }),
    add({
      alerts: [
        nodeAlert('node-2', 'node_not_ready', 5),
        alert('payments', 'replicas_missing', 3),
        alert('orders', 'replicas_missing', 3),
      ],
    }),
  ),
  fault(
    'gateway-configuration',
    [/ConfigMap gateway/],
    { never: BEFORE },
    before,
    add({
      pods: [0, 1].map((i) =>
        crashing(
          podOf({ name: 'gateway' }, i, { createdAt: ago(6) }),
          5,
          'nginx: [emerg] unexpected "}" in /etc/nginx/default.conf:12',
        ),
      ),
      workloads: [{ clusterId: CLUSTER, namespace: 'shop', kind: 'Deployment', name: 'gateway', desired: 2, ready: 0 }],
      objects: [
        object('Deployment', 'gateway', { 'template.labels.app': 'gateway', 'volumes.conf': 'configMap gateway' }),
        object('ConfigMap', 'gateway', {}),
      ],
      changes: [
        change('ConfigMap', 'gateway', 7, [hiddenField('data.default.conf')]),
        change('Deployment', 'gateway', 6, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
      alerts: [alert('gateway', 'pod_crash_loop', 3)],
    }),
    checkFails(),
  ),
  fault(
    'two-faults',
    [/orders|consumer/],
    { never: BEFORE },
    before,
    pods('orders', (pod) => waiting(young(pod, 7), 'ImagePullBackOff', 7)),
    pods('consumer', (pod) => crashing(pod, 6, 'SyntaxError: bad message')),
    add({
      alerts: [alert('orders', 'pod_image_pull', 3), alert('consumer', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 7, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:9')])],
      events: [event(['Pod', POD('orders')], 'Failed', 'Failed to pull image "shop/orders:9": manifest unknown', 6)],
    }),
  ),
];

/** Changes of marks, of what nobody uses and of what opens. */
const marked = add({
  changes: [
    change('Deployment', 'payments', 13, [field('containers.app.image', 'a', 'b')]),
    ready('payments', 12),
    change('Deployment', 'redis', 10, [hiddenField('containers.app.env.MOTTO')]),
    ready('redis', 9.5, '0', '1'),
    change('Ingress', 'shop', 9, [field('annotations.nginx.ingress.kubernetes.io/proxy-body-size', '1m', '8m')]),
    change('ServiceAccount', 'x', 9, []),
    change('NetworkPolicy', 'open', 11, [], { action: 'gone' }),
  ],
});
const MARKED = [/payments/, /redis/, /Ingress/, /open/];
const besideMarks: readonly OtherFault[] = [
  fault(
    'secret-rotated-without-restart',
    [/postgres/],
    { never: MARKED },
    marked,
    pods('orders', (p) => notReady(p)),
    pods('consumer', (p) => notReady(p)),
    add({
      alerts: [alert('orders', 'replicas_missing', 3), alert('consumer', 'replicas_missing', 3)],
      events: [unhealthy('orders'), unhealthy('consumer')],
      changes: [ready('orders', 6, '2', '0'), ready('front', 5.7, '2', '0')],
    }),
    ...frontSuffers(),
  ),
  fault(
    'hpa-at-max-no-limit',
    [],
    { never: MARKED },
    marked,
    add({ objects: [object('HorizontalPodAutoscaler', 'front', { target: 'Deployment/front', maxReplicas: '2' })] }),
    pods('front', (p) => ({
      ...p,
      cpuCores: stepped(0.4, 1.9, 20),
      containers: [container('front:1', { cpuLimitCores: null })],
    })),
    checkFails(2, 'check_slow'),
  ),
  fault('flap-with-ingress-annotation', [], {}, marked, checkFails()),
  fault(
    'orders-crash-with-ingress-annotation',
    [/Deployment orders/],
    { never: MARKED },
    marked,
    pods('orders', (p) => crashing(p, 6, 'panic: x')),
    pods('front', (p) => notReady(p)),
    add({ events: [unhealthy('front')], lines: [lastWords(POD('front'), 'connect ECONNREFUSED orders:8081', 4)] }),
    checkFails(),
  ),
  fault(
    'postgres-restarted-by-liveness',
    [/postgres/],
    { never: MARKED },
    marked,
    pods('postgres', (p) => crashing(p, 6, 'received fast shutdown request')),
    pods('orders', (p) => crashing(p, 5.5, 'connect ECONNREFUSED postgres:5432')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3), alert('postgres', 'pod_restarts', 3)],
      events: [
        event(['Pod', 'postgres-0'], 'Killing', 'Container app failed liveness probe, will be restarted', 6, {
          type: 'Normal',
        }),
      ],
    }),
  ),
  fault(
    'drain',
    [/Node node-2/],
    { never: MARKED },
    marked,
    nodes('node-2', (n) => ({ ...n, isCordoned: true })),
    (e) => ({ ...e, pods: e.pods.filter((p) => p.node !== 'node-2' || p.namespace !== 'shop') }),
    add({
      pods: [unscheduled(podOf({ name: 'orders' }, 7), 5), unscheduled(podOf({ name: 'front' }, 7), 5)],
      alerts: [alert('orders', 'pod_pending', 2), alert('front', 'pod_pending', 2)],
      changes: [
        change(
          'Node',
          'node-2',
          7,
          [
            field('cordoned', 'no', 'yes'),
            field('taints.node.kubernetes.io/unschedulable:NoSchedule', null, 'NoSchedule'),
          ],
          { namespace: null },
        ),
      ],
      events: ['orders', 'front'].map((a) =>
        event(
          ['Pod', POD(a, 7)],
          'FailedScheduling',
          '0/2 nodes are available: 1 Insufficient memory, 1 node(s) were unschedulable.',
          5,
        ),
      ),
    }),
  ),
  fault(
    'quota-of-memory',
    [/ResourceQuota mem/],
    { never: MARKED },
    marked,
    add({
      alerts: [alert('orders', 'replicas_missing', 3)],
      objects: [object('ResourceQuota', 'mem', { 'hard.requests.memory': '1Gi' })],
      changes: [
        change('ResourceQuota', 'mem', 20, [], { action: 'added' }),
        change('Deployment', 'orders', 8, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
      events: [
        event(
          ['ReplicaSet', 'orders-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: pods "orders-1" is forbidden: exceeded quota: mem, requested: requests.memory=128Mi, used: requests.memory=1Gi, limited: requests.memory=1Gi',
          7,
        ),
      ],
    }),
  ),
  fault(
    'pod-security',
    [/Deployment orders|Namespace/],
    { never: MARKED },
    marked,
    add({
      alerts: [alert('orders', 'replicas_missing', 3)],
      changes: [change('Deployment', 'orders', 8, [field('securityContext.runAsNonRoot', 'true', null)])],
      events: [
        event(
          ['ReplicaSet', 'orders-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: pods "orders-1" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
          7,
        ),
      ],
    }),
  ),
  fault(
    'two-namespaces-one-node',
    [/Node node-1/],
    { never: MARKED },
    marked,
    nodes('node-1', (n) => ({
      ...n,
      ready: null,
      conditions: [
        { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.', since: ago(8) },
      ],
    })),
    onlyNode1,
    add({ alerts: [alert('orders', 'replicas_missing', 3), alert('front', 'replicas_missing', 3)] }),
  ),
  fault(
    'late-change-only',
    [],
    {},
    add({
      changes: [
        change('Deployment', 'front', 0.5, [field('containers.app.image', 'a', 'b')]),
        change('Service', 'front', 0.4, [field('selector.app', 'front', 'fronts')]),
      ],
    }),
    checkFails(3),
  ),
];
function onlyNode1(e: Evidence): Evidence {
  return { ...e, pods: e.pods.map((p) => (p.node === 'node-1' ? notReady(p) : p)) };
}

export const OTHER_CLUSTER_FAULTS: readonly OtherFault[] = [
  ...dependencies,
  ...capacity,
  ...rollouts,
  ...healthy,
  ...besideNearChanges,
  ...acrossObjects,
  ...besideMarks,
];
