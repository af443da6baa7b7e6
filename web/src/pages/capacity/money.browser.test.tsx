import type { CapacityCluster } from '@plimsoll/contract/wire/capacity';
import type { CapacitySettingsAnswer } from '@plimsoll/contract/wire/capacity-settings';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';
import { sampleCapacity } from './sample-capacity.ts';

const GB = 2 ** 30;
const workload = { namespace: 'shop', kind: 'Deployment', name: 'checkout' };
const cost: CapacityCluster['cost'] = {
  currency: 'EUR',
  core_hour: 0.03,
  gb_hour: 0.004,
  month: 500,
  idle_month: 200,
  held_month: 300,
  saving_month: 61.5,
  unknown_pods: 2,
  workloads: [{ ...workload, pods: 4, cpu_cores: 8, memory_bytes: 16 * GB, month: 221.92 }],
  workloads_total: 1,
};
const settings: CapacitySettingsAnswer = {
  advice: { cpu_percentile: 90, memory_surplus_percent: 20, days: 7, cpu_limit: 'as_today' },
  is_default: false,
  prices: [{ cluster_id: 'c-1', cluster_name: 'prod-fra', currency: 'EUR', core_hour: 0.03, gb_hour: 0.004 }],
};
const draw = (parts: Partial<CapacityCluster> = {}, changes: Record<string, object> = {}) =>
  drawApp('/kubernetes/capacity', {
    answers: {
      'GET /api/kubernetes/capacity': { data: sampleCapacity(parts) },
      'GET /api/kubernetes/capacity/settings': { data: settings },
      ...changes,
    },
    width: 1440,
  });

describe('money', () => {
  it('is on no screen without a price', async () => {
    await draw();
    await expect.element(page.getByText(/2 containers ask for more/)).toBeVisible();
    expect(page.getByText(/EUR|a month|Cost/).elements()).toEqual([]);
  });

  it('is shown with a price: what the advice frees, each workload, and what is idle', async () => {
    await draw({ cost });
    await expect.element(page.getByText(/that nobody uses, 61\.50 EUR a month/)).toBeVisible();
    await expect.element(page.getByRole('row', { name: /^Idle no pod holds it .*200 EUR 40%$/ })).toBeVisible();
    await expect.element(page.getByRole('row', { name: 'shop/checkout 4 8 cores 16 GB 222 EUR 44%' })).toBeVisible();
    await expect.element(page.getByText(/2 pods without a request or use are in no sum/)).toBeVisible();
  });

  it('is N/A where a node does not report its size', async () => {
    await draw({ cost: { ...cost, month: null, idle_month: null } });
    await expect
      .element(page.getByRole('row', { name: /^Idle .*N\/A, not every node reports its size/ }))
      .toBeVisible();
  });
});

describe('the settings', () => {
  it('refuse a price of −1 and settings out of bounds, with what to enter', async () => {
    await draw();
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await userEvent.fill(page.getByLabelText('Price of a core-hour'), '-1');
    await expect.element(page.getByText('Enter a number from 0 to 1000.')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Save price' })).toBeDisabled();
    await userEvent.fill(page.getByLabelText('Days of usage'), '3.5');
    await expect.element(page.getByText('Enter a whole number from 3 to 60.')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Save advice' })).toBeDisabled();
  });

  it('start with what is stored, and say why a change was refused', async () => {
    const refusal = { status: 403, detail: 'Only an admin of the organisation may do this.' };
    await draw({}, { 'PUT /api/kubernetes/capacity/settings': refusal });
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await expect.element(page.getByLabelText('CPU percentile')).toHaveValue('90');
    await expect.element(page.getByLabelText('CPU limit')).toHaveValue('as_today');
    await expect.element(page.getByLabelText('Currency')).toHaveValue('EUR');
    await expect.element(page.getByRole('button', { name: 'Remove price' })).toBeVisible();
    await page.getByRole('button', { name: 'Save advice' }).click();
    await expect.element(page.getByText(/Only an admin of the organisation/)).toBeVisible();
  });
});

it('names the pools with their trend and worst loss, and who may add nodes', async () => {
  const [trend] = sampleCapacity().cluster?.trends ?? [];
  const pool = { pool: 'spot', label: 'karpenter.sh/nodepool', nodes: 3 };
  const resources = [{ resource: 'cpu' as const, used: 1, requested: 6, allocatable: 8, line_percent: 80 }];
  await draw({
    autoscaler: 'Karpenter',
    pools: [
      { ...pool, resources, trends: trend === undefined ? [] : [trend], worst: { node: 'n-1', pending: 2 } },
      {
        ...pool,
        pool: 'gpu',
        resources: [],
        trends: trend === undefined ? [] : [{ ...trend, date: null, reason: 'Its requests do not grow.' }],
        worst: { node: 'n-9', pending: null },
      },
    ],
  });
  await expect.element(page.getByText('by karpenter.sh/nodepool; Karpenter may add nodes')).toBeVisible();
  await expect
    .element(page.getByRole('row', { name: 'spot 3 75% N/A 12 Jan 2027 memory 2 pending without n-1' }))
    .toBeVisible();
  await expect
    .element(
      page.getByRole('row', { name: /^gpu 3 N\/A N\/A N\/A, Its requests do not grow\. N\/A, n-9 cannot be judged$/ }),
    )
    .toBeVisible();
});
