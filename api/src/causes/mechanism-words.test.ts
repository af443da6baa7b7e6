import { expect, it } from 'vitest';
import { explain } from './explain.ts';
import { fault as ofHost, line } from './testing/other-faults/host-told.ts';
import { add, checkFails, fault, frontSuffers, object, POD, pods } from './testing/other-faults/shop-told.ts';
import {
  ago,
  alert,
  change,
  container,
  crashing,
  event,
  field,
  lastWords,
  notReady,
  waiting,
  withObject,
  young,
} from './testing/shop.ts';

/** Mechanisms whose guilty one another mechanism would find as well: only their words tell more. */
const FAULTS = [
  [
    'container_not_created',
    /^A container of Deployment shop\/orders cannot be created/,
    fault(
      'not-created',
      [],
      {},
      pods('orders', (pod) => waiting(pod, 'CreateContainerError', 5)),
      add({ alerts: [alert('orders', 'replicas_missing', 3)] }),
    ),
  ],
  [
    'init_waits',
    /^Deployment shop\/orders does not start: its init container wait-for-db does not end/,
    fault(
      'init',
      [],
      {},
      pods('orders', (pod) => ({
        ...notReady(pod),
        phase: 'Pending',
        createdAt: ago(9),
        containers: [container('busybox:1', { name: 'wait-for-db', isInit: true, ready: false }), ...pod.containers],
      })),
      add({ alerts: [alert('orders', 'replicas_missing', 3)] }),
    ),
  ],
  [
    'workload_deleted',
    /^Deployment shop\/payments was deleted at 14:14 UTC/,
    fault(
      'deleted',
      [],
      {},
      (evidence) => withObject(evidence, 'Deployment', 'payments', () => null),
      (evidence) => ({
        ...evidence,
        pods: evidence.pods.filter(({ ownerName }) => ownerName !== 'payments'),
        workloads: evidence.workloads.filter(({ name }) => name !== 'payments'),
      }),
      add({ changes: [change('Deployment', 'payments', 6, [], { action: 'gone' })] }),
      ...frontSuffers('connect ECONNREFUSED payments:8082'),
      checkFails(),
    ),
  ],
  [
    'webhook_slow',
    /^ValidatingWebhookConfiguration policy changed at 14:12 UTC/,
    fault(
      'webhook',
      [],
      {},
      (evidence) => ({ ...evidence, pods: evidence.pods.filter(({ name }) => name !== POD('orders', 1)) }),
      add({
        objects: [object('ValidatingWebhookConfiguration', 'policy', {}, { namespace: null })],
        changes: [
          change('ValidatingWebhookConfiguration', 'policy', 8, [field('webhooks.pods.timeoutSeconds', '2', '30')], {
            namespace: null,
          }),
        ],
        alerts: [alert('orders', 'replicas_missing', 3)],
      }),
    ),
  ],
  [
    'unknown_name',
    /^Deployment shop\/orders calls the name postgress, which does not exist/,
    fault(
      'name',
      [],
      {},
      pods('orders', (pod) => crashing(pod, 4, null)),
      add({
        alerts: [alert('orders', 'pod_crash_loop', 3)],
        lines: [lastWords(POD('orders'), 'getaddrinfo ENOTFOUND postgress', 4)],
      }),
    ),
  ],
  [
    'cpu_limit_reached',
    /^Deployment shop\/orders uses all the CPU that its limit allows/,
    fault(
      'new-pod-at-its-limit',
      [],
      {},
      pods('orders', (pod) => ({
        ...young(pod, 5),
        cpuCores: [{ at: ago(2), value: 0.2 }],
        containers: [container('orders:2', { cpuLimitCores: 0.2 })],
      })),
      pods('front', (pod) => notReady(pod)),
      add({
        changes: [change('Deployment', 'orders', 5.2, [field('containers.app.image', 'orders:1', 'orders:2')])],
        events: [
          event(['Pod', POD('orders')], 'Unhealthy', 'Readiness probe failed: context deadline exceeded', 4, {
            lastAt: ago(1),
          }),
        ],
      }),
      checkFails(3),
    ),
  ],
  [
    'reported_failure',
    /^A disk of md0 failed/,
    ofHost('raid', [], {
      metric: 'io_wait',
      lines: [line('io_error', 'md0', 'md/raid1:md0: Disk failure on sdb1, disabling device.', 4)],
    }),
  ],
  [
    'reported_failure',
    /^sda1 became read-only after an error/,
    ofHost('read-only', [], {
      metric: 'systemd_unit_failed',
      lines: [line('remounted_read_only', 'sda1', 'EXT4-fs (sda1): Remounting filesystem read-only', 4)],
    }),
  ],
  [
    'reported_failure',
    /^The hardware reports errors/,
    ofHost('ecc', [], {
      metric: 'offline',
      lines: [line('ecc_error', null, 'EDAC MC0: 1 UE memory read error on DIMM_A1', 4)],
    }),
  ],
] as const;

it.each(FAULTS.map(([id, words, { evidence }]) => ({ id, words, evidence })))(
  '$id says $words',
  ({ id, words, evidence }) => {
    const [first] = explain(evidence).causes;
    expect([first?.mechanism, first?.finding]).toEqual([id, expect.stringMatching(words)]);
  },
);

it('an event of a pod that is gone is still read', () => {
  const { evidence } = fault(
    'gone',
    [],
    {},
    pods('orders', (pod) => waiting(pod, 'ContainerCreating', 8)),
    add({
      alerts: [alert('orders', 'pod_pending', 3)],
      events: [
        event(['Pod', POD('orders', 9)], 'FailedMount', 'hostPath type check failed: /srv is not a directory', 7),
      ],
    }),
  );
  expect(explain(evidence).causes[0]?.mechanism).toBe('volume_mount_failure');
});
