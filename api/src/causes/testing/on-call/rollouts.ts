import type { OtherFault } from '../other-faults/host-told.ts';
import {
  add,
  checkFails,
  decoys,
  DECOYS,
  fault,
  frontSuffers,
  POD,
  pods,
  ready,
  unhealthy,
} from '../other-faults/shop-told.ts';
import {
  ago,
  alert,
  change,
  container,
  crashing,
  event,
  field,
  hiddenField,
  lastWords,
  notReady,
  waiting,
  young,
} from '../shop.ts';

/** Faults that a person on call meets after a rollout. */

const rolled = (app: string, minutes: number, ...fields: Parameters<typeof change>[3]) =>
  add({ changes: [change('Deployment', app, minutes, fields)] });
const image = (app: string) => field('containers.app.image', `shop/${app}:1.0`, `shop/${app}:1.1`);
const crashes = (app: string, words: string) => [
  pods(app, (pod) => crashing(young(pod, 8), 7, words)),
  add({ alerts: [alert(app, 'pod_crash_loop', 4)] }),
];

export const rolloutsOnCall: readonly OtherFault[] = [
  fault(
    'wrong-architecture',
    [/Deployment orders/, /change Deployment-orders-8/],
    { never: DECOYS },
    decoys,
    rolled('orders', 8, image('orders')),
    ...crashes('orders', 'exec /app/server: exec format error'),
  ),
  fault(
    'root-filesystem-read-only',
    [/Deployment orders/, /change Deployment-orders-8/],
    {},
    rolled('orders', 8, field('containers.app.securityContext', null, '{"readOnlyRootFilesystem":true}')),
    ...crashes('orders', "Error: EROFS: read-only file system, open '/app/tmp/cache'"),
  ),
  fault(
    'command-misspelt',
    [/Deployment consumer/, /change Deployment-consumer-9/],
    { never: DECOYS },
    decoys,
    rolled('consumer', 9, field('containers.app.command', '(8 words)', '(8 words, other)')),
    pods('consumer', (pod) => waiting(pod, 'RunContainerError', 9)),
    add({
      alerts: [alert('consumer', 'replicas_missing', 5)],
      events: [
        event(
          ['Pod', POD('consumer')],
          'Failed',
          'Error: failed to create containerd task: exec: "cosumer": executable file not found in $PATH',
          8,
        ),
      ],
    }),
  ),
  fault(
    'pull-secret-removed',
    [/Deployment payments/, /change Deployment-payments-10/],
    {},
    rolled('payments', 10, field('imagePullSecrets', 'registry', null), image('payments')),
    pods('payments', (pod) => waiting(pod, 'ImagePullBackOff', 10)),
    add({
      alerts: [alert('payments', 'pod_image_pull', 6)],
      events: [
        event(
          ['Pod', POD('payments')],
          'Failed',
          'Failed to pull image "shop/payments:1.1": authorization failed: 401 Unauthorized',
          9,
        ),
      ],
    }),
  ),
  fault(
    'graphics-card-requested',
    [/Deployment payments/, /change Deployment-payments-10/],
    { never: [/Node/, ...DECOYS.slice(1)] },
    rolled('payments', 10, field('containers.app.resources.requests.nvidia.com/gpu', null, '1')),
    pods('payments', (pod) => ({ ...waiting(pod, 'Unschedulable', 10), node: null, containers: [] })),
    add({
      alerts: [alert('payments', 'pod_pending', 5)],
      events: [
        event(
          ['Pod', POD('payments')],
          'FailedScheduling',
          '0/2 nodes are available: 2 Insufficient nvidia.com/gpu.',
          9,
        ),
      ],
    }),
  ),
  fault(
    'spread-that-no-node-fits',
    [/Deployment payments/, /change Deployment-payments-10/],
    {},
    rolled('payments', 10, field('topologySpreadConstraints', null, '[{"maxSkew":1,"topologyKey":"zone"}]')),
    pods('payments', (pod) => ({ ...waiting(pod, 'Unschedulable', 10), node: null, containers: [] })),
    add({
      alerts: [alert('payments', 'pod_pending', 5)],
      events: [
        event(
          ['Pod', POD('payments')],
          'FailedScheduling',
          "0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints (missing required label).",
          9,
        ),
      ],
    }),
  ),
  fault(
    'address-misspelt',
    [/Deployment front/, /change Deployment-front-7/],
    { never: DECOYS },
    decoys,
    rolled('front', 7, hiddenField('containers.app.env.ORDERS_URL')),
    pods('front', (pod) => notReady(young(pod, 7))),
    add({
      alerts: [alert('front', 'replicas_missing', 3)],
      events: [unhealthy('front')],
      lines: [lastWords(POD('front'), 'getaddrinfo ENOTFOUND orderz', 5)],
    }),
    checkFails(),
  ),
  fault(
    'listens-elsewhere-by-argument',
    [/Deployment orders/, /change Deployment-orders-8/],
    { never: DECOYS },
    decoys,
    rolled('orders', 8, field('containers.app.args', '(2 words)', '(2 words, other)')),
    pods('orders', (pod) => notReady(young(pod, 8))),
    add({
      alerts: [alert('orders', 'replicas_missing', 4)],
      events: [unhealthy('orders', 'Readiness probe failed: dial tcp 10.1.0.7:8081: connect: connection refused', 7)],
    }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'migration-waits-for-a-lock',
    [/Deployment orders/, /change Deployment-orders-10/],
    {},
    rolled('orders', 10, image('orders'), field('initContainers.migrate.image', 'shop/orders:1.0', 'shop/orders:1.1')),
    pods('orders', (pod) => ({
      ...waiting(pod, 'Init:0/1', 10),
      containers: [
        container('shop/orders:1.1', { name: 'migrate', isInit: true, ready: false }),
        container('shop/orders:1.1', { status: 'waiting', ready: false, reason: 'PodInitializing' }),
      ],
    })),
    add({
      alerts: [alert('orders', 'replicas_missing', 4)],
      lines: [lastWords(POD('orders'), 'init: waiting for lock on schema_migrations', 6)],
    }),
  ),
  fault(
    'liveness-path-gone',
    [/Deployment payments/, /change Deployment-payments-9/],
    { never: [/redis/, /banner/] },
    rolled('payments', 9, field('containers.app.livenessProbe', '{"path":"/live"}', '{"path":"/alive"}')),
    pods('payments', (pod) => crashing(young(pod, 9), 8, null)),
    add({
      alerts: [alert('payments', 'pod_crash_loop', 4)],
      events: [
        event(
          ['Pod', POD('payments')],
          'Unhealthy',
          'Liveness probe failed: HTTP probe failed with statuscode: 404',
          7,
        ),
        event(['Pod', POD('payments')], 'Killing', 'Container app failed liveness probe, will be restarted', 7),
      ],
    }),
  ),
  fault(
    'leak-of-the-front',
    [/Deployment front/],
    { never: DECOYS },
    decoys,
    pods('front', (pod) => ({
      ...pod,
      ready: false,
      restarts: [200, 120, 40, 5].map((minutes) => ({
        at: ago(minutes),
        reason: 'OOMKilled',
        exitCode: 137,
        memoryLimitMb: 256,
      })),
      containers: pod.containers.map((one) => ({
        ...one,
        ready: false,
        restarts: 4,
        end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(5) },
      })),
    })),
    add({ alerts: [alert('front', 'pod_oom_kill', 4)] }),
  ),
  fault(
    'rollout-then-second-replica-only',
    [/Deployment orders/, /change Deployment-orders-7/],
    { never: [/payments/] },
    add({ changes: [change('Deployment', 'payments', 13, [image('payments')]), ready('payments', 12)] }),
    rolled('orders', 7, image('orders')),
    pods('orders', (pod) =>
      pod.name === POD('orders') ? crashing(young(pod, 7), 6, 'panic: nil map in newTaxTable') : pod,
    ),
    add({ alerts: [alert('orders', 'pod_crash_loop', 3)] }),
  ),
];
