import type { Evidence } from '../evidence.ts';
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

/** Faults of the shop with what a cluster shows of them. `guilty`: the entities that a right answer names, and no other. */
export interface ShopFault {
  id: string;
  guilty: readonly string[];
  evidence: Evidence;
}

type Change = (evidence: Evidence) => Evidence;
const fault = (id: string, guilty: readonly string[], ...steps: readonly Change[]): ShopFault => ({
  id,
  guilty,
  evidence: steps.reduce((evidence, step) => step(evidence), healthyShop()),
});
const add =
  (more: Partial<Evidence>): Change =>
  (evidence) => ({
    ...evidence,
    alerts: [...evidence.alerts, ...(more.alerts ?? [])],
    changes: [...evidence.changes, ...(more.changes ?? [])],
    events: [...evidence.events, ...(more.events ?? [])],
    lines: [...evidence.lines, ...(more.lines ?? [])],
    objects: [...evidence.objects, ...(more.objects ?? [])],
    claims: [...evidence.claims, ...(more.claims ?? [])],
    pods: [...evidence.pods, ...(more.pods ?? [])],
    checks: [...evidence.checks, ...(more.checks ?? [])],
  });
const pods =
  (app: string, of: Parameters<typeof withPods>[2]): Change =>
  (evidence) =>
    withPods(evidence, app, of);
const fields =
  (kind: string, name: string, of: Parameters<typeof withFields>[3]): Change =>
  (evidence) =>
    withFields(evidence, kind, name, of);
const without =
  (kind: string, name: string): Change =>
  (evidence) =>
    withObject(evidence, kind, name, () => null);
const POD = (app: string, index = 0): string => `${app}-6f7d8c9b5d-x${String(index)}k4p`;
const appOf = (name: string) => APPS.find((app) => app.name === name) ?? { name };

/** The front asks what it depends on, and is not ready without it. */
const frontSuffers = (words = 'upstream failed'): Change[] => [
  pods('front', (pod) => notReady(pod)),
  add({
    alerts: [alert('front', 'replicas_missing', 1)],
    events: [
      event(['Pod', POD('front')], 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', 6),
    ],
    lines: words === '' ? [] : [lastWords(POD('front'), words, 4)],
  }),
];
/** Harmless changes of the same hour. */
const decoys = add({
  changes: [
    change('Deployment', 'payments', 22, [field('containers.app.image', 'shop/payments:0.9', 'shop/payments:1.0')]),
    change('HorizontalPodAutoscaler', 'front', 15, [field('maxReplicas', '6', '8')]),
    change('Deployment', 'front', 35, [field('marks.kubernetes.io/change-cause', null, 'spring sale')]),
  ],
});

const image: ShopFault[] = [
  fault(
    'image-missing',
    ['orders'],
    decoys,
    pods('orders', (pod) => waiting(pod, 'ImagePullBackOff', 8)),
    add({
      alerts: [alert('orders', 'pod_image_pull', 3), alert('orders', 'replicas_missing', 1)],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:1.1')]),
      ],
      events: [event(['Pod', POD('orders')], 'Failed', 'Failed to pull image "shop/orders:1.1": not found', 7)],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'image-wrong-program',
    ['orders'],
    decoys,
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'exec format error')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 2)],
      changes: [change('Deployment', 'orders', 8, [field('containers.app.image', 'shop/orders:1.0', 'shop/batch:3')])],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'image-incompatible',
    ['postgres'],
    pods('postgres', (pod) =>
      crashing(
        young(pod, 8),
        7,
        'FATAL: database files are incompatible with server. The data directory was initialized by PostgreSQL version 16',
      ),
    ),
    pods('orders', (pod) => crashing(pod, 6, 'connect ECONNREFUSED postgres:5432')),
    add({
      alerts: [alert('postgres', 'pod_crash_loop', 3), alert('orders', 'pod_crash_loop', 2)],
      changes: [change('StatefulSet', 'postgres', 8, [field('containers.app.image', 'postgres:16', 'postgres:17')])],
    }),
    ...frontSuffers(),
  ),
];

const settings: ShopFault[] = [
  fault(
    'port-env-wrong',
    ['orders'],
    decoys,
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'Error: connect ECONNREFUSED postgres:5433')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 8, [hiddenField('containers.app.env.DATABASE_URL')])],
    }),
    ...frontSuffers('orders: 503'),
  ),
  fault(
    'env-missing',
    ['orders'],
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'Error: DATABASE_URL is not set')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 8, [hiddenField('containers.app.env.DATABASE_URL', 'removed')])],
    }),
    ...frontSuffers(),
  ),
  fault(
    'config-key-missing',
    ['orders-config'],
    decoys,
    pods('orders', (pod) => crashing(young(pod, 7), 6, 'cannot connect to database: DB_HOST undefined')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [
        change('ConfigMap', 'orders-config', 8, [hiddenField('data.DB_HOST', 'removed')]),
        change('Deployment', 'orders', 7, [hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt')]),
      ],
    }),
    ...frontSuffers(),
  ),
  fault(
    'configmap-missing',
    ['orders-config'],
    without('ConfigMap', 'orders-config'),
    pods('orders', (pod) => waiting(pod, 'ContainerCreating', 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 2)],
      changes: [change('ConfigMap', 'orders-config', 9, [], { action: 'gone' })],
      events: [
        event(
          ['Pod', POD('orders')],
          'FailedMount',
          'MountVolume.SetUp failed for volume "config" : configmap "orders-config" not found',
          7,
        ),
      ],
    }),
  ),
  fault(
    'service-dns-wrong',
    ['orders'],
    pods('orders', (pod) => crashing(young(pod, 8), 7, 'getaddrinfo ENOTFOUND postgress')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'orders', 8, [hiddenField('containers.app.env.DATABASE_URL')])],
    }),
  ),
  fault(
    'readiness-wrong',
    ['orders'],
    fields('Deployment', 'orders', { 'containers.app.readinessProbe': '{"httpGet":{"path":"/","port":9999}}' }),
    pods('orders', (pod) => notReady(young(pod, 8))),
    add({
      alerts: [alert('orders', 'replicas_missing', 2)],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.readinessProbe', '{"port":8081}', '{"port":9999}')]),
      ],
      events: [
        event(
          ['Pod', POD('orders')],
          'Unhealthy',
          'Readiness probe failed: dial tcp 10.0.0.7:9999: connect: connection refused',
          7,
        ),
      ],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'security-context',
    ['payments'],
    pods('payments', (pod) => crashing(young(pod, 8), 7, 'mkdir /var/cache: Permission denied')),
    add({
      alerts: [alert('payments', 'pod_crash_loop', 3)],
      changes: [change('Deployment', 'payments', 8, [field('securityContext.runAsUser', null, '1001')])],
    }),
  ),
  fault(
    'rbac-missing',
    ['payments', 'payments-sa'],
    pods('payments', (pod) =>
      crashing(
        pod,
        7,
        'configmaps is forbidden: User "system:serviceaccount:shop:payments-sa" cannot list resource "configmaps" in API group ""',
      ),
    ),
    add({ alerts: [alert('payments', 'pod_crash_loop', 3)] }),
  ),
];

const traffic: ShopFault[] = [
  fault(
    'target-port-wrong',
    ['orders:Service'],
    decoys,
    fields('Service', 'orders', { ports: '8081→8099/TCP' }),
    add({ changes: [change('Service', 'orders', 8, [field('ports', '8081→8081/TCP', '8081→8099/TCP')])] }),
    ...frontSuffers('connect ECONNREFUSED 10.96.4.4:8081'),
  ),
  fault(
    'selector-empty',
    ['orders:Service'],
    decoys,
    fields('Service', 'orders', { 'selector.app': 'order' }),
    add({ changes: [change('Service', 'orders', 8, [field('selector.app', 'orders', 'order')])] }),
    ...frontSuffers(''),
  ),
  fault(
    'service-missing',
    ['orders:Service'],
    decoys,
    without('Service', 'orders'),
    add({ changes: [change('Service', 'orders', 8, [], { action: 'gone' })] }),
    ...frontSuffers('getaddrinfo ENOTFOUND orders'),
  ),
  fault(
    'network-policy-blocks',
    ['deny-orders'],
    decoys,
    add({
      objects: [
        {
          clusterId: CLUSTER,
          namespace: 'shop',
          kind: 'NetworkPolicy',
          name: 'deny-orders',
          fields: { podSelector: '{"matchLabels":{"app":"orders"}}', policyTypes: '["Ingress"]' },
          hidden: [],
        },
      ],
      changes: [change('NetworkPolicy', 'deny-orders', 7, [], { action: 'added' })],
    }),
    ...frontSuffers('connect ETIMEDOUT 10.96.4.4:8081'),
  ),
  fault(
    'ingress-wrong-backend',
    ['shop'],
    decoys,
    fields('Ingress', 'shop', { 'rules.shop.example.net/': 'Service payments:8082' }),
    add({
      alerts: [alert('shop', 'check_failed', 2, { object: null, subject: 'check-1', title: 'Check shop failed' })],
      checks: [
        {
          id: 'check-1',
          name: 'shop',
          target: 'GET https://shop.example.net/',
          status: 'down',
          since: ago(2),
          reason: 'status',
          serverId: null,
        },
      ],
      changes: [
        change('Ingress', 'shop', 6, [field('rules.shop.example.net/', 'Service front:8080', 'Service payments:8082')]),
      ],
    }),
  ),
  fault(
    'cluster-dns-down',
    ['coredns'],
    decoys,
    (evidence) => ({ ...evidence, pods: evidence.pods.filter(({ ownerName }) => ownerName !== 'coredns') }),
    fields('Deployment', 'coredns', { replicas: '0' }),
    pods('orders', (pod) => crashing(pod, 5, 'getaddrinfo EAI_AGAIN postgres')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 2)],
      changes: [change('Deployment', 'coredns', 8, [field('replicas', '2', '0')], { namespace: 'kube-system' })],
    }),
    ...frontSuffers('getaddrinfo EAI_AGAIN orders'),
  ),
  fault(
    'database-auth',
    ['postgres'],
    decoys,
    pods('orders', (pod) => crashing(pod, 6, 'error: password authentication failed for user "shop"')),
    pods('consumer', (pod) => crashing(pod, 6, 'error: password authentication failed for user "shop"')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3), alert('consumer', 'pod_crash_loop', 3)] }),
    ...frontSuffers(),
  ),
  fault(
    'database-silent',
    ['postgres'],
    fields('Deployment', 'redis', { 'containers.app.image': 'shop/memory:8' }),
    (evidence) => ({ ...evidence, pods: evidence.pods.filter(({ ownerName }) => ownerName !== 'redis') }),
    pods('orders', (pod) => notReady(pod)),
    pods('payments', (pod) => notReady(pod)),
    add({
      alerts: [alert('orders', 'replicas_missing', 2), alert('payments', 'replicas_missing', 2)],
      events: ['orders', 'payments'].map((app) =>
        event(['Pod', POD(app)], 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', 6),
      ),
    }),
    ...frontSuffers(''),
  ),
  fault(
    'cache-memory',
    ['redis'],
    pods('payments', (pod) => crashing(pod, 6, "ReplyError: OOM command not allowed when used memory > 'maxmemory'.")),
    add({ alerts: [alert('payments', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'scaled-to-zero',
    ['payments'],
    decoys,
    (evidence) => ({ ...evidence, pods: evidence.pods.filter(({ ownerName }) => ownerName !== 'payments') }),
    fields('Deployment', 'payments', { replicas: '0' }),
    add({ changes: [change('Deployment', 'payments', 7, [field('replicas', '2', '0')])] }),
    ...frontSuffers('connect ECONNREFUSED payments:8082'),
  ),
  fault(
    'queue-poison',
    ['consumer'],
    pods('consumer', (pod) => crashing(pod, 9, 'SyntaxError: Unexpected token in message 4711')),
    add({ alerts: [alert('consumer', 'pod_crash_loop', 4)] }),
  ),
];

const room: ShopFault[] = [
  fault(
    'request-too-large',
    ['orders'],
    decoys,
    pods('orders', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('orders', 'pod_pending', 2)],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.resources.requests.memory', '128Mi', '512Gi')]),
      ],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient memory.', 8)],
    }),
  ),
  fault(
    'request-too-small',
    ['orders'],
    pods('orders', (pod) =>
      crashing(young(pod, 8), 7, null, { end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(5) } }),
    ),
    add({
      alerts: [alert('orders', 'pod_oom_kill', 3), alert('orders', 'pod_crash_loop', 2)],
      changes: [change('Deployment', 'orders', 8, [field('containers.app.resources.limits.memory', '256Mi', '16Mi')])],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'quota-reached',
    ['compute'],
    add({
      alerts: [alert('payments', 'replicas_missing', 2)],
      objects: [
        {
          clusterId: CLUSTER,
          namespace: 'shop',
          kind: 'ResourceQuota',
          name: 'compute',
          fields: { 'hard.pods': '9' },
          hidden: [],
        },
      ],
      changes: [change('ResourceQuota', 'compute', 9, [field('hard.pods', '20', '9')])],
      events: [
        event(
          ['ReplicaSet', 'payments-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: pods "payments-6f7d8c9b5d-abcde" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=9, limited: pods=9',
          8,
        ),
      ],
    }),
  ),
  fault(
    'node-selector-nowhere',
    ['payments'],
    pods('payments', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('payments', 'pod_pending', 2)],
      changes: [change('Deployment', 'payments', 8, [field('nodeSelector.disk', null, 'nvme')])],
      events: [
        event(
          ['Pod', POD('payments')],
          'FailedScheduling',
          "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
          8,
        ),
      ],
    }),
  ),
  fault(
    'taint',
    ['node-1'],
    pods('payments', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('payments', 'pod_pending', 2)],
      changes: [
        change('Node', 'node-1', 9, [field('taints.dedicated=gpu:NoSchedule', null, 'NoSchedule')], {
          namespace: null,
        }),
      ],
      events: [
        event(
          ['Pod', POD('payments')],
          'FailedScheduling',
          '0/2 nodes are available: 1 node(s) had untolerated taint {dedicated: gpu}, 1 node(s) had untolerated taint {node-role: }.',
          8,
        ),
      ],
    }),
  ),
  fault(
    'host-port-taken',
    ['payments', 'redis'],
    pods('payments', (pod) => unscheduled(pod, 8)),
    fields('Deployment', 'payments', { 'containers.app.ports': 'http 6379/TCP' }),
    add({
      alerts: [alert('payments', 'pod_pending', 2)],
      changes: [change('Deployment', 'payments', 8, [field('containers.app.ports', '8082/TCP', '6379/TCP')])],
      events: [
        event(
          ['Pod', POD('payments')],
          'FailedScheduling',
          "0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.",
          8,
        ),
      ],
    }),
  ),
  fault(
    'replicas-huge',
    ['front'],
    (evidence) => ({
      ...evidence,
      pods: [...evidence.pods, ...[2, 3, 4, 5].map((index) => unscheduled(podOf(appOf('front'), index), 8))],
    }),
    add({
      alerts: [alert('front', 'pod_pending', 2), alert('front', 'replicas_missing', 1)],
      changes: [change('Deployment', 'front', 8, [field('replicas', '2', '500')])],
      events: [event(['Pod', POD('front', 2)], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 8)],
    }),
  ),
  fault(
    'pvc-unbound',
    ['reports'],
    add({
      pods: [unscheduled(podOf({ ...appOf('consumer'), name: 'reporter', claims: ['reports'] }, 0), 8)],
      alerts: [alert('reporter', 'pod_pending', 2)],
      claims: [
        {
          clusterId: CLUSTER,
          namespace: 'shop',
          name: 'reports',
          phase: 'Pending',
          storageClass: 'fast',
          usedPercent: null,
          reason: null,
        },
      ],
      changes: [change('Deployment', 'reporter', 8, [], { action: 'added' })],
      events: [
        event(
          ['PersistentVolumeClaim', 'reports'],
          'ProvisioningFailed',
          'storageclass.storage.k8s.io "fast" not found',
          8,
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
    'volume-full',
    ['data-postgres-0'],
    (evidence) => ({ ...evidence, claims: evidence.claims.map((claim) => ({ ...claim, usedPercent: 100 })) }),
    pods('postgres', (pod) =>
      crashing(pod, 7, 'PANIC: could not write to file "pg_wal/xlogtemp.29": No space left on device'),
    ),
    add({ alerts: [alert('postgres', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'webhook-down',
    ['policy-check'],
    add({
      alerts: [alert('payments', 'replicas_missing', 2)],
      objects: [
        {
          clusterId: CLUSTER,
          namespace: null,
          kind: 'ValidatingWebhookConfiguration',
          name: 'policy-check',
          fields: { 'webhooks.pods.policy.example.net.failurePolicy': 'Fail' },
          hidden: [],
        },
      ],
      changes: [
        change('Deployment', 'payments', 8, [field('containers.app.image', 'shop/payments:1.0', 'shop/payments:1.1')]),
      ],
      events: [
        event(
          ['ReplicaSet', 'payments-7c8d9f'],
          'FailedCreate',
          'Error creating: Internal error occurred: failed calling webhook "pods.policy.example.net": failed to call webhook: Post "https://policy.tools.svc:443/": no endpoints available for service "policy"',
          8,
        ),
      ],
    }),
  ),
  fault(
    'node-lost',
    ['node-2'],
    (evidence) => ({
      ...evidence,
      nodes: evidence.nodes.map((node) =>
        node.name === 'node-2'
          ? {
              ...node,
              ready: null,
              conditions: [
                { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.', since: ago(8) },
              ],
            }
          : node,
      ),
      pods: evidence.pods.map((pod) => (pod.node === 'node-2' ? notReady(pod) : pod)),
    }),
    add({
      alerts: [
        alert('node-2', 'node_not_ready', 5, {
          object: { clusterId: CLUSTER, namespace: null, kind: 'Node', name: 'node-2' },
        }),
        alert('orders', 'replicas_missing', 2),
        alert('payments', 'replicas_missing', 2),
      ],
    }),
  ),
  fault(
    'node-memory-eaten',
    ['hog'],
    (evidence) => ({
      ...evidence,
      nodes: evidence.nodes.map((node) =>
        node.name === 'node-1'
          ? {
              ...node,
              conditions: [
                ...node.conditions,
                {
                  type: 'MemoryPressure',
                  status: 'True',
                  message: 'kubelet has insufficient memory available',
                  since: ago(6),
                },
              ],
            }
          : node,
      ),
    }),
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted', createdAt: ago(3000) } : pod,
    ),
    add({
      pods: [
        podOf({ ...appOf('consumer'), name: 'hog' }, 0, {
          memoryMb: Array.from({ length: 60 }, (_, index) => ({ at: ago(60 - index), value: index < 48 ? 200 : 5000 })),
          containers: [container('shop/hog:1', { memoryLimitMb: null })],
          createdAt: ago(600),
        }),
      ],
      alerts: [
        alert('node-1', 'node_pressure', 5, {
          object: { clusterId: CLUSTER, namespace: null, kind: 'Node', name: 'node-1' },
        }),
        alert('payments', 'replicas_missing', 2),
      ],
      events: [
        event(
          ['Pod', POD('payments')],
          'Evicted',
          'The node was low on resource: memory. Threshold quantity: 100Mi, available: 60Mi. Container app was using 140Mi, request is 128Mi.',
          5,
        ),
      ],
    }),
  ),
  fault(
    'two-at-once',
    ['orders', 'redis'],
    decoys,
    pods('orders', (pod) => waiting(pod, 'ImagePullBackOff', 8)),
    pods('redis', (pod) => crashing(young(pod, 9), 8, 'Fatal error, can not open config file')),
    add({
      alerts: [alert('orders', 'pod_image_pull', 3), alert('redis', 'pod_crash_loop', 3)],
      changes: [
        change('Deployment', 'orders', 8, [field('containers.app.image', 'shop/orders:1.0', 'shop/orders:1.1')]),
        change('Deployment', 'redis', 9, [
          field('containers.app.args', 'redis-server', 'redis-server /etc/redis.conf'),
        ]),
      ],
      events: [event(['Pod', POD('orders')], 'Failed', 'Failed to pull image "shop/orders:1.1": not found', 7)],
    }),
  ),
];

export const SHOP_FAULTS: readonly ShopFault[] = [...image, ...settings, ...traffic, ...room];
