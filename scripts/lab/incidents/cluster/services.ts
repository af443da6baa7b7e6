import type { Incident } from '../incident.ts';
import { SHOP_IMAGE } from './manifests.ts';
import { type Shop, kubectl } from './shop.ts';

const changed = (name: string) => ({ kind: 'Service', name });
const service = (name: string) => [{ kind: 'service' as const, name }];
const workload = (name: string) => [{ kind: 'workload' as const, name }];

/** Faults between programs: Services, names, queues and locks. */
export const SERVICE_INCIDENTS: Incident<Shop>[] = [
  {
    name: 'target-port-wrong',
    fault: 'targetPort of the Service catalog is changed from 8080 to 8081',
    causes: [
      {
        entities: service('catalog'),
        mechanism: 'Service sends to a port that nobody opens',
        change: changed('catalog'),
      },
    ],
    decoy: 'catalog is rolled out to tag 2, which works, a moment before',
    isRepeated: true,
    async inject(shop) {
      await shop.kubectl(['set', 'image', 'deployment/catalog', `catalog=${SHOP_IMAGE}:2`]);
      await shop.kubectl(['rollout', 'status', 'deployment/catalog', '--timeout=60s']);
      await shop.patch('service/catalog', { op: 'replace', path: '/spec/ports/0/targetPort', value: 8081 });
    },
  },
  {
    name: 'selector-empty',
    fault: 'the selector of the Service cart is changed so that it matches no pod',
    causes: [{ entities: service('cart'), mechanism: 'selector matches no pod', change: changed('cart') }],
    decoy: null,
    isRepeated: true,
    inject: (shop) => shop.patch('service/cart', { op: 'replace', path: '/spec/selector', value: { app: 'basket' } }),
  },
  {
    name: 'service-missing',
    fault: 'the Service orders is deleted',
    causes: [{ entities: service('orders'), mechanism: 'Service deleted', change: changed('orders') }],
    decoy: null,
    async inject(shop) {
      await shop.kubectl(['delete', 'service', 'orders']);
    },
  },
  {
    name: 'poison-message',
    fault: 'one message of the queue is no JSON; the worker ends at it again and again',
    causes: [{ entities: workload('worker'), mechanism: 'program ends at a message', change: null }],
    decoy: null,
    async inject(shop) {
      const send = `fetch('http://queue:8080/messages',{method:'POST',body:'{"order":17'})`;
      await shop.kubectl(['exec', 'deployment/queue', '--', 'node', '-e', send]);
    },
  },
  {
    name: 'tables-locked',
    fault: 'a Job alters the tables in a transaction that stays open; every query waits for it',
    causes: [
      {
        entities: workload('alter-tables'),
        mechanism: 'lock held by a migration',
        change: { kind: 'Job', name: 'alter-tables' },
      },
    ],
    decoy: null,
    inject: (shop) => shop.apply(migrationJob('alter-tables', { HOLD_SECONDS: '600' })),
  },
  {
    name: 'job-fails',
    fault: 'a Job for a migration is started with a wrong address of the database and fails',
    causes: [
      {
        entities: workload('migrate-prices'),
        mechanism: 'program of a Job ends with an error',
        change: { kind: 'Job', name: 'migrate-prices' },
      },
    ],
    decoy: null,
    inject: (shop) => shop.apply(migrationJob('migrate-prices', { DATABASE_HOST: 'postgres' })),
  },
  {
    name: 'cluster-dns-down',
    fault: 'CoreDNS is scaled to 0 replicas',
    causes: [
      {
        entities: workload('coredns'),
        mechanism: 'cluster DNS has no pod',
        change: { kind: 'Deployment', name: 'coredns' },
      },
    ],
    related: [{ kind: 'service', name: 'kube-dns' }],
    decoy: null,
    isAlone: true,
    async inject() {
      await kubectl(['-n', 'kube-system', 'scale', 'deployment/coredns', '--replicas=0']);
    },
    async undo() {
      await kubectl(['-n', 'kube-system', 'scale', 'deployment/coredns', '--replicas=2']);
      await kubectl(['-n', 'kube-system', 'rollout', 'status', 'deployment/coredns', '--timeout=100s']);
    },
  },
];

/** A Job that runs the migration of the shop. */
export function migrationJob(name: string, variables: Record<string, string>) {
  const env = Object.entries({ DATABASE_HOST: 'database', ...variables }).map(([key, value]) => ({ name: key, value }));
  const password = { name: 'DATABASE_PASSWORD', valueFrom: { secretKeyRef: { name: 'database', key: 'password' } } };
  const container = {
    name: 'migration',
    image: `${SHOP_IMAGE}:1`,
    imagePullPolicy: 'IfNotPresent',
    args: ['migration'],
    env: [...env, password],
    resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '128Mi' } },
  };
  const template = { spec: { restartPolicy: 'Never', terminationGracePeriodSeconds: 1, containers: [container] } };
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { backoffLimit: 0, template } };
}
