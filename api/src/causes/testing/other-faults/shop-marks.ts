import type { OtherFault } from './host-told.ts';
import type { Evidence } from '../../evidence.ts';
import {
  fault,
  add,
  pods,
  nodes,
  POD,
  object,
  stepped,
  ready,
  unhealthy,
  checkFails,
  frontSuffers,
} from './shop-told.ts';
import {
  ago,
  container,
  podOf,
  change,
  field,
  hiddenField,
  alert,
  event,
  lastWords,
  crashing,
  notReady,
  unscheduled,
} from '../shop.ts';

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
export const besideMarks: readonly OtherFault[] = [
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
