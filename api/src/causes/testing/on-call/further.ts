import {
  edited,
  event as hostEvent,
  fault as hostFault,
  line,
  updated,
  DECOY_CHANGES,
  DECOY_EVENTS,
  DECOYS as HOST_DECOYS,
  type OtherFault,
} from '../other-faults/host-told.ts';
import {
  add,
  checkFails,
  decoys,
  DECOYS,
  elsewhere,
  fault,
  fields,
  frontSuffers,
  object,
  POD,
  pods,
  ready,
  unhealthy,
} from '../other-faults/shop-told.ts';
import {
  alert,
  APPS,
  change,
  crashing,
  event,
  field,
  hiddenField,
  lastWords,
  notReady,
  podOf,
  waiting,
  young,
} from '../shop.ts';

/** Further work of a person on call, in clusters and on machines. */

const image = (app: string, from = '1.0', to = '1.1') =>
  field('containers.app.image', `shop/${app}:${from}`, `shop/${app}:${to}`);
const [FRONT] = APPS;

export const furtherInClusters: readonly OtherFault[] = [
  fault(
    'rollout-of-what-the-check-opens',
    [/Deployment front/, /change Deployment-front-5/],
    {},
    add({ changes: [change('Deployment', 'front', 5, [image('front')]), ready('front', 4)] }),
    checkFails(2),
  ),
  fault(
    'selector-leads-to-a-sick-canary',
    [/Service orders/, /change Service-orders-6/],
    { never: DECOYS },
    decoys,
    add({
      objects: [object('Deployment', 'canary', { replicas: '1', 'template.labels.app': 'canary' })],
      pods: [notReady(podOf({ name: 'canary' }, 0, { labels: { app: 'canary' } }))],
      changes: [change('Service', 'orders', 6, [field('selector.app', 'orders', 'canary')])],
    }),
    fields('Service', 'orders', { 'selector.app': 'canary' }),
    ...frontSuffers('connect ECONNREFUSED orders:8081'),
  ),
  fault(
    'proxy-of-all-nodes-broken',
    [/DaemonSet kube-proxy/],
    {},
    add({
      pods: [0, 1].map((index) => ({
        ...crashing(
          elsewhere('kube-proxy', 'kube-system', { ownerKind: 'DaemonSet', node: `node-${String(index + 1)}` }),
          8,
          'invalid configuration: conntrack.maxPerCore must be >= 0',
        ),
        name: `kube-proxy-x${String(index)}k4p`,
      })),
      changes: [
        change('DaemonSet', 'kube-proxy', 9, [field('containers.kube-proxy.args', '(3 words)', '(3 words, other)')], {
          namespace: 'kube-system',
        }),
      ],
      alerts: [
        alert('kube-proxy', 'pod_crash_loop', 5, {
          object: { clusterId: 'cluster-1', namespace: 'kube-system', kind: 'DaemonSet', name: 'kube-proxy' },
        }),
      ],
    }),
    ...frontSuffers('connect ETIMEDOUT orders:8081'),
  ),
  fault(
    'nightly-task-fails',
    [/CronJob nightly/],
    { never: DECOYS },
    decoys,
    add({
      objects: [object('CronJob', 'nightly', { schedule: '0 3 * * *', 'containers.app.image': 'shop/nightly:1' })],
      pods: [
        {
          ...crashing(podOf({ name: 'nightly-29384400', kind: 'Job' }, 0), 5, 'ValueError: unknown currency XDR'),
          phase: 'Failed',
        },
      ],
      alerts: [
        alert('nightly', 'job_failed', 3, {
          object: { clusterId: 'cluster-1', namespace: 'shop', kind: 'CronJob', name: 'nightly' },
        }),
      ],
    }),
  ),
  fault(
    'cache-cannot-read-its-own-file',
    [/Deployment redis/, /change Deployment-redis-8/],
    { never: [/payments/, /orders$/] },
    add({ changes: [change('Deployment', 'redis', 8, [field('containers.app.image', 'redis:8', 'redis:7')])] }),
    pods('redis', (pod) =>
      crashing(young(pod, 8), 7, "Can't handle RDB format version 12. Fatal error loading the DB"),
    ),
    pods('orders', (pod) => notReady(pod)),
    add({
      alerts: [alert('redis', 'pod_crash_loop', 4), alert('orders', 'replicas_missing', 3)],
      events: [unhealthy('orders')],
      lines: [lastWords(POD('orders'), 'connect ECONNREFUSED redis:6379', 5)],
    }),
  ),
  fault(
    'token-not-in-the-secret',
    [/Deployment payments|Secret payments/],
    { never: DECOYS.slice(1) },
    add({ changes: [change('Deployment', 'payments', 8, [hiddenField('containers.app.env.TOKEN', 'set')])] }),
    pods('payments', (pod) => waiting(pod, 'CreateContainerConfigError', 8)),
    add({
      alerts: [alert('payments', 'replicas_missing', 4)],
      events: [event(['Pod', POD('payments')], 'Failed', "Error: couldn't find key TOKEN in Secret shop/payments", 7)],
    }),
  ),
  fault(
    'deleted-service-and-bad-image',
    [],
    { all: [/Service payments/, /Deployment consumer/] },
    (evidence) => ({
      ...evidence,
      objects: evidence.objects.filter(({ kind, name }) => kind !== 'Service' || name !== 'payments'),
    }),
    pods('consumer', (pod) => waiting(pod, 'ImagePullBackOff', 8)),
    add({
      changes: [
        change('Service', 'payments', 7, [], { action: 'gone' }),
        change('Deployment', 'consumer', 8, [image('consumer')]),
      ],
      alerts: [alert('consumer', 'pod_image_pull', 4)],
      events: [event(['Pod', POD('consumer')], 'Failed', 'Failed to pull image "shop/consumer:1.1": not found', 7)],
    }),
    ...frontSuffers('getaddrinfo ENOTFOUND payments'),
  ),
  fault(
    'canary-deleted-and-a-flap',
    [],
    {},
    add({ changes: [change('Deployment', 'front-canary', 6, [], { action: 'gone' })] }),
    checkFails(2),
  ),
  fault(
    'deleted-and-made-again',
    [],
    {},
    add({
      changes: [
        change('Deployment', 'payments', 7, [], { action: 'gone' }),
        change('Deployment', 'payments', 6.5, [], { action: 'added' }),
        ready('payments', 6),
      ],
    }),
    checkFails(2),
  ),
  fault(
    'two-fronts-and-one-deleted',
    [/Deployment front/],
    { never: DECOYS },
    decoys,
    add({ changes: [change('Deployment', 'front', 5, [], { action: 'gone' })] }),
    (evidence) => ({
      ...evidence,
      objects: evidence.objects.filter(({ kind, name }) => kind !== 'Deployment' || name !== FRONT?.name),
      pods: evidence.pods.filter(({ ownerName }) => ownerName !== FRONT?.name),
      workloads: evidence.workloads.filter(({ name }) => name !== FRONT?.name),
    }),
    checkFails(2),
  ),
];

const beside = { changes: DECOY_CHANGES, events: DECOY_EVENTS };
export const furtherOnHosts: readonly OtherFault[] = [
  hostFault(
    'tunnel-down',
    [/interface wg0/],
    { metric: 'check_failed', ...beside, lines: [line('link_down', 'wg0', 'wg0: Link is Down', 4)] },
    { never: HOST_DECOYS },
  ),
  hostFault(
    'interpreter-crashes-since-its-update',
    [/process php-fpm8\.3|unit php/, /change packages-9/],
    {
      metric: 'check_failed',
      changes: [...DECOY_CHANGES, updated('php-fpm8.3', '8.3.6', '8.3.7', 9)],
      events: DECOY_EVENTS,
      lines: [line('segfault', 'php-fpm8.3', 'php-fpm8.3[4711]: segfault at 8 ip 00005 sp 00007 error 4', 7)],
    },
    { never: HOST_DECOYS },
  ),
  hostFault(
    'neighbour-behind-a-balancer-down',
    [],
    {
      metric: 'check_failed',
      ...beside,
      lines: [line('journal_error', 'haproxy.service', 'Server app/app-2 is DOWN, reason: Layer4 timeout', 4)],
    },
    { never: HOST_DECOYS },
  ),
  hostFault(
    'key-file-of-the-web-server-gone',
    [/unit nginx\.service/],
    {
      metric: 'systemd_unit_failed',
      subject: 'nginx.service',
      changes: [...DECOY_CHANGES, edited('/etc/nginx/ssl/shop.key', 5)],
      events: [...DECOY_EVENTS, hostEvent('service_stop', 'nginx.service', 'nginx.service failed', 4)],
      lines: [
        line(
          'journal_error',
          'nginx.service',
          'cannot load certificate key "/etc/nginx/ssl/shop.key": BIO_new_file() failed',
          4,
        ),
      ],
      failedUnits: ['nginx.service'],
    },
    { never: HOST_DECOYS },
  ),
];
