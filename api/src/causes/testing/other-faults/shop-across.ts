import type { OtherFault } from './host-told.ts';
import type { Evidence, PodSeen } from '../../evidence.ts';
import { bareServer } from '../bare-server.ts';
import {
  type Change,
  fault,
  add,
  pods,
  nodes,
  POD,
  object,
  nodeAlert,
  stepped,
  ready,
  unhealthy,
  checkFails,
  elsewhere,
} from './shop-told.ts';
import {
  CLUSTER,
  ago,
  container,
  podOf,
  APPS,
  change,
  field,
  hiddenField,
  alert,
  event,
  crashing,
  notReady,
  young,
  waiting,
  unscheduled,
} from '../shop.ts';

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
export const acrossObjects: readonly OtherFault[] = [
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
