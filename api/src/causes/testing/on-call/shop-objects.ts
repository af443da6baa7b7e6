import type { OtherFault } from '../other-faults/host-told.ts';
import {
  add,
  checkFails,
  decoys,
  DECOYS,
  fault,
  fields,
  frontSuffers,
  nodes,
  object,
  POD,
  pods,
  unhealthy,
} from '../other-faults/shop-told.ts';
import {
  ago,
  alert,
  change,
  CLUSTER,
  crashing,
  event,
  field,
  hiddenField,
  lastWords,
  notReady,
  waiting,
  young,
} from '../shop.ts';

/** Faults that a person on call meets where an object beside the workloads is guilty. */

const without = (kind: string, name: string) => (evidence: OtherFault['evidence']) => ({
  ...evidence,
  objects: evidence.objects.filter((one) => one.kind !== kind || one.name !== name),
  pods: evidence.pods.filter(({ ownerName, ownerKind }) => ownerKind !== kind || ownerName !== name),
  workloads: evidence.workloads.filter((one) => one.kind !== kind || one.name !== name),
});

export const objectsOnCall: readonly OtherFault[] = [
  fault(
    'database-deleted',
    [/StatefulSet postgres/],
    { never: DECOYS },
    decoys,
    without('StatefulSet', 'postgres'),
    add({ changes: [change('StatefulSet', 'postgres', 7, [], { action: 'gone' })] }),
    pods('orders', (pod) => crashing(pod, 5, 'connect ECONNREFUSED postgres:5432')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'deployment-deleted',
    [/Deployment payments/],
    {},
    without('Deployment', 'payments'),
    add({ changes: [change('Deployment', 'payments', 6, [], { action: 'gone' })] }),
    ...frontSuffers('connect ECONNREFUSED payments:8082'),
    checkFails(),
  ),
  fault(
    'key-of-a-map-renamed',
    [/ConfigMap orders-config/],
    { never: DECOYS.slice(0, 2) },
    decoys,
    add({
      changes: [
        change('ConfigMap', 'orders-config', 9, [
          hiddenField('data.DB_HOST', 'removed'),
          hiddenField('data.DATABASE_HOST', 'set'),
        ]),
      ],
      alerts: [alert('orders', 'pod_crash_loop', 3)],
    }),
    pods('orders', (pod) => crashing(pod, 6, "KeyError: 'DB_HOST'")),
  ),
  fault(
    'quota-lowered',
    [/ResourceQuota compute/],
    { never: DECOYS },
    decoys,
    add({
      objects: [object('ResourceQuota', 'compute', { 'hard.pods': '6' })],
      changes: [change('ResourceQuota', 'compute', 12, [field('hard.pods', '20', '6')])],
      alerts: [alert('orders', 'replicas_missing', 4)],
      events: [
        event(
          ['ReplicaSet', 'orders-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: pods "orders-6f7d8c9b5d-abcde" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=6, limited: pods=6',
          6,
        ),
      ],
    }),
  ),
  fault(
    'service-becomes-external',
    [/Service orders/],
    {},
    fields('Service', 'orders', { type: 'ExternalName', externalName: 'orders.legacy.example.net' }),
    add({ changes: [change('Service', 'orders', 6, [field('type', 'ClusterIP', 'ExternalName')])] }),
    ...frontSuffers('getaddrinfo ENOTFOUND orders'),
    checkFails(),
  ),
  fault(
    'ingress-class-changed',
    [/Ingress shop/],
    { never: DECOYS },
    decoys,
    add({ changes: [change('Ingress', 'shop', 6, [field('ingressClassName', 'nginx', 'traefik')])] }),
    checkFails(),
  ),
  fault(
    'ingress-rule-removed',
    [/Ingress shop/],
    {},
    add({
      changes: [change('Ingress', 'shop', 5, [field('rules.shop.example.net/', 'Service front:8080', null)])],
    }),
    checkFails(),
  ),
  fault(
    'kubelet-stopped',
    [/Node node-2/],
    { never: DECOYS },
    decoys,
    nodes('node-2', (one) => ({
      ...one,
      ready: false,
      conditions: [
        { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.', since: ago(8) },
      ],
    })),
    (evidence) => ({
      ...evidence,
      pods: evidence.pods.map((pod) => (pod.node === 'node-2' ? notReady(pod) : pod)),
    }),
    add({
      alerts: [
        alert('node-2', 'node_not_ready', 6, {
          object: { clusterId: CLUSTER, namespace: null, kind: 'Node', name: 'node-2' },
        }),
        alert('orders', 'replicas_missing', 5),
      ],
    }),
  ),
  fault(
    'volume-lost',
    [/PersistentVolumeClaim data-postgres-0/],
    {},
    (evidence) => ({
      ...evidence,
      claims: evidence.claims.map((one) => ({ ...one, phase: 'Lost', reason: 'ClaimLost' })),
    }),
    pods('postgres', (pod) => waiting(pod, 'ContainerCreating', 8)),
    add({
      alerts: [alert('postgres', 'replicas_missing', 4)],
      events: [
        event(
          ['PersistentVolumeClaim', 'data-postgres-0'],
          'ClaimLost',
          'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
          9,
        ),
      ],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'policy-loses-a-caller',
    [/NetworkPolicy redis/],
    { never: [/payments/, /banner/] },
    decoys,
    add({
      objects: [
        object('NetworkPolicy', 'redis', {
          podSelector: '{"matchLabels":{"app":"redis"}}',
          policyTypes: 'Ingress',
          ingress: '[{"from":[{"podSelector":{"matchLabels":{"app":"consumer"}}}]}]',
        }),
      ],
      changes: [change('NetworkPolicy', 'redis', 8, [field('ingress', '[{"from":[2 peers]}]', '[{"from":[1 peer]}]')])],
      alerts: [alert('orders', 'replicas_missing', 4)],
      events: [unhealthy('orders')],
      lines: [lastWords(POD('orders'), 'connect ETIMEDOUT redis:6379', 5)],
    }),
    pods('orders', (pod) => notReady(pod)),
  ),
  fault(
    'cache-is-full',
    [/Deployment redis/],
    {},
    add({
      alerts: [alert('consumer', 'pod_crash_loop', 3)],
    }),
    pods('consumer', (pod) => crashing(pod, 6, "OOM command not allowed when used memory > 'maxmemory'. (redis:6379)")),
  ),
  fault(
    'database-rejects-hosts',
    [/ConfigMap pg-config|StatefulSet postgres/],
    { never: [/Deployment orders/] },
    add({
      changes: [change('ConfigMap', 'pg-config', 10, [hiddenField('data.pg_hba.conf')])],
      alerts: [alert('orders', 'pod_crash_loop', 3)],
    }),
    pods('orders', (pod) =>
      crashing(pod, 6, 'FATAL: no pg_hba.conf entry for host "10.1.0.9", user "shop", database "shop"'),
    ),
  ),
  fault(
    'webhook-without-endpoints',
    [/ValidatingWebhookConfiguration policy-guard/],
    { never: DECOYS },
    decoys,
    add({
      changes: [
        change(
          'ValidatingWebhookConfiguration',
          'policy-guard',
          12,
          [field('webhooks.guard.example.net.failurePolicy', 'Ignore', 'Fail')],
          {
            namespace: null,
          },
        ),
      ],
      alerts: [alert('payments', 'replicas_missing', 4)],
      events: [
        event(
          ['ReplicaSet', 'payments-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: Internal error occurred: failed calling webhook "guard.example.net": no endpoints available for service "policy-guard"',
          6,
        ),
      ],
    }),
  ),
  fault(
    'task-locks-the-tables',
    [/Job migrate/],
    { never: [/Deployment/] },
    add({
      objects: [object('Job', 'migrate', { 'containers.app.image': 'shop/migrate:2' })],
      changes: [change('Job', 'migrate', 8, [], { action: 'added' })],
      alerts: [alert('orders', 'replicas_missing', 4), alert('payments', 'replicas_missing', 4)],
      events: [unhealthy('orders'), unhealthy('payments'), unhealthy('front')],
    }),
    ...['orders', 'payments', 'front'].map((app) => pods(app, (pod) => notReady(pod))),
  ),
  fault(
    'young-node-without-network',
    [/Node node-2/],
    {},
    pods('orders', (pod) => (pod.node === 'node-2' ? waiting(young(pod, 7), 'ContainerCreating', 7) : pod)),
    add({
      alerts: [alert('orders', 'replicas_missing', 3)],
      events: [
        event(
          ['Pod', POD('orders', 1)],
          'FailedCreatePodSandBox',
          'Failed to create pod sandbox: plugin type="cilium-cni" failed (add): unable to connect to Cilium daemon',
          6,
        ),
      ],
    }),
  ),
];
