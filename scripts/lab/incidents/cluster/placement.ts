import type { Incident } from '../incident.ts';
import { SHOP_IMAGE } from './manifests.ts';
import { type Shop, kubectl } from './shop.ts';

const POD = '/spec/template/spec';
const rollout = (name: string) => ({ kind: 'Deployment', name });
const workload = (name: string) => [{ kind: 'workload' as const, name }];
const object = (objectKind: string, name: string) => ({ kind: 'object' as const, objectKind, name });

/** Faults that keep pods from being made, placed or kept. */
export const PLACEMENT_INCIDENTS: Incident<Shop>[] = [
  {
    name: 'request-too-large',
    fault: 'orders asks for 900 GiB of memory, more than any node has',
    causes: [{ entities: workload('orders'), mechanism: 'request larger than any node', change: rollout('orders') }],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/orders', {
        op: 'replace',
        path: `${POD}/containers/0/resources`,
        value: { requests: { memory: '900Gi', cpu: '10m' } },
      }),
  },
  {
    name: 'node-selector-nowhere',
    fault: 'cart gets a nodeSelector that no node has',
    causes: [{ entities: workload('cart'), mechanism: 'nodeSelector matches no node', change: rollout('cart') }],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/cart', { op: 'add', path: `${POD}/nodeSelector`, value: { disktype: 'ssd' } }),
  },
  {
    name: 'claim-without-class',
    fault: 'orders gets a volume whose claim names a StorageClass that does not exist',
    causes: [
      {
        entities: [{ kind: 'volume_claim', name: 'exports' }, object('StorageClass', 'fast-ssd')],
        mechanism: 'claim cannot be bound',
        change: rollout('orders'),
      },
    ],
    related: workload('orders'),
    decoy: null,
    async inject(shop) {
      await shop.apply({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'exports' },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast-ssd',
          resources: { requests: { storage: '10Mi' } },
        },
      });
      await shop.patch('deployment/orders', {
        op: 'add',
        path: `${POD}/volumes`,
        value: [{ name: 'exports', persistentVolumeClaim: { claimName: 'exports' } }],
      });
    },
  },
  {
    name: 'service-account-missing',
    fault: 'catalog is changed to a ServiceAccount that does not exist; no pod can be made',
    causes: [
      {
        entities: [...workload('catalog'), object('ServiceAccount', 'catalog')],
        mechanism: 'ServiceAccount missing',
        change: rollout('catalog'),
      },
    ],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/catalog', { op: 'add', path: `${POD}/serviceAccountName`, value: 'catalog' }),
  },
  {
    name: 'quota-reached',
    fault: 'a ResourceQuota below the present use is made; the restart of cart then gets no pod',
    causes: [
      {
        entities: [object('ResourceQuota', 'compute')],
        mechanism: 'quota leaves no room',
        change: { kind: 'ResourceQuota', name: 'compute' },
      },
    ],
    related: [...workload('cart'), { kind: 'namespace', name: 'shop' }],
    decoy: 'the restart of cart',
    isRepeated: true,
    async inject(shop) {
      await shop.apply({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'compute' },
        spec: { hard: { 'requests.memory': '100Mi' } },
      });
      await shop.restart('cart');
    },
  },
  {
    name: 'webhook-down',
    fault:
      'a validating webhook with failurePolicy Fail leads to no Service; a pod of cart is deleted and cannot come back',
    causes: [
      {
        entities: [object('ValidatingWebhookConfiguration', 'policy-checker')],
        mechanism: 'webhook refuses every pod',
        change: { kind: 'ValidatingWebhookConfiguration', name: 'policy-checker' },
      },
    ],
    related: workload('cart'),
    decoy: 'the deleted pod',
    async inject(shop) {
      await kubectl(['apply', '-f', '-'], JSON.stringify(webhook(shop.namespace)));
      await shop.kubectl(['delete', 'pod', '-l', 'app=cart', '--wait=false']);
    },
    async undo() {
      await kubectl(['delete', 'validatingwebhookconfiguration', 'policy-checker', '--ignore-not-found']);
    },
  },
  {
    name: 'host-port-taken',
    fault: 'cart wants the host port that another Deployment holds on every node',
    causes: [{ entities: workload('cart'), mechanism: 'host port taken', change: rollout('cart') }],
    related: workload('exporter'),
    decoy: null,
    async inject(shop) {
      await shop.apply(exporter(hostPortOf(shop)));
      await shop.kubectl(['rollout', 'status', 'daemonset/exporter', '--timeout=60s']);
      const ports = [{ containerPort: 8080, hostPort: hostPortOf(shop) }];
      await shop.patch('deployment/cart', { op: 'add', path: `${POD}/containers/0/ports`, value: ports });
    },
  },
  {
    name: 'node-tainted',
    fault: 'the only node for pods is tainted with NoExecute; all pods are evicted',
    causes: [
      {
        entities: [{ kind: 'node', name: 'plimsoll-worker' }],
        mechanism: 'taint that nothing tolerates',
        change: { kind: 'Node', name: 'plimsoll-worker' },
      },
    ],
    decoy: null,
    isAlone: true,
    async inject() {
      await kubectl(['taint', 'node', 'plimsoll-worker', 'maintenance=now:NoExecute', '--overwrite']);
    },
    async undo() {
      await kubectl(['taint', 'node', 'plimsoll-worker', 'maintenance-']);
    },
  },
];

/** Each shop has a host port of its own, so that incidents side by side do not meet. */
const hostPortOf = ({ namespace }: Shop): number => 20_000 + Number(namespace.replace(/\D/g, ''));

function exporter(hostPort: number) {
  const labels = { app: 'exporter' };
  const container = {
    name: 'exporter',
    image: `${SHOP_IMAGE}:1`,
    imagePullPolicy: 'IfNotPresent',
    args: ['queue'],
    ports: [{ containerPort: 8080, hostPort }],
    resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '128Mi' } },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'exporter' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers: [container] } } },
  };
}

function webhook(namespace: string) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'policy-checker' },
    webhooks: [
      {
        name: 'pods.policy-checker.example.com',
        clientConfig: { service: { name: 'policy-checker', namespace: 'policy', path: '/validate' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 5,
      },
    ],
  };
}
