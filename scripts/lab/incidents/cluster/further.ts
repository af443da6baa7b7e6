import { setTimeout } from 'node:timers/promises';
import type { Incident } from '../incident.ts';
import { FURTHER_OBJECTS } from './further-objects.ts';
import { FURTHER_ROLLOUTS } from './further-rollouts.ts';
import { SHOP_IMAGE } from './manifests.ts';
import { type Shop, untilWhole } from './shop.ts';

const CATALOG = { matchLabels: { app: 'catalog' } };

/** Ordinary work without harm: nothing may be accused. */
const FURTHER_HEALTHY: Incident<Shop>[] = [
  {
    name: 'healthy-rollback',
    fault: 'cart is rolled out to tag 2, which works, and after 20 seconds rolled back',
    causes: [],
    decoy: null,
    async inject(shop) {
      await shop.kubectl(['set', 'image', 'deployment/cart', `cart=${SHOP_IMAGE}:2`]);
      await untilWhole(shop);
      await setTimeout(20_000);
      await shop.kubectl(['rollout', 'undo', 'deployment/cart']);
      await untilWhole(shop);
    },
  },
  {
    name: 'healthy-additions',
    fault: 'an autoscaler, a disruption budget and a ConfigMap are added, and a CronJob that ends well every minute',
    causes: [],
    decoy: null,
    async inject(shop) {
      await shop.apply(...ADDITIONS);
    },
  },
];

/** The aim of the autoscaler is far above the use, so that one replica stays. */
const ADDITIONS = [
  {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'catalog' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'catalog' },
      minReplicas: 1,
      maxReplicas: 2,
      metrics: [
        { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '500Mi' } } },
      ],
    },
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'catalog' },
    spec: { maxUnavailable: 1, selector: CATALOG },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'opening-hours' }, data: { monday: '9-17' } },
  {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'count-visits' },
    spec: {
      schedule: '* * * * *',
      jobTemplate: {
        spec: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  name: 'count',
                  image: `${SHOP_IMAGE}:1`,
                  imagePullPolicy: 'IfNotPresent',
                  command: ['node', '-e', "console.log('12 visits')"],
                },
              ],
            },
          },
        },
      },
    },
  },
];

/** Incidents of kinds that the others do not have. */
export const FURTHER_CLUSTER_INCIDENTS: readonly Incident<Shop>[] = [
  ...FURTHER_ROLLOUTS,
  ...FURTHER_OBJECTS,
  ...FURTHER_HEALTHY,
];
