import type { PodOwner } from '@plimsoll/contract/wire/kubernetes';
import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
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
afterEach(() => page.viewport(1280, 800));

const PATH = 'GET /api/kubernetes/owners';
const drawTotals = (by: 'owner' | 'namespace', answer: Parameters<typeof drawPage>[1][string]) =>
  drawPage(<TotalsPage by={by} />, { [PATH]: answer }, { at: '/kubernetes/totals?cluster=c-1' });
const one = (row: PodOwner) => ({ data: { owners: [row], total: 1 } });

it('shows a workload with usage beside requests and limits, and leads to its pods', async () => {
  const { screen, callsTo } = await drawTotals('owner', one(ROW));
  await expect
    .element(screen.getByRole('link', { name: 'checkout-api' }))
    .toHaveAttribute('href', '/kubernetes/workloads/c-1/shop/Deployment/checkout-api');
  await expect
    .element(screen.getByRole('link', { name: '2 / 3 ready' }))
    .toHaveAttribute('href', '/kubernetes/pods?cluster=c-1&namespace=shop&owner=Deployment&search=checkout-api');
  const words = () => (screen.getByRole('row').nth(1).element() as HTMLElement).innerText.replaceAll(/\s+/g, ' ');
  expect(words()).toContain('2 / 3 ready 1 missing 1 broken');
  expect(words()).toContain('0.500 cores 1.000 cores none set 300 MB 512 MB 1.0 GB 1 pod without 14');
  expect(callsTo('GET', '/api/kubernetes/owners')[0]?.path).toContain('by=owner');
});

it('draws use against the limit where every pod has one, else against the request, with the load line', async () => {
  const limited = { ...ROW, limits: { cpu_cores: 0.625, memory_mb: 1024 }, without_cpu_limit: 0 };
  const { screen } = await drawTotals('owner', one(limited));
  await expect.element(screen.getByRole('meter', { name: /^CPU of its limit 80/ })).toBeVisible();
  await expect.element(screen.getByRole('meter', { name: /^Memory of its request 59/ })).toBeVisible();
  await screen.unmount();
  const free = { ...ROW, requests: { cpu_cores: null, memory_mb: null }, limits: { cpu_cores: null, memory_mb: null } };
  const without = await drawTotals('owner', one(free));
  await expect.element(without.screen.getByRole('link', { name: 'checkout-api' })).toBeVisible();
  expect(without.screen.getByRole('meter').elements()).toEqual([]);
});

it('searches and filters on the server, kept in the address', async () => {
  const { screen, callsTo } = await drawTotals('owner', one(ROW));
  await screen.getByRole('searchbox', { name: 'Search workloads' }).fill('check');
  await expect.poll(() => callsTo('GET', '/api/kubernetes/owners').at(-1)?.path).toContain('search=check');
  expect(window.location.search).toContain('search=check');
  await screen.unmount();
  const none = await drawPage(
    <TotalsPage by="owner" />,
    { [PATH]: { data: { owners: [], total: 0 } } },
    { at: '/kubernetes/workloads?owner=CronJob&namespace=shop' },
  );
  await expect.element(none.screen.getByText('No workload matches your filters')).toBeVisible();
  expect(none.callsTo('GET', '/api/kubernetes/owners')[0]?.path).toMatch(/namespace=shop.*owner_kind=CronJob/);
});

it('names the unit beside each figure on a phone, where no head does', async () => {
  await page.viewport(390, 800);
  const { screen } = await drawTotals('owner', one(ROW));
  await expect.element(screen.getByRole('link', { name: 'checkout-api' })).toBeVisible();
  const text = (document.querySelector('tbody tr') as HTMLElement).innerText.replaceAll(/\s+/g, ' ');
  expect(text).toContain('0.500 cores 1.000 cores none set 300 MB 512 MB 1.0 GB 1 pod without 14');
});

const CALM: PodOwner = { ...ROW, ready: 3, phases: { ...ROW.phases, Running: 3, Failed: 0 } };

it('asks for short pages on a phone, whose rows are low enough to compare', async () => {
  await page.viewport(390, 800);
  const { callsTo } = await drawTotals('owner', { data: { owners: [CALM], total: 42 } });
  await expect.element(page.getByText('1–20 of 42')).toBeVisible();
  expect(callsTo('GET', PATH.split(' ')[1] ?? '').at(-1)?.path).toContain('limit=20');
  expect(document.querySelector('tbody tr')?.getBoundingClientRect().height).toBeLessThan(200);
});

it('sums a namespace and says N/A with the reason where no usage is known', async () => {
  const row = { ...ROW, owner_kind: null, owner_name: null, desired: null, ready: null, cpu_usage_cores: null };
  const { screen } = await drawTotals('namespace', one(row));
  await expect
    .element(screen.getByRole('link', { name: 'shop' }))
    .toHaveAttribute('href', '/kubernetes/pods?cluster=c-1&namespace=shop');
  await expect.element(screen.getByLabelText('N/A: no pod of these has reported its usage')).toBeVisible();
});

it('names the cluster of each row where several are shown', async () => {
  const clusters = ['east', 'west'].map((name) => ({ cluster_id: `c-${name}`, name }));
  const owners = clusters.map(({ cluster_id }) => ({ ...ROW, cluster_id }));
  const { screen } = await drawPage(
    <TotalsPage by="owner" />,
    { [PATH]: { data: { owners, total: 2 } }, 'GET /api/kubernetes/clusters': { data: { clusters, total: 2 } } },
    { at: '/kubernetes/workloads' },
  );
  await expect.element(screen.getByRole('cell', { name: 'shop east' })).toBeVisible();
  await expect.element(screen.getByRole('cell', { name: 'shop west' })).toBeVisible();
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

it('shows every column beside the open sidebar at 1440 px, without scrolling sideways', async () => {
  // 1440 px without the sidebar of 260.
  await page.viewport(1180, 900);
  const long = {
    ...ROW,
    owner_name: 'recommendation-feature-store-materializer-6f7b',
    namespace: 'data-platform-production',
    memory_usage_mb: 9999,
    requests: { cpu_cores: 128.125, memory_mb: 9999 },
    limits: { cpu_cores: 256.25, memory_mb: 9999 },
    without_cpu_limit: 100,
    without_memory_limit: 100,
  };
  const { screen } = await drawTotals('owner', one(long));
  await expect.element(screen.getByRole('link', { name: long.owner_name })).toBeVisible();
  const region = screen.getByRole('region', { name: 'Kubernetes Workloads' }).element();
  expect(region.scrollWidth).toBe(region.clientWidth);
  const last = screen.getByRole('columnheader', { name: 'Restarts 24\u00a0h' }).element().getBoundingClientRect();
  expect(last.right).toBeLessThanOrEqual(region.getBoundingClientRect().right);
});
