import type { SampleCluster } from './cluster.ts';

/** Two nodes, one of them without figures of its own, and pods in all their states. */
export const SAMPLE_CLUSTER: SampleCluster = {
  uid: '5f0c3a52-0000-4000-8000-000000000001',
  knownForHours: 6,
  nodes: [
    {
      name: 'k8s-node-1',
      cpu: 74,
      memory: 70,
      pods: [
        {
          name: 'checkout-api-6b9f7c5d8d-x2wlq',
          namespace: 'shop',
          reason: 'CrashLoopBackOff',
          cores: 0.412,
          memory: 488,
          memoryLimit: 512,
          restarts: 14,
        },
        {
          name: 'catalog-search-5d7c9b-9qk4t',
          namespace: 'shop',
          cores: 1.284,
          memory: 1730,
          memoryLimit: 2048,
          restarts: 2,
        },
        { name: 'img-resize-28811520-p7d', namespace: 'media', phase: 'Pending', ageSeconds: 660 },
      ],
    },
    {
      name: 'k8s-node-2',
      cpu: 45,
      memory: 51,
      pods: [
        { name: 'nightly-export-28810080-mv', namespace: 'data', phase: 'Failed', reason: 'Error' },
        {
          name: 'legacy-debug-shell',
          namespace: 'default',
          cores: 0.001,
          memory: 6,
          ageSeconds: 90 * 86_400,
          owner: null,
        },
      ],
    },
  ],
};
