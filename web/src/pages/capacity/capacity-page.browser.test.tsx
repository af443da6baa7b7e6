import type { CapacityAnswer, CapacityCluster, Survival } from '@plimsoll/contract/wire/capacity';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';

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
const draw = (answer: CapacityAnswer) =>
  drawApp('/kubernetes/capacity', {
    answers: { 'GET /api/kubernetes/capacity': { data: answer } },
    width: 1440,
  });
const full = { clusters: [head], total: 1, cluster };

describe('the Capacity page', () => {
  it('answers the four questions on top', async () => {
    await draw(full);
    await expect.element(page.getByText(/Holds 5 more pods of/)).toBeVisible();
    await expect.element(page.getByText(/Without node-2, 3 pods stay pending/)).toBeVisible();
    await expect.element(page.getByText(/Next node due 12 Jan 2027 \(5 Jan 2027 to 23 Jan 2027\)/)).toBeVisible();
    await expect.element(page.getByText(/2 containers ask for more than they use, 1 is too small/)).toBeVisible();
  });

  it('shows N/A with the reason where nothing is known, never 0', async () => {
    await draw(full);
    await expect
      .element(page.getByRole('row', { name: /^shop\/db .* N\/A persistent volumes are not read$/ }))
      .toBeVisible();
    await expect.element(page.getByRole('row', { name: /^node-1 N\/A .*1 pod cannot be judged$/ })).toBeVisible();
  });

  it('says why there is no plan at all', async () => {
    const reason = 'The cluster collector has been silent for 7 minutes.';
    const nothing = { fits: [], fits_total: 0, loss: [], loss_total: 0, trends: [], resources: [] };
    await draw({ ...full, cluster: { ...cluster, ...nothing, reason, sizing: { ...cluster.sizing, reason } } });
    await expect.element(page.getByText('What fits: N/A')).toBeVisible();
    await expect.poll(() => page.getByText(reason).elements().length).toBeGreaterThan(3);
  });

  it('says what to do without a cluster', async () => {
    await draw({ clusters: [], total: 0, cluster: null });
    await expect.element(page.getByText('No cluster found')).toBeVisible();
  });

  it('counts how many pods of a size fit, and refuses nonsense', async () => {
    await draw(full);
    await page.getByRole('button', { name: 'Try a size' }).click();
    await expect.element(page.getByText(/42 more fit without constraints/)).toBeVisible();
    await userEvent.fill(page.getByLabelText('Cores'), '-1');
    await expect.element(page.getByText('Enter a number of cores and of GB.')).toBeVisible();
  });
});
