import { setTimeout } from 'node:timers/promises';
import type { Incident } from '../incident.ts';
import { type KubeObject, SHOP_IMAGE } from './manifests.ts';
import type { Shop } from './shop.ts';

const POD = '/spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
/** The parts of a fault are in place so long before it that nobody takes them for the fault. */
const SETTLED_MS = 70_000;
const DRAINED_MS = 20_000;

const workload = (name: string) => [{ kind: 'workload' as const, name }];
const service = (name: string) => [{ kind: 'service' as const, name }];

/** Incidents of kinds that came last. */
export const MORE_CLUSTER_INCIDENTS: readonly Incident<Shop>[] = [
  {
    name: 'readiness-gate-unset',
    fault: 'orders gets the readiness gate of a load balancer that this cluster does not have; its pod is never ready',
    causes: [
      {
        entities: workload('orders'),
        mechanism: 'readiness gate that nothing sets',
        change: { kind: 'Deployment', name: 'orders' },
      },
    ],
    related: service('orders'),
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/orders', {
        op: 'add',
        path: `${POD}/readinessGates`,
        value: [{ conditionType: 'target-health.example.com/shop-orders' }],
      }),
  },
  {
    name: 'external-name-nowhere',
    fault: 'the Service database becomes an ExternalName for a database in a namespace that does not exist',
    causes: [
      {
        entities: service('database'),
        mechanism: 'ExternalName that does not resolve',
        change: { kind: 'Service', name: 'database' },
      },
    ],
    // It is healthy, but no one reaches it.
    related: workload('database'),
    decoy: null,
    inject: (shop) =>
      shop.patch(
        'service/database',
        { op: 'replace', path: '/spec/type', value: 'ExternalName' },
        { op: 'add', path: '/spec/externalName', value: 'postgres.shared-data.svc.cluster.local' },
      ),
  },
  {
    name: 'connection-limit-zero',
    fault: 'the role shop of the database gets a connection limit of 0, which was meant to be none',
    causes: [{ entities: workload('database'), mechanism: 'database refuses all connections of a role', change: null }],
    related: service('database'),
    decoy: null,
    async inject(shop) {
      await shop.sql('ALTER ROLE shop CONNECTION LIMIT 0');
    },
  },
  {
    name: 'config-map-address',
    fault:
      'the address of cart in the ConfigMap front-addresses gets the name of another environment; front is restarted later',
    causes: [
      {
        entities: [{ kind: 'object', objectKind: 'ConfigMap', name: 'front-addresses' }],
        mechanism: 'ConfigMap with a wrong address',
        change: { kind: 'ConfigMap', name: 'front-addresses' },
      },
    ],
    related: workload('front'),
    decoy: 'cart is rolled out to tag 2, which works, a moment before',
    async inject(shop) {
      await addressesFromMap(shop);
      await setTimeout(SETTLED_MS);
      await shop.kubectl(['set', 'image', 'deployment/cart', `cart=${SHOP_IMAGE}:2`]);
      await shop.kubectl(['rollout', 'status', 'deployment/cart', '--timeout=60s']);
      await shop.patch('configmap/front-addresses', {
        op: 'replace',
        path: '/data/cart',
        value: 'http://cart.shop-staging:8080',
      });
      await shop.restart('front');
    },
  },
  {
    name: 'root-read-only',
    fault: 'the database is hardened with a read-only root file system; PostgreSQL cannot make its socket in /tmp',
    causes: [
      {
        entities: workload('database'),
        mechanism: 'program must write where its file system is read-only',
        change: { kind: 'StatefulSet', name: 'database' },
      },
    ],
    related: service('database'),
    decoy: null,
    inject: (shop) =>
      shop.patch('statefulset/database', {
        op: 'add',
        path: `${CONTAINER}/securityContext`,
        value: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      }),
  },
  {
    name: 'healthy-blue-green',
    fault:
      'a second Deployment of catalog is started, the Service is switched to it, and the first is scaled to 0 replicas',
    causes: [],
    decoy: null,
    async inject(shop) {
      await shop.apply(GREEN);
      await shop.kubectl(['rollout', 'status', 'deployment/catalog-green', '--timeout=90s']);
      await shop.patch('service/catalog', { op: 'replace', path: '/spec/selector/app', value: 'catalog-green' });
      await setTimeout(DRAINED_MS);
      await shop.kubectl(['scale', 'deployment/catalog', '--replicas=0']);
    },
  },
];

/** Lets front read the address of cart from a ConfigMap, without a moment in which no front answers. */
async function addressesFromMap(shop: Shop): Promise<void> {
  const name = 'front-addresses';
  await shop.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { cart: 'http://cart:8080' } });
  await shop.patch(
    'deployment/front',
    { op: 'replace', path: '/spec/strategy/rollingUpdate', value: { maxSurge: 1, maxUnavailable: 0 } },
    // The second variable of front is CART_URL.
    {
      op: 'replace',
      path: `${CONTAINER}/env/1`,
      value: { name: 'CART_URL', valueFrom: { configMapKeyRef: { name, key: 'cart' } } },
    },
  );
  await shop.kubectl(['rollout', 'status', 'deployment/front', '--timeout=90s']);
}

const GREEN_LABELS = { app: 'catalog-green' };
const GREEN: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'catalog-green', labels: GREEN_LABELS },
  spec: {
    replicas: 1,
    selector: { matchLabels: GREEN_LABELS },
    template: {
      metadata: { labels: GREEN_LABELS },
      spec: {
        terminationGracePeriodSeconds: 2,
        enableServiceLinks: false,
        automountServiceAccountToken: false,
        containers: [
          {
            name: 'catalog',
            image: `${SHOP_IMAGE}:2`,
            imagePullPolicy: 'IfNotPresent',
            args: ['catalog'],
            env: [
              { name: 'DATABASE_HOST', value: 'database' },
              { name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } },
              { name: 'NODE_OPTIONS', value: '--max-old-space-size=64' },
            ],
            readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5, timeoutSeconds: 5 },
            resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '128Mi' } },
          },
        ],
      },
    },
  },
};
