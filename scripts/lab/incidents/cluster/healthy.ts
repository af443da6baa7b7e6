import type { Incident } from '../incident.ts';
import { SHOP_IMAGE } from './manifests.ts';
import { type Shop, untilWhole } from './shop.ts';

/** Ordinary work without harm: nothing may be accused. */
export const HEALTHY_STRETCHES: Incident<Shop>[] = [
  {
    name: 'healthy-rollout',
    fault: 'worker and cart are rolled out to tag 2, which works',
    causes: [],
    decoy: null,
    async inject(shop) {
      for (const name of ['worker', 'cart']) {
        await shop.kubectl(['set', 'image', `deployment/${name}`, `${name}=${SHOP_IMAGE}:2`]);
        await untilWhole(shop);
      }
    },
  },
  {
    name: 'healthy-scaling',
    fault: 'catalog is scaled to 3 replicas and, after 40 seconds, to 2',
    causes: [],
    decoy: null,
    async inject(shop) {
      await shop.kubectl(['scale', 'deployment/catalog', '--replicas=3']);
      await untilWhole(shop);
      await new Promise((resolve) => setTimeout(resolve, 40_000));
      await shop.kubectl(['scale', 'deployment/catalog', '--replicas=2']);
    },
  },
  {
    name: 'healthy-job',
    fault: 'a Job that ends well runs, and a key that nobody reads is added to a ConfigMap',
    causes: [],
    decoy: null,
    async inject(shop) {
      const container = {
        name: 'report',
        image: `${SHOP_IMAGE}:1`,
        imagePullPolicy: 'IfNotPresent',
        command: ['node', '-e', 'setTimeout(() => {}, 5000)'],
      };
      const template = { spec: { restartPolicy: 'Never', containers: [container] } };
      await shop.apply({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'report' },
        spec: { backoffLimit: 0, template },
      });
      await shop.patch('configmap/settings', { op: 'add', path: '/data/season', value: 'summer' });
    },
  },
];
