import type { CapacitySizing } from '@plimsoll/contract/wire/capacity';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';
import { sampleCapacity } from './sample-capacity.ts';

const GB = 2 ** 30;
const checkout = { namespace: 'shop', kind: 'Deployment', name: 'checkout' };
const sized = { request: 4 * GB, limit: 4 * GB, p95: GB, max: 1.2 * GB, advice: 1.5 * GB, limit_advice: 1.5 * GB };
const row: CapacitySizing = {
  ...checkout,
  container: 'app',
  pods: 4,
  days: 14,
  memory_bytes: { ...sized, histogram: [] },
  cpu_cores: { request: 1, limit: null, p95: 0.2, max: 0.4, advice: 0.2, limit_advice: null, histogram: [] },
  cpu_verdict: 'too_large',
  memory_verdict: 'too_large',
  evidence: ['frees 2560 MB × 4 pods'],
  oom_kills: 0,
  frees: { cpu_cores: 3.2, memory_bytes: 10 * GB },
  by_day: [],
  autoscalers: [{ name: 'checkout', resource: 'memory', utilization_percent: 80, now: 3.2 * GB, after: 1.2 * GB }],
  reason: null,
};
const sample = sampleCapacity();
const { cluster } = sample;
const fits = [
  {
    ...checkout,
    pods: 4,
    cpu_cores: 0.5,
    memory_bytes: GB,
    more: 37,
    is_cut: false,
    first_limit: 'memory',
    reason: null,
  },
];
const answers = {
  'GET /api/kubernetes/capacity': { data: { ...sample, cluster: cluster && { ...cluster, fits, fits_total: 1 } } },
  'GET /api/kubernetes/sizing': { data: { sizing: [row], total: 1, cluster } },
};

let clicks = 0;
const count = (): void => {
  clicks += 1;
};
beforeEach(() => {
  clicks = 0;
  document.addEventListener('click', count, true);
});
afterEach(() => document.removeEventListener('click', count, true));

const openCapacity = async (): Promise<void> => {
  await drawApp('/', { answers, width: 1440 });
  await page.getByRole('navigation').getByRole('link', { name: 'Kubernetes' }).first().click();
  await page.getByRole('link', { name: 'Capacity', exact: true }).first().click();
};

it('how many more of checkout fit: two clicks from the dashboard', async () => {
  await openCapacity();
  await expect.element(page.getByRole('row', { name: /^shop\/checkout .* 37 .*memory/ })).toBeVisible();
  expect(clicks).toBe(2);
});

it('what to request for checkout: two clicks, and its YAML is copied with the third', async () => {
  await openCapacity();
  await expect
    .element(page.getByRole('row', { name: /^shop\/checkout app 4 GB .*advice 1\.50 GB 1\.50 GB/ }))
    .toBeVisible();
  await expect.element(page.getByText(/HPA checkout scales at 80 % of the memory request/)).toBeVisible();
  expect(clicks).toBe(2);
  await page.getByRole('button', { name: 'Copy YAML of shop/checkout app' }).click();
  await expect.element(page.getByRole('button', { name: /Copied/ })).toBeVisible();
  expect(clicks).toBe(3);
});
