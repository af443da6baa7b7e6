import type { PodOwner } from '@plimsoll/contract/wire/kubernetes';
import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { TotalsPage } from './totals-page.tsx';

const ROW: PodOwner = {
  cluster_id: 'c-1',
  namespace: 'shop',
  owner_kind: 'Deployment',
  owner_name: 'checkout-api',
  pods: 3,
  phases: { Running: 2, Pending: 0, Failed: 1, Succeeded: 0, Unknown: 0 },
  cpu_usage_cores: 0.5,
  memory_usage_mb: 300,
  restarts_24h: 14,
  requests: { cpu_cores: 1, memory_mb: 512 },
  limits: { cpu_cores: null, memory_mb: 1024 },
  without_cpu_limit: 3,
  without_memory_limit: 1,
  desired: 3,
  ready: 2,
};
const PATH = 'GET /api/kubernetes/owners';
const drawTotals = (by: 'owner' | 'namespace', answer: Parameters<typeof drawPage>[1][string]) =>
  drawPage(<TotalsPage by={by} />, { [PATH]: answer }, { at: '/kubernetes/totals?cluster=c-1' });
const one = (row: PodOwner) => ({ data: { owners: [row], total: 1 } });

it('shows a workload with usage beside requests and limits, and leads to its pods', async () => {
  const { screen, callsTo } = await drawTotals('owner', one(ROW));
  const link = screen.getByRole('link', { name: 'checkout-api' });
  await expect
    .element(link)
    .toHaveAttribute('href', '/kubernetes/pods?cluster=c-1&namespace=shop&owner=Deployment&search=checkout-api');
  const words = screen.getByRole('row').nth(1).element().textContent;
  expect(words).toContain('2 / 3 ready1 missing1 broken');
  expect(words).toContain('0.5001.000none set');
  expect(words).toContain('3005121,0241 pod without14');
  expect(callsTo('GET', '/api/kubernetes/owners')[0]?.path).toContain('by=owner');
});

it('sums a namespace and says N/A with the reason where no usage is known', async () => {
  const row = { ...ROW, owner_kind: null, owner_name: null, desired: null, ready: null, cpu_usage_cores: null };
  const { screen } = await drawTotals('namespace', one(row));
  await expect
    .element(screen.getByRole('link', { name: 'shop' }))
    .toHaveAttribute('href', '/kubernetes/pods?cluster=c-1&namespace=shop');
  await expect.element(screen.getByLabelText('N/A: no pod of these has reported its usage')).toBeVisible();
});

it('sorts by a column, kept in the address', async () => {
  const { screen, callsTo } = await drawTotals('namespace', one(ROW));
  await screen.getByRole('button', { name: 'Memory' }).click();
  await expect.poll(() => callsTo('GET', '/api/kubernetes/owners').at(-1)?.path).toContain('sort=memory&order=desc');
  expect(window.location.search).toContain('sort=memory');
});

it('says that there are none, and what failed', async () => {
  const none = await drawTotals('owner', { data: { owners: [], total: 0 } });
  await expect.element(none.screen.getByText('No workloads found')).toBeVisible();
  await none.screen.unmount();
  const failed = await drawTotals('owner', { status: 500, detail: 'the database is away' });
  await expect.element(failed.screen.getByText(/the database is away/)).toBeVisible();
});
