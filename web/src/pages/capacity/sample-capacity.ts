import type { CapacityAnswer, CapacityCluster, Survival } from '@plimsoll/contract/wire/capacity';

const GB = 2 ** 30;
const head: Survival = {
  cluster_id: 'c-1',
  cluster_name: 'prod-fra',
  nodes: 2,
  computed_at: new Date(Date.now() - 60_000).toISOString(),
  age_seconds: 60,
  worst: { node: 'node-2', pending: 3 },
  reason: null,
};
const api = { namespace: 'shop', kind: 'Deployment', name: 'api' };
const advice = { cpu_percentile: 95, memory_surplus_percent: 15, days: 14, cpu_limit: 'none' } as const;
const cluster: CapacityCluster = {
  ...head,
  notes: [],
  pods: 12,
  waiting: 0,
  resources: [
    { resource: 'cpu', used: 2, requested: 6, allocatable: 8, line_percent: 80 },
    { resource: 'disk', used: null, requested: null, allocatable: 10 * GB, line_percent: 80 },
  ],
  fits: [
    { ...api, pods: 4, cpu_cores: 0.5, memory_bytes: GB, more: 5, is_cut: false, first_limit: 'memory', reason: null },
    {
      ...api,
      name: 'db',
      pods: 1,
      cpu_cores: 1,
      memory_bytes: GB,
      more: null,
      is_cut: false,
      first_limit: null,
      reason: 'persistent volumes are not read',
    },
  ],
  fits_total: 2,
  loss: [
    {
      node: 'node-2',
      pending: 3,
      reason: null,
      who: [{ ...api, pods: 3, why: 'memory' }],
      moved: 1,
      ended: 0,
      cpu_percent_after: 70,
      memory_percent_after: 92,
    },
    {
      node: 'node-1',
      pending: null,
      reason: '1 pod cannot be judged',
      who: [],
      moved: 0,
      ended: 0,
      cpu_percent_after: null,
      memory_percent_after: null,
    },
  ],
  loss_total: 2,
  trends: [
    {
      resource: 'memory',
      date: '2027-01-12',
      earliest: '2027-01-05',
      latest: '2027-01-23',
      growth_per_day: GB,
      days: 60,
      reason: null,
    },
  ],
  sizing: { too_large: 2, too_small: 1, frees: { cpu_cores: 1.5, memory_bytes: 3 * GB }, reason: null },
  advice,
  pools: [],
  autoscaler: null,
  cost: null,
};

/** The Capacity page of one cluster, for tests. */
export const sampleCapacity = (parts: Partial<CapacityCluster> = {}): CapacityAnswer => ({
  clusters: [head],
  total: 1,
  cluster: { ...cluster, ...parts },
});
