import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { IncidentAnswer, IncidentsAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import type { MaintenancesAnswer } from '@plimsoll/contract/wire/checks/maintenance';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import type { StatusPagesAnswer } from '@plimsoll/contract/wire/checks/status-pages';
import { launchChromium } from '../../web/src/testing/chromium.ts';
import type { Product } from '../e2e/product.ts';
import { startDemo } from './testing/start-demo.ts';

let demo: Product;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), launchChromium()]);
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(demo.signInLink);
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
});
afterAll(async () => {
  await browser.close();
  await demo.stop();
});
const get = async <T>(path: string): Promise<T> =>
  ((await (await page.request.get(demo.url + path)).json()) as { data: T }).data;

it('shows 30 servers, two clusters with 400 pods and the planted alerts from its first page on', async () => {
  const { summary, servers } = await get<ServersAnswer>('/api/servers/list?limit=100');
  expect(summary).toMatchObject({ total: 30, online: 29, offline: 1, kubernetes_nodes: 8 });
  expect(summary.next_to_fill).toMatchObject({ hostname: 'logs-fra-01', mount: '/var/log' });
  expect(servers.find(({ status }) => status === 'offline')?.hostname).toBe('edge-gru-01');
  const overview = await get<{ total_nodes: number; total_pods: number }>('/api/kubernetes/cluster/overview');
  expect(overview).toMatchObject({ total_nodes: 8, total_pods: 400 });
  const { alerts } = await get<AlertsAnswer>('/api/data/notifications?limit=100');
  const found = alerts.map((alert) => `${alert.status} ${alert.metric_name} ${alert.tags.hostname}`);
  expect(found).toEqual(
    expect.arrayContaining([
      'active offline edge-gru-01',
      'active memory_usage api-iad-01',
      'active disk_forecast logs-fra-01',
      'active pod_crash_loop prod-iad',
      'resolved cpu_usage batch-sin-01',
    ]),
  );
});

it('holds an incident in which the host that is down explains its alert and that of its check', async () => {
  const { incidents } = await get<IncidentsAnswer>('/api/incidents?state=open');
  const found = incidents.find(({ cause }) => cause === 'offline');
  expect(found).toMatchObject({ alerts: 3, folded: 2 });
  const { incident } = await get<IncidentAnswer>(`/api/incidents/${found?.incident_id ?? ''}`);
  const [first, ...others] = incident.members.map(({ metric_name: metric }) => metric);
  expect([first, others.toSorted()]).toEqual(['offline', ['check_failed', 'memory_usage']]);
});

it('announces its weekly maintenance on the public status page', async () => {
  const { maintenance } = await get<MaintenancesAnswer>('/api/maintenance');
  expect(maintenance).toMatchObject([{ name: 'Patch night', status: 'planned' }]);
  const { status_pages: pages } = await get<StatusPagesAnswer>('/api/status-pages');
  const html = await (await page.request.get(demo.url + (pages[0]?.path ?? ''))).text();
  // Two periods and more, by the public names of the parts.
  expect(html.match(/Maintenance of [^<]*Public API/g)?.length).toBeGreaterThanOrEqual(2);
  expect(html).not.toContain('Patch night');
});

it('says on every page that its data is invented', async () => {
  for (const path of ['/', '/servers', '/alerts', '/kubernetes/pods', '/profile']) {
    await page.goto(demo.url + path);
    const chip = page.getByRole('banner').getByText('Demo data');
    await chip.waitFor();
    expect(await chip.isVisible()).toBe(true);
  }
});

it('names the process that caused the spike of the night', async () => {
  const { servers } = await get<ServersAnswer>('/api/servers/list?search=batch-sin-01');
  const { alerts } = await get<AlertsAnswer>(`/api/data/notifications?server_id=${servers[0]?.id ?? ''}`);
  const spike = alerts.find(({ metric_name: metric }) => metric === 'cpu_usage');
  expect(new Date((spike?.timestamp ?? 0) * 1000).toISOString()).toMatch(/T03:1\d:/);
  await page.goto(`${demo.url}/alerts?alert=${spike?.alert_id ?? ''}`);
  await page
    .getByText(/reindex\.py/)
    .first()
    .waitFor();
});

it('shows the usage of nodes and pods at each moment of the last 14 days', async () => {
  const now = Math.floor(Date.now() / 1000);
  for (const days of [0.5, 3, 13]) {
    const at = now - days * 86_400;
    const moment = async () =>
      await get<ClusterMomentAnswer>(`/api/kubernetes/at?at=${String(Math.floor(at))}&limit=500`);
    await expect
      .poll(async () => (await moment()).nodes.filter((node) => node.cpu_usage !== null).length, {
        timeout: 200_000,
      })
      .toBe(8);
    const { pods, total_pods: total } = await moment();
    expect(total).toBe(400);
    expect(pods.filter(({ memory_usage_mb: memory }) => memory !== null)).toHaveLength(400);
  }
});
