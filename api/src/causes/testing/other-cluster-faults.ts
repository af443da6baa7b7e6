import type { Evidence, EventSeen, NodeSeen, ObjectSeen, PodSeen, Point } from '../evidence.ts';
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

export const OTHER_CLUSTER_FAULTS: readonly OtherFault[] = [...dependencies, ...capacity, ...rollouts, ...healthy];
