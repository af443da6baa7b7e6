import type { OtherFault } from './host-told.ts';
import {
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
  decoys,
  DECOYS,
  evictedFor,
  elsewhere,
} from './shop-told.ts';
import {
  CLUSTER,
  ago,
  container,
  podOf,
  change,
  field,
  hiddenField,
  alert,
  event,
  crashing,
  notReady,
  young,
  unscheduled,
} from '../shop.ts';

export const capacity: readonly OtherFault[] = [
  fault(
    'autoscaler-at-its-maximum',
    [/front/],
    { never: [/payments/, /redis/, /banner/], isHard: true },
    add({
      changes: [
        change('Deployment', 'payments', 22, [field('containers.app.image', 'a:1', 'a:2')]),
        ready('payments', 21),
        change('Deployment', 'front', 25, [field('replicas', '2', '3')], { by: 'kube-controller-manager' }),
      ],
      objects: [object('HorizontalPodAutoscaler', 'front', { target: 'Deployment/front', maxReplicas: '2' })],
    }),
    pods('front', (pod) => ({ ...pod, cpuCores: stepped(0.1, 0.49, 20) })),
    checkFails(2, 'check_slow'),
  ),
  fault(
    'neighbour-of-another-namespace',
    [/hog/],
    { never: DECOYS },
    decoys,
    nodes('node-1', (node) => ({ ...node, cpu: stepped(30, 99, 12) })),
    pods('front', (pod) => (pod.node === 'node-1' ? notReady(pod) : pod)),
    add({
      pods: [
        elsewhere('hog', 'batch', {
          createdAt: ago(13),
          cpuCores: stepped(0, 3.3, 12),
          containers: [container('hog:1', { cpuLimitCores: null })],
        }),
      ],
      alerts: [alert('front', 'replicas_missing', 2)],
      events: [unhealthy('front', 'Readiness probe failed: context deadline exceeded (Client.Timeout exceeded)')],
      changes: [change('Job', 'hog', 13, [], { action: 'added', namespace: 'batch' })],
    }),
  ),
  fault(
    'node-disk-filled-by-another',
    [/chatty/],
    { never: DECOYS },
    decoys,
    nodes('node-1', (node) => ({
      ...node,
      conditions: [
        ...node.conditions,
        { type: 'DiskPressure', status: 'True', message: 'kubelet has disk pressure', since: ago(6) },
      ],
    })),
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted' } : pod,
    ),
    add({
      pods: [elsewhere('chatty', 'tools', { phase: 'Failed', ready: false, reason: 'Evicted' })],
      alerts: [nodeAlert('node-1', 'node_pressure', 5), alert('payments', 'replicas_missing', 3)],
      events: [
        ...evictedFor(
          'The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 20Mi. Container app was using 24Ki, request is 0, has larger consumption of ephemeral-storage.',
        ),
        event(
          ['Pod', POD('chatty')],
          'Evicted',
          'The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 20Mi. Container app was using 31Gi, request is 0, has larger consumption of ephemeral-storage.',
          5,
          { namespace: 'tools' },
        ),
      ],
    }),
  ),
  fault(
    'own-ephemeral-storage',
    [/Deployment payments/],
    { never: [/redis/, /banner/, /Autoscaler/, /node-/], untrue: /too little memory/ },
    decoys,
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted' } : pod,
    ),
    add({
      alerts: [alert('payments', 'replicas_missing', 3)],
      events: evictedFor('Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. '),
    }),
  ),
  fault(
    'own-empty-dir',
    [/Deployment payments/],
    { never: [/redis/, /banner/, /Autoscaler/, /node-/], untrue: /too little memory/ },
    decoys,
    pods('payments', (pod) =>
      pod.node === 'node-1' ? { ...pod, phase: 'Failed', ready: false, reason: 'Evicted' } : pod,
    ),
    add({
      alerts: [alert('payments', 'replicas_missing', 3)],
      events: evictedFor('Usage of EmptyDir volume "cache" exceeds the limit "1Gi". '),
    }),
  ),
  fault(
    'drain-held-by-a-budget',
    [/Node node-1/],
    { never: DECOYS },
    decoys,
    nodes('node-1', (node) => ({ ...node, isCordoned: true })),
    pods('consumer', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('consumer', 'pod_pending', 3)],
      changes: [change('Node', 'node-1', 10, [field('cordoned', 'no', 'yes')], { namespace: null })],
      objects: [object('PodDisruptionBudget', 'front', { minAvailable: '2' })],
      events: [
        event(
          ['Pod', POD('consumer')],
          'FailedScheduling',
          '0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable.',
          8,
        ),
      ],
    }),
  ),
  fault(
    'quota-met-by-scaling',
    [/ResourceQuota compute|Deployment front/],
    { never: DECOYS },
    decoys,
    add({
      alerts: [alert('front', 'replicas_missing', 3)],
      objects: [object('ResourceQuota', 'compute', { 'hard.pods': '9' })],
      changes: [change('Deployment', 'front', 8, [field('replicas', '2', '8')])],
      events: [
        event(
          ['ReplicaSet', 'front-6f7d8c9b5d'],
          'FailedCreate',
          'Error creating: pods "front-x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=9, limited: pods=9',
          7,
        ),
      ],
    }),
  ),
  fault(
    'taint-that-evicts',
    [/Node node-1/],
    { never: DECOYS },
    decoys,
    pods('consumer', (pod) => unscheduled(pod, 8)),
    add({
      alerts: [alert('consumer', 'pod_pending', 3)],
      changes: [
        change('Node', 'node-1', 9, [field('taints.maintenance=true:NoExecute', null, 'NoExecute')], {
          namespace: null,
        }),
      ],
      events: [
        event(['Pod', POD('consumer')], 'TaintManagerEviction', 'Marking for deletion Pod shop/consumer', 9, {
          type: 'Normal',
        }),
        event(
          ['Pod', POD('consumer')],
          'FailedScheduling',
          '0/2 nodes are available: 1 Insufficient memory, 1 node(s) had untolerated taint {maintenance: true}.',
          8,
        ),
      ],
    }),
  ),
  fault(
    'room-taken-in-another-namespace',
    [/Deployment render/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      pods: [elsewhere('render', 'media'), podOf({ name: 'render', namespace: 'media' }, 1)],
      workloads: [
        { clusterId: CLUSTER, namespace: 'media', kind: 'Deployment', name: 'render', desired: 30, ready: 30 },
      ],
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [
        change('Deployment', 'render', 14, [field('replicas', '2', '30')], { namespace: 'media' }),
        change('Deployment', 'orders', 7, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 7)],
    }),
  ),
  fault(
    'node-taken-away',
    [/Node node-3/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => unscheduled(pod, 7)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      changes: [change('Node', 'node-3', 9, [], { namespace: null, action: 'gone' })],
      events: [event(['Pod', POD('orders')], 'FailedScheduling', '0/2 nodes are available: 2 Insufficient cpu.', 7)],
    }),
  ),
  fault(
    'preempted-by-a-batch',
    [/batch-import|importer/],
    { never: DECOYS },
    decoys,
    (evidence) => ({ ...evidence, pods: evidence.pods.filter(({ name }) => name !== POD('payments')) }),
    add({
      alerts: [alert('payments', 'replicas_missing', 3)],
      pods: [elsewhere('importer', 'batch', { createdAt: ago(6) })],
      workloads: [
        { clusterId: CLUSTER, namespace: 'batch', kind: 'Deployment', name: 'importer', desired: 1, ready: 1 },
      ],
      changes: [change('Deployment', 'importer', 7, [], { action: 'added', namespace: 'batch' })],
      events: [
        event(
          ['Pod', POD('payments')],
          'Preempted',
          'Preempted by pod batch/importer-6f7d8c9b5d-x0k4p on node node-1',
          6,
        ),
      ],
    }),
  ),
  fault(
    'leak-of-hours',
    [/Deployment orders/],
    { never: DECOYS },
    decoys,
    pods('orders', (pod) => ({
      ...notReady(pod),
      restarts: [360, 180, 4].map((minutes) => ({
        at: ago(minutes),
        reason: 'OOMKilled',
        exitCode: 137,
        memoryLimitMb: 256,
      })),
    })),
    add({ alerts: [alert('orders', 'pod_oom_kill', 3)] }),
  ),
  fault(
    'limit-range-appears',
    [/LimitRange defaults/],
    { never: [/payments/, /redis/, /banner/, /Autoscaler/] },
    decoys,
    pods('orders', (pod) =>
      crashing(young(pod, 7), 6, null, {
        memoryLimitMb: 32,
        end: { reason: 'OOMKilled', message: null, exitCode: 137, at: ago(5) },
      }),
    ),
    add({
      alerts: [alert('orders', 'pod_oom_kill', 3)],
      objects: [object('LimitRange', 'defaults', { 'limits.Container': '{"default":{"memory":"32Mi"}}' })],
      changes: [
        change('LimitRange', 'defaults', 20, [], { action: 'added' }),
        change('Deployment', 'orders', 7, [
          hiddenField('template.annotations.kubectl.kubernetes.io/restartedAt', 'set'),
        ]),
      ],
    }),
  ),
  fault(
    'cron-jobs-overlap',
    [/report|postgres/],
    { never: DECOYS },
    decoys,
    pods('postgres', (pod) => ({ ...notReady(pod), cpuCores: stepped(0.1, 0.5, 20) })),
    add({
      pods: [0, 1, 2].map((index) =>
        podOf({ name: 'report', port: null }, index, {
          ownerKind: 'Job',
          ownerName: `report-2938440${String(index)}`,
          createdAt: ago(26 - 8 * index),
        }),
      ),
      objects: [object('CronJob', 'report', { schedule: '*/8 * * * *', concurrencyPolicy: 'Allow' })],
      alerts: [alert('postgres', 'replicas_missing', 3)],
      events: [event(['Pod', 'postgres-0'], 'Unhealthy', 'Readiness probe failed: timeout: failed to connect', 5)],
    }),
  ),
];
