import type { OtherFault } from '../other-faults/host-told.ts';
import {
  add,
  checkFails,
  decoys,
  fault,
  nodes,
  object,
  POD,
  pods,
  ready,
  unhealthy,
} from '../other-faults/shop-told.ts';
import {
  alert,
  change,
  crashing,
  event,
  field,
  hiddenField,
  lastWords,
  notReady,
  waiting,
  young,
  ago,
  CLUSTER,
} from '../shop.ts';

/** Checks that fail beside changes which did nothing, and two causes at once. */

const flap = checkFails(2);
const deployed = (app: string, minutes: number, ...fields: Parameters<typeof change>[3]) =>
  add({ changes: [change('Deployment', app, minutes, fields), ready(app, minutes - 1)] });
const image = (app: string) => field('containers.app.image', `shop/${app}:1.0`, `shop/${app}:1.1`);
const outside = add({
  checks: [
    {
      id: 'check-9',
      name: 'partner',
      target: 'GET https://api.partner.example/',
      status: 'down',
      since: ago(3),
      reason: 'timeout',
      serverId: null,
    },
  ],
  alerts: [alert('partner', 'check_failed', 2, { object: null, subject: 'check-9' })],
});

export const healthyOnCall: readonly OtherFault[] = [
  fault(
    'sound-rollout-alone',
    [],
    {},
    add({ changes: [change('Deployment', 'payments', 6, [image('payments')])] }),
    flap,
  ),
  fault(
    'sound-rollout-of-a-worker',
    [],
    {},
    add({ changes: [change('Deployment', 'consumer', 6, [image('consumer')])] }),
    flap,
  ),
  fault(
    'limit-raised',
    [],
    {},
    deployed('payments', 6, field('containers.app.resources.limits.cpu', '500m', '1')),
    flap,
  ),
  fault('log-level-changed', [], {}, deployed('payments', 5, hiddenField('containers.app.env.LOG_LEVEL')), flap),
  fault('autoscaler-adds-a-pod', [], {}, deployed('payments', 5, field('replicas', '2', '3')), flap),
  fault(
    'agent-of-all-nodes-rolled-out',
    [],
    {},
    add({
      changes: [
        change('DaemonSet', 'log-agent', 6, [field('containers.app.image', 'log-agent:1', 'log-agent:2')], {
          namespace: 'kube-system',
        }),
      ],
    }),
    flap,
  ),
  fault(
    'service-gets-an-annotation',
    [],
    {},
    add({ changes: [change('Service', 'orders', 6, [field('annotations.prometheus.io/scrape', null, 'true')])] }),
    flap,
  ),
  fault(
    'dashboard-installed',
    [],
    {},
    add({
      objects: [object('Deployment', 'dashboard', { replicas: '1' })],
      changes: [
        change('Deployment', 'dashboard', 6, [], { action: 'added' }),
        change('Service', 'dashboard', 6, [], { action: 'added' }),
        change('ConfigMap', 'dashboard', 6, [], { action: 'added' }),
      ],
    }),
    flap,
  ),
  fault('settled-cache-rollout', [], {}, deployed('redis', 6, image('redis')), flap),
  fault('partner-is-down', [], {}, add({ changes: [change('Deployment', 'front', 6, [image('front')])] }), outside),
  fault('partner-is-down-beside-decoys', [], {}, decoys, outside),
];

export const twoOnCall: readonly OtherFault[] = [
  fault(
    'bad-image-and-lost-node',
    [],
    { all: [/Deployment payments/, /Node node-2/] },
    nodes('node-2', (one) => ({
      ...one,
      ready: false,
      conditions: [
        { type: 'Ready', status: 'Unknown', message: 'Kubelet stopped posting node status.', since: ago(9) },
      ],
    })),
    (evidence) => ({ ...evidence, pods: evidence.pods.map((pod) => (pod.node === 'node-2' ? notReady(pod) : pod)) }),
    pods('payments', (pod) => ({ ...waiting(pod, 'ImagePullBackOff', 12), node: 'node-1' })),
    add({
      changes: [change('Deployment', 'payments', 12, [image('payments')])],
      alerts: [
        alert('node-2', 'node_not_ready', 6, {
          object: { clusterId: CLUSTER, namespace: null, kind: 'Node', name: 'node-2' },
        }),
        alert('payments', 'pod_image_pull', 6),
      ],
      events: [event(['Pod', POD('payments')], 'Failed', 'Failed to pull image "shop/payments:1.1": not found', 11)],
    }),
  ),
  fault(
    'limit-too-small-and-policy',
    [],
    { all: [/Deployment consumer/, /NetworkPolicy redis/], never: [/banner/] },
    decoys,
    pods('consumer', (pod) =>
      crashing(young(pod, 9), 8, null, { end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(7) } }),
    ),
    pods('orders', (pod) => notReady(pod)),
    add({
      objects: [
        object('NetworkPolicy', 'redis', {
          podSelector: '{"matchLabels":{"app":"redis"}}',
          policyTypes: 'Ingress',
          ingress: '[{"from":[{"podSelector":{"matchLabels":{"app":"consumer"}}}]}]',
        }),
      ],
      changes: [
        change('Deployment', 'consumer', 9, [field('containers.app.resources.limits.memory', '256Mi', '24Mi')]),
        change('NetworkPolicy', 'redis', 8, [], { action: 'added' }),
      ],
      alerts: [alert('consumer', 'pod_oom_kill', 6), alert('orders', 'replicas_missing', 4)],
      events: [unhealthy('orders')],
      lines: [lastWords(POD('orders'), 'connect ETIMEDOUT redis:6379', 5)],
    }),
  ),
  fault(
    'two-bad-rollouts',
    [],
    { all: [/Deployment orders/, /Deployment payments/] },
    pods('orders', (pod) => crashing(young(pod, 9), 8, "Error: Cannot find module 'left-pad'")),
    pods('payments', (pod) => waiting(pod, 'ErrImagePull', 8)),
    add({
      changes: [
        change('Deployment', 'orders', 9, [image('orders')]),
        change('Deployment', 'payments', 8, [image('payments')]),
      ],
      alerts: [alert('orders', 'pod_crash_loop', 4), alert('payments', 'pod_image_pull', 4)],
      events: [event(['Pod', POD('payments')], 'Failed', 'Failed to pull image "shop/payments:1.1": not found', 7)],
    }),
  ),
];
