import { setTimeout } from 'node:timers/promises';
import type { Incident } from '../incident.ts';
import { SHOP_IMAGE } from './manifests.ts';
import type { Shop } from './shop.ts';

const POD = '/spec/template/spec';
const CONTAINER = `${POD}/containers/0`;
/** A setting that the fault needs is in place so long before it, as on a system that has run for a while. */
const SETTLED_MS = 20_000;

const rollout = (name: string) => ({ kind: 'Deployment', name });
const workload = (name: string) => [{ kind: 'workload' as const, name }];

/** Gives a program a CPU limit with which it works well under the usual load. */
async function limitCpu(shop: Shop, name: string, cpu: string): Promise<void> {
  await shop.patch(`deployment/${name}`, { op: 'add', path: `${CONTAINER}/resources/limits/cpu`, value: cpu });
  await shop.kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=110s']);
  await setTimeout(SETTLED_MS);
}

/** Faults that a change of a workload brings, beyond those of containers.ts. */
export const FURTHER_ROLLOUTS: Incident<Shop>[] = [
  {
    name: 'cpu-burn',
    fault: 'tag 2 of catalog is rolled out with a costlier signature; a request takes 4 s at its CPU limit of 200m',
    causes: [
      { entities: workload('catalog'), mechanism: 'new version burns CPU up to its limit', change: rollout('catalog') },
    ],
    decoy: 'the worker is rolled out to tag 2, which works, a moment before',
    async inject(shop) {
      await limitCpu(shop, 'catalog', '200m');
      await shop.kubectl(['set', 'image', 'deployment/worker', `worker=${SHOP_IMAGE}:2`]);
      await shop.patch(
        'deployment/catalog',
        { op: 'replace', path: `${CONTAINER}/image`, value: `${SHOP_IMAGE}:2` },
        { op: 'add', path: `${CONTAINER}/env/-`, value: { name: 'SIGNATURE_ROUNDS', value: '400000' } },
      );
    },
  },
  {
    name: 'database-old-files',
    fault: 'the database gets an init container that restores the files of PostgreSQL 15, which version 18 refuses',
    causes: [
      {
        entities: workload('database'),
        mechanism: 'program refuses the version of its data',
        change: { kind: 'StatefulSet', name: 'database' },
      },
    ],
    related: [{ kind: 'service', name: 'database' }],
    decoy: null,
    inject: (shop) =>
      shop.patch('statefulset/database', {
        op: 'add',
        path: `${POD}/initContainers`,
        value: [
          {
            name: 'restore',
            image: `${SHOP_IMAGE}:1`,
            imagePullPolicy: 'IfNotPresent',
            command: ['node', '-e', RESTORE],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
      }),
  },
  {
    name: 'volume-full',
    fault: 'the worker keeps receipts in a new volume of 64Ki, meant to be 64Mi; when it is full, the worker ends',
    causes: [
      { entities: workload('worker'), mechanism: 'volume full, no space left on device', change: rollout('worker') },
    ],
    decoy: null,
    inject: (shop) =>
      shop.patch(
        'deployment/worker',
        {
          op: 'add',
          path: `${POD}/volumes`,
          value: [{ name: 'receipts', emptyDir: { medium: 'Memory', sizeLimit: '64Ki' } }],
        },
        { op: 'add', path: `${CONTAINER}/volumeMounts`, value: [{ name: 'receipts', mountPath: '/receipts' }] },
        { op: 'add', path: `${CONTAINER}/env/-`, value: { name: 'RECEIPTS_DIR', value: '/receipts' } },
      ),
  },
  {
    name: 'slow-service',
    fault: 'cart is rolled out with a look-up that takes 4 s; front waits at most 2 s for it',
    causes: [
      { entities: workload('cart'), mechanism: 'answers too slowly, callers time out', change: rollout('cart') },
    ],
    related: [{ kind: 'service', name: 'cart' }],
    decoy: 'front is rolled out to tag 2, which works, a moment before',
    async inject(shop) {
      await shop.kubectl(['set', 'image', 'deployment/front', `front=${SHOP_IMAGE}:2`]);
      await shop.kubectl(['rollout', 'status', 'deployment/front', '--timeout=60s']);
      await shop.setVariable('cart', 'CART_DELAY_MS', '4000');
    },
  },
  {
    name: 'traffic-flood',
    fault: 'the load generator sends 24 times as much; catalog, whose CPU limit of 40m sufficed, is throttled',
    causes: [{ entities: workload('load'), mechanism: 'flood of requests', change: rollout('load') }],
    // The limit is where it shows; without the flood it is enough.
    related: [...workload('catalog'), { kind: 'service', name: 'catalog' }],
    decoy: null,
    async inject(shop) {
      await limitCpu(shop, 'catalog', '40m');
      await shop.setVariable('load', 'RATE', '12');
    },
  },
  {
    name: 'labels-overlap',
    fault: 'a new Deployment cart-preview labels its pods app=cart; the Service cart sends most requests to them',
    causes: [
      {
        entities: workload('cart-preview'),
        mechanism: 'Service leads to pods of another program',
        change: rollout('cart-preview'),
      },
    ],
    related: [...workload('cart'), { kind: 'service', name: 'cart' }],
    decoy: null,
    inject: (shop) => shop.apply(preview()),
  },
];

/** The part of a restored folder that is read first: its version. The rest is never looked at. */
const RESTORE = `
const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('/data/pg', { recursive: true, mode: 0o700 });
writeFileSync('/data/pg/PG_VERSION', '15\\n');
writeFileSync('/data/pg/postgresql.conf', '');
console.log('restored the backup of 2024-03-01');
`;

/** A program that is ready and has no /cart. Several pods, so that few requests reach the right one. */
function preview() {
  const labels = { app: 'cart', track: 'preview' };
  const container = {
    name: 'cart',
    image: `${SHOP_IMAGE}:1`,
    imagePullPolicy: 'IfNotPresent',
    args: ['queue'],
    readinessProbe: { httpGet: { path: '/ready', port: 8080 }, periodSeconds: 5, timeoutSeconds: 5 },
    resources: { requests: { cpu: '10m', memory: '40Mi' }, limits: { memory: '128Mi' } },
  };
  const pod = { terminationGracePeriodSeconds: 2, enableServiceLinks: false, containers: [container] };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'cart-preview' },
    spec: { replicas: 4, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: pod } },
  };
}
