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
  podOf,
} from '../shop.ts';
import type { OtherFault } from './host-told.ts';
import { add, checkFails, fault, nodes, object, POD, pods, stepped } from './shop-told.ts';

const restart = hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set');
/** A new Deployment whose pods carry the labels of `front`. */
const canary = add({
  pods: [0, 1].map((index) => podOf({ name: 'front-canary' }, index, { createdAt: ago(8), labels: { app: 'front' } })),
  objects: [
    object('Deployment', 'front-canary', { 'template.labels.app': 'front', 'containers.app.image': 'shop/front:2.0' }),
  ],
  changes: [change('Deployment', 'front-canary', 8, [], { action: 'added' })],
});
const job = (name: string, minutes: number) =>
  add({
    pods: [
      podOf({ name }, 0, { ownerKind: 'Job', createdAt: ago(minutes), phase: 'Succeeded', ready: false, labels: {} }),
    ],
    objects: [object('Job', name, { 'containers.app.image': 'shop/tools:1.0' })],
    changes: [change('Job', name, minutes, [], { action: 'added' })],
  });
/** The front reads new addresses at a restart, and is ready with them. */
const rereads = add({
  objects: [object('ConfigMap', 'addresses', {}, { hidden: ['data.cart'] })],
  changes: [
    change('ConfigMap', 'addresses', 5, [hiddenField('data.cart')]),
    change('Deployment', 'front', 4.9, [restart]),
  ],
});
const unready = pods('front', (pod) => notReady(pod));

/** Things that came beside a workload: a second program behind its Service, a task, a restart, a pod of a higher priority. */
export const besideWorkloads: readonly OtherFault[] = [
  fault('canary-behind-a-failing-check', [/Deployment front-canary/], {}, canary, checkFails()),
  fault(
    'crash-beside-a-canary',
    [/Deployment orders/],
    { never: [/canary/] },
    canary,
    pods('orders', (pod) => crashing(pod, 4, 'panic: x')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
  ),
  fault('task-before-trouble', [/Job rename-price/], {}, job('rename-price', 6), unready, checkFails()),
  fault('long-after-a-task', [], { never: [/rename-price/] }, job('rename-price', 40), unready, checkFails()),
  fault(
    'rollout-after-a-task',
    [/Deployment front/],
    { never: [/rename-price/] },
    job('rename-price', 6),
    unready,
    add({ changes: [change('Deployment', 'front', 5, [field('containers.app.image', 'front:1', 'front:2')])] }),
    checkFails(),
  ),
  fault('task-without-trouble', [], {}, job('rename-price', 6), checkFails()),
  fault(
    'restart-reads-something-else',
    [/Deployment orders/, /change Deployment-orders-6/],
    {},
    pods('orders', (pod) => ({ ...notReady(pod), createdAt: ago(6) })),
    unready,
    add({
      changes: [change('Deployment', 'orders', 6, [restart])],
      alerts: [alert('orders', 'replicas_missing', 2)],
    }),
    checkFails(),
  ),
  fault(
    'restart-with-another-image',
    [/Deployment orders/],
    { untrue: /reads at its start/ },
    pods('orders', (pod) => ({ ...notReady(pod), createdAt: ago(6) })),
    add({
      changes: [change('Deployment', 'orders', 6, [restart, field('containers.app.image', 'orders:1', 'orders:2')])],
      alerts: [alert('orders', 'replicas_missing', 2)],
    }),
  ),
  fault(
    'right-taken-away-before-a-restart',
    [/Deployment orders/],
    { all: [/ServiceAccount orders-reader/] },
    pods('orders', (pod) => crashing(pod, 4, null)),
    add({
      changes: [
        change('Deployment', 'orders', 30, [field('initContainers.wait.image', null, 'shop/tools:1')]),
        change('Deployment', 'orders', 5, [restart]),
      ],
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      lines: [
        lastWords(
          POD('orders'),
          'secrets is forbidden: User "system:serviceaccount:shop:orders-reader" cannot list resource "secrets"',
          4,
        ),
      ],
    }),
  ),
  fault('address-in-a-read-config', [/ConfigMap addresses/], {}, rereads, checkFails()),
  fault(
    'crash-beside-a-read-config',
    [/Deployment orders/],
    { never: [/ConfigMap/] },
    rereads,
    pods('orders', (pod) => crashing(pod, 4, 'panic: x')),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
  ),
  fault(
    'node-as-full-as-ever',
    [],
    { never: [/Node/] },
    nodes('node-1', (node) => ({ ...node, cpu: stepped(93, 95, 20) })),
    checkFails(),
  ),
  ...[true, false].map((isKnown) =>
    fault(
      `preempted-by-uid-${isKnown ? 'of-a-pod' : 'of-one-that-waits'}`,
      [/Job nightly/],
      {},
      pods('orders', (pod) => notReady(pod, { phase: 'Pending', node: null })),
      add({
        pods: [
          podOf({ name: 'nightly' }, 0, {
            ...(isKnown && { uid: 'db747f6c-ef5e-4ce0-bfe4-604363bfcff1' }),
            ownerKind: 'Job',
            createdAt: ago(5),
            node: isKnown ? 'node-1' : null,
            phase: isKnown ? 'Running' : 'Pending',
          }),
        ],
        alerts: [alert('orders', 'replicas_missing', 2)],
        events: [
          event(
            ['Pod', POD('orders')],
            'Preempted',
            'Preempted by pod db747f6c-ef5e-4ce0-bfe4-604363bfcff1 on node node-1',
            4,
            { clusterId: CLUSTER },
          ),
        ],
      }),
    ),
  ),
];
