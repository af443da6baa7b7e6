import type { OtherFault } from './host-told.ts';
import {
  fault,
  add,
  pods,
  POD,
  object,
  nodeAlert,
  stepped,
  ready,
  unhealthy,
  checkFails,
  frontSuffers,
  decoys,
  DECOYS,
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
} from '../shop.ts';

export const rollouts: readonly OtherFault[] = [
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
    'crash-beside-a-start-that-is-over',
    [/Deployment orders/],
    { never: [/front/, /payments/, /redis/] },
    pods('orders', (pod) => crashing(pod, 4, 'panic: x')),
    add({
      alerts: [alert('orders', 'pod_crash_loop', 3)],
      events: [
        event(
          ['Pod', POD('front')],
          'FailedMount',
          'MountVolume.SetUp failed for volume "config" : failed to sync configmap cache: timed out waiting for the condition',
          11,
        ),
        event(['Pod', POD('redis', 7)], 'FailedMount', 'MountVolume.SetUp failed for volume "data"', 50),
        event(['Pod', POD('payments')], 'FailedMount', 'failed to sync configmap cache: timed out', 4.5, {
          lastAt: ago(4.4),
        }),
      ],
    }),
    checkFails(2),
  ),
  fault(
    'slow-since-its-limit-and-ready-now-and-then',
    [/Deployment orders/],
    { never: [/front/] },
    pods('orders', (pod) => young(pod, 5)),
    pods('front', (pod) => notReady(pod)),
    add({
      alerts: [],
      changes: [change('Deployment', 'orders', 5.2, [field('containers.app.resources.limits.cpu', null, '10m')])],
      events: [
        event(['Pod', POD('front')], 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', 4),
        event(['Pod', POD('orders')], 'Unhealthy', 'Readiness probe failed: context deadline exceeded', 5, {
          lastAt: ago(1),
        }),
      ],
    }),
    checkFails(3),
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

export const healthy: readonly OtherFault[] = [
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
