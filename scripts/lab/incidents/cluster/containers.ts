import type { Incident } from '../incident.ts';
import { SHOP_IMAGE } from './manifests.ts';
import type { Shop } from './shop.ts';

const CONTAINER = '/spec/template/spec/containers/0';

const rollout = (name: string) => ({ kind: 'Deployment', name });
const workload = (name: string) => [{ kind: 'workload' as const, name }];

/** Faults of a container as its Deployment describes it. */
export const CONTAINER_INCIDENTS: Incident<Shop>[] = [
  {
    name: 'image-missing',
    fault: 'catalog is changed to an image tag that does not exist',
    causes: [{ entities: workload('catalog'), mechanism: 'image cannot be pulled', change: rollout('catalog') }],
    decoy: 'the worker is rolled out to tag 2, which works',
    isRepeated: true,
    async inject(shop) {
      await shop.kubectl(['set', 'image', 'deployment/worker', `worker=${SHOP_IMAGE}:2`]);
      await shop.kubectl(['set', 'image', 'deployment/catalog', `catalog=${SHOP_IMAGE}:7`]);
    },
  },
  {
    name: 'wrong-program',
    fault: 'orders is changed to a command that the image does not know; it exits at once',
    causes: [{ entities: workload('orders'), mechanism: 'program exits at its start', change: rollout('orders') }],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/orders', { op: 'replace', path: `${CONTAINER}/args`, value: ['orders-v2'] }),
  },
  {
    name: 'memory-limit-too-small',
    fault: 'the memory limit of cart is set below what its start needs',
    causes: [{ entities: workload('cart'), mechanism: 'limit below the need, OOM kill', change: rollout('cart') }],
    decoy: null,
    isRepeated: true,
    inject: (shop) =>
      shop.patch(
        'deployment/cart',
        { op: 'replace', path: `${CONTAINER}/resources/limits/memory`, value: '16Mi' },
        { op: 'replace', path: `${CONTAINER}/resources/requests/memory`, value: '16Mi' },
      ),
  },
  {
    name: 'heap-too-small',
    fault: 'the heap of catalog is limited to 3 MB, so that V8 ends it',
    causes: [{ entities: workload('catalog'), mechanism: 'heap exhausted', change: rollout('catalog') }],
    decoy: null,
    inject: (shop) => shop.setVariable('catalog', 'NODE_OPTIONS', '--max-old-space-size=3'),
  },
  {
    name: 'memory-leak',
    fault: 'catalog is rolled out with a cache without bound; it grows by 4 MB a visit until the kernel kills it',
    causes: [{ entities: workload('catalog'), mechanism: 'grows to its limit, OOM kill', change: rollout('catalog') }],
    decoy: 'a key of the ConfigMap settings that nobody reads is changed meanwhile',
    async inject(shop) {
      await shop.setVariable('catalog', 'CATALOG_CACHE', 'unbounded');
      await shop.patch('configmap/settings', { op: 'replace', path: '/data/motto', value: 'all hands' });
    },
  },
  {
    name: 'cpu-limit-too-small',
    fault: 'catalog gets a CPU limit of 10 millicores, far below its need',
    causes: [{ entities: workload('catalog'), mechanism: 'CPU throttled by its limit', change: rollout('catalog') }],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/catalog', { op: 'add', path: `${CONTAINER}/resources/limits/cpu`, value: '10m' }),
  },
  {
    name: 'readiness-wrong-port',
    fault: 'the readiness probe of catalog asks port 8081, where nothing listens',
    causes: [
      { entities: workload('catalog'), mechanism: 'readiness probe on a wrong port', change: rollout('catalog') },
    ],
    decoy: null,
    isRepeated: true,
    inject: (shop) =>
      shop.patch('deployment/catalog', {
        op: 'replace',
        path: `${CONTAINER}/readinessProbe/httpGet/port`,
        value: 8081,
      }),
  },
  {
    name: 'liveness-wrong-path',
    fault: 'the liveness probe of cart asks a path that does not exist; the kubelet restarts it endlessly',
    causes: [{ entities: workload('cart'), mechanism: 'liveness probe always fails', change: rollout('cart') }],
    decoy: 'a label of the Deployment front is changed meanwhile',
    async inject(shop) {
      const probe = {
        httpGet: { path: '/healthz', port: 8080 },
        initialDelaySeconds: 2,
        periodSeconds: 2,
        failureThreshold: 2,
      };
      await shop.patch('deployment/cart', { op: 'replace', path: `${CONTAINER}/livenessProbe`, value: probe });
      await shop.kubectl(['label', 'deployment', 'front', 'team=web', '--overwrite']);
    },
  },
  {
    name: 'runs-as-root',
    fault: 'catalog must not run as root and is told to run as user 0',
    causes: [{ entities: workload('catalog'), mechanism: 'security context refused', change: rollout('catalog') }],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/catalog', {
        op: 'add',
        path: `${CONTAINER}/securityContext`,
        value: { runAsNonRoot: true, runAsUser: 0 },
      }),
  },
  {
    name: 'init-waits',
    fault: 'front gets an init container that waits for a name that does not exist',
    causes: [{ entities: workload('front'), mechanism: 'init container never ends', change: rollout('front') }],
    decoy: null,
    inject: (shop) =>
      shop.patch('deployment/front', {
        op: 'add',
        path: '/spec/template/spec/initContainers',
        value: [
          {
            name: 'wait-for-migration',
            image: `${SHOP_IMAGE}:1`,
            imagePullPolicy: 'IfNotPresent',
            command: ['node', '-e', WAIT],
          },
        ],
      }),
  },
  {
    name: 'scaled-to-zero',
    fault: 'catalog is scaled to 0 replicas',
    causes: [{ entities: workload('catalog'), mechanism: 'no replicas wanted', change: rollout('catalog') }],
    decoy: 'cart is scaled from 1 to 2 replicas just after',
    isRepeated: true,
    async inject(shop) {
      await shop.kubectl(['scale', 'deployment/catalog', '--replicas=0']);
      await shop.kubectl(['scale', 'deployment/cart', '--replicas=2']);
    },
  },
];

const WAIT = `
const look = () => require('node:dns').lookup('migrations', (error) => {
  if (!error) process.exit(0);
  console.error('waiting for migrations: ' + error.message);
  setTimeout(look, 2000);
});
look();
`;
