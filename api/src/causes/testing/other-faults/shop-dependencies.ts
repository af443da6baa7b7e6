import type { OtherFault } from './host-told.ts';
import {
  fault,
  add,
  pods,
  fields,
  POD,
  object,
  unhealthy,
  checkFails,
  frontSuffers,
  decoys,
  DECOYS,
  elsewhere,
} from './shop-told.ts';
import {
  CLUSTER,
  ago,
  withObject,
  change,
  field,
  hiddenField,
  alert,
  event,
  lastWords,
  crashing,
  notReady,
  young,
  waiting,
} from '../shop.ts';

export const dependencies: readonly OtherFault[] = [
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
