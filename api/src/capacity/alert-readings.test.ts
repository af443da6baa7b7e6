import { describe, expect, it } from 'vitest';
import { capacityReadings } from './alert-readings.ts';
import { byNeed, countInRooms, staleReason, survivalOf } from './answers.ts';
import { failedPlan } from './compute-plan.ts';
import { makeFindings } from './make-findings.ts';
import type { Plan, SizingRow, Trend } from './types.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;
const loss = { reason: null, who: [], moved: 0, ended: 0, cpuPercentAfter: null, memoryPercentAfter: null };
const who = [{ namespace: 'shop', kind: 'Deployment', name: 'api', pods: 2, why: 'memory' }];
const trend: Trend = {
  resource: 'cpu',
  at: null,
  earliest: null,
  latest: null,
  growthPerDay: null,
  days: 3,
  reason: 'short',
};
const plan = (parts: Partial<Plan> = {}): Plan => ({
  ...failedPlan(),
  unknown: null,
  nodes: 3,
  pods: 9,
  waiting: 0,
  resources: [
    { resource: 'cpu', used: 1, requested: 6, allocatable: 8 },
    { resource: 'memory', used: 1, requested: null, allocatable: 8 },
  ],
  fits: [],
  loss: [
    { ...loss, node: 'node-3', pending: 2, who },
    { ...loss, node: 'node-1', pending: null, reason: '1 pod cannot be judged' },
    { ...loss, node: 'node-2', pending: 0 },
  ],
  rooms: [],
  trends: [trend, { ...trend, resource: 'memory', at: NOW + 12 * DAY_MS, growthPerDay: 5 }],
  sizing: [
    {
      namespace: 'shop',
      kind: 'Deployment',
      name: 'api',
      container: 'app',
      cpuVerdict: 'fits',
      memoryVerdict: 'too_small',
      evidence: ['2 OOM kills in 14 days'],
    } as unknown as SizingRow,
  ],
  ...parts,
});
const head = { clusterId: 'c', clusterName: null, lastSeenAt: NOW, computedAt: NOW, nodes: 3 };

describe('readings of alerts', () => {
  it('name the node, the resource, the date and the workload', () => {
    const readings = capacityReadings(makeFindings(plan(), NOW));
    expect(readings.node_loss).toMatchObject([
      { subject: 'node-3', value: 2, detail: 'Without node-3, 2 pods stay pending: shop/api ×2 (memory)' },
      { subject: 'node-1', value: null },
    ]);
    expect(readings.cluster_requested).toMatchObject([
      { subject: 'CPU', value: 75 },
      { subject: 'memory', value: null },
    ]);
    expect(readings.cluster_full_forecast).toMatchObject([{ value: 12, label: 'memory requests' }]);
    expect(readings.workload_too_small).toMatchObject([
      { subject: 'shop/Deployment/api', value: 1, detail: 'app: 2 OOM kills in 14 days' },
    ]);
  });

  it('change nothing while the history is too short, and end once it says that no end is near', () => {
    const of = (trends: Trend[]) => capacityReadings(makeFindings(plan({ trends }), NOW)).cluster_full_forecast;
    expect(of([trend])).toMatchObject([{ value: null }]);
    expect(of([{ ...trend, growthPerDay: 0 }])).toEqual([]);
  });

  it('are none without a fresh plan', () => {
    expect(Object.values(capacityReadings(null)).flat()).toEqual([]);
  });
});

describe('what an answer may say', () => {
  it('names the worst node, and else why nothing is known', () => {
    const survival = (parts: Partial<Plan>) => survivalOf({ ...head, findings: makeFindings(plan(parts), NOW) }, NOW);
    expect(survival({})).toEqual({ worst: { node: 'node-3', pending: 2 }, reason: null });
    expect(survival({ loss: [{ ...loss, node: 'node-1', pending: null }] }).reason).toBe(
      'The loss of node-1 cannot be judged.',
    );
    expect(survival({ loss: [{ ...loss, node: 'node-1', pending: 0 }] })).toEqual({ worst: null, reason: null });
    expect(survival({ unknown: 'too old', loss: [] })).toEqual({ worst: null, reason: 'too old' });
  });

  it('puts the cluster that is worst off first, then the unknown', () => {
    const rows = [
      { name: 'well', worst: null, reason: null },
      { name: 'bad', worst: { pending: 9 }, reason: null },
      { name: 'unknown', worst: null, reason: 'silent' },
    ];
    expect(rows.toSorted(byNeed).map(({ name }) => name)).toEqual(['bad', 'unknown', 'well']);
  });

  it('is nothing of now once the collector is silent for five minutes', () => {
    expect(staleReason(head, NOW + 5 * 60_000)).toBeNull();
    expect(staleReason(head, NOW + 7 * 60_000)).toBe('The cluster collector has been silent for 7 minutes.');
    const busy = { ...head, lastSeenAt: NOW + 40 * 60_000 };
    expect(staleReason(busy, NOW + 30 * 60_000)).toBeNull();
    expect(staleReason(busy, NOW + 31 * 60_000)).toContain('The last plan is 31 minutes old.');
    expect(staleReason({ ...head, computedAt: null }, NOW)).toContain('No plan was computed yet');
  });

  it('counts pods of a size in each node, never below none', () => {
    const rooms = [
      [1, 4e9, 10],
      [-1, 4e9, 10],
      [0.3, 4e9, 10],
    ] as const;
    expect(countInRooms(rooms, { cpuCores: 0.1, memoryBytes: 1e9 })).toEqual({ more: 7, firstLimit: 'CPU' });
    expect(countInRooms([], { cpuCores: 1, memoryBytes: 1 })).toEqual({ more: 0, firstLimit: 'taints of the nodes' });
    expect(countInRooms([[1, 1, 5]], { cpuCores: 0, memoryBytes: 0 })).toEqual({
      more: 5,
      firstLimit: 'number of pods',
    });
  });
});
