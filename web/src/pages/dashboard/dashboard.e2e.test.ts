import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { reportCluster } from '../../testing/cluster.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { EnrolledServer, FleetServer } from '../../testing/fleet.ts';
import { onStage, silence } from '../../testing/stage.ts';

const FLEET: readonly FleetServer[] = [
  { hostname: 'over-01', sample: () => ({ cpu: 91, memory: 40, disk: 20, cores: 16, memoryGb: 64, operations: 2400 }) },
  { hostname: 'near-01', sample: () => ({ cpu: 30, memory: 66, disk: 20, operations: 600 }) },
  { hostname: 'calm-01', sample: () => ({ cpu: 11, memory: 20, disk: 30, storageGb: 1000, operations: 300 }) },
  { hostname: 'calm-02', sample: () => ({ cpu: 10, memory: 10, disk: 25, ioWait: null, operations: 300 }) },
  { hostname: 'late-01', sample: () => ({ cpu: 60, memory: 20, disk: 20 }) },
  { hostname: 'new-01', sample: () => null },
];
const tile = (page: Page, label: string) =>
  page.getByRole('group', { name: 'Fleet' }).locator('> div').filter({ hasText: label });
const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

describe('Dashboard', () => {
  const servers = new Map<string, EnrolledServer>();
  const stage = onStage(async (given) => {
    const token = await enrolmentToken(given.product.origin, given.product.token);
    for (const server of FLEET) servers.set(server.hostname, await enrol(given.product.origin, token, server));
    await silence(given, servers.get('late-01')?.id ?? '', 15);
  });

  it('answers who is over, who is near, and ranks the rest behind', () =>
    stage.visit(paths.dashboard, async (page) => {
      await page.getByText('1 of 4 online servers is over its line.').waitFor();
      const panel = page.getByRole('region', { name: 'Load line' });
      await expect.poll(async () => flat(await panel.innerText())).toContain('1 over, 1 within 20 points, 2 clear');
      const nearest = panel.locator('div').first().getByRole('listitem');
      await expect
        .poll(async () => (await nearest.allInnerTexts()).map(flat))
        .toEqual([
          'ov er-01'.replace(' ', '') + ' CPU 11 over',
          'near-01 Memory 14 below',
          'calm-01 Disk 50 below',
          'calm-02 Disk 55 below',
        ]);
      const names = () => page.locator('article a[href^="/servers/"]').allInnerTexts();
      await expect
        .poll(async () => (await names()).map((name) => name.replaceAll(/\s/g, '')))
        .toEqual(['late-01', ...FLEET.map(({ hostname }) => hostname).filter((name) => name !== 'late-01')]);
    }));

  it('walks the fleet by the arrow keys and tells each server in words', () =>
    stage.visit(paths.dashboard, async (page) => {
      const strip = page.getByRole('list', { name: 'Nearest resource of each server' });
      const bars = strip.getByRole('link');
      await expect
        .poll(() => bars.evaluateAll((all) => all.map((bar) => bar.querySelector('span')?.textContent)))
        .toEqual([
          'late-01: offline, last known CPU 60 %',
          'over-01: CPU · 11 over',
          'near-01: Memory · 14 below',
          'calm-01: Disk · 50 below',
          'calm-02: Disk · 55 below',
          'new-01: no report yet',
        ]);
      // Tab enters the strip once, at its worst, and leaves it at once.
      expect(await bars.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).tabIndex))).toEqual([
        0, -1, -1, -1, -1, -1,
      ]);
      const focused = () =>
        page.evaluate(() => document.activeElement?.querySelector('span')?.textContent.split(':')[0]);
      await bars.first().focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(focused).toBe('over-01');
      await page.keyboard.press('End');
      await expect.poll(focused).toBe('new-01');
      await page.keyboard.press('ArrowRight');
      expect(await focused()).toBe('new-01');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
      await expect.poll(focused).toBe('late-01');
      const kinds = await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('data-kind')));
      expect(kinds).toEqual(['late', 'live', 'live', 'live', 'live', 'new']);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'late-01', level: 1 }).waitFor();
    }));

  it('reckons its figures over those that report, and N/A never weighs as nought', () =>
    stage.visit(paths.dashboard, async (page) => {
      const told = async (label: string) => flat(await tile(page, label).innerText());
      await expect.poll(() => told('Total Servers')).toBe('Total Servers 6 6 hosts');
      expect(await told('Online Servers')).toBe('Online Servers 4 1 offline, 1 installing');
      expect(await told('Uninstalled')).toBe('Uninstalled 0 none');
      expect(await told('Uptime')).toMatch(/^Uptime 66\.7 ?% 4 of 6 online$/);
      // Averages of the four with fresh figures; of IO wait of the three that have one.
      await expect.poll(() => told('Avg CPU')).toMatch(/35\.5 ?%$/);
      expect(await told('Avg Memory')).toMatch(/34\.0 ?%$/);
      expect(await told('Avg IO Wait')).toMatch(/1\.0 ?%$/);
      expect(await told('Avg IOPS')).toBe('Avg IOPS 900 peak 2,400, over-01');
      const { summary } = await stage.product.get<{ summary: { total_cpu_cores: number; total_storage_gb: number } }>(
        '/api/servers/list?limit=1',
      );
      expect(await told('Total CPU Cores')).toContain(`Total CPU Cores ${summary.total_cpu_cores}`);
      expect(await told('Total Storage')).toContain((summary.total_storage_gb / 1024).toFixed(1));
    }));

  it('stops asking while it is paused, shows the age of what it shows, and catches up', () =>
    stage.visit(paths.dashboard, async (page) => {
      await page.getByText('Live', { exact: true }).waitFor();
      await page
        .getByRole('banner')
        .getByText(/^\d+ s ago$/)
        .waitFor();
      await page.getByRole('button', { name: 'Pause updates' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      await servers.get('calm-02')?.report({ cpu: 88, memory: 10, disk: 25 });
      await expect
        .poll(
          async () =>
            (await stage.product.get<{ summary: { over_line: number } }>('/api/servers/list?limit=1')).summary,
        )
        .toMatchObject({ over_line: 2 });
      expect(await page.getByText('1 of 4 online servers is over its line.').count()).toBe(1);
      await page.getByRole('button', { name: 'Resume updates' }).click();
      await page.getByText('2 of 4 online servers are over their line.').waitFor();
      await page.getByText('Live', { exact: true }).waitFor();
    }));

  it('shows four cards on a small screen until asked for the rest, alerts before figures', () =>
    stage.visit(
      paths.dashboard,
      async (page) => {
        await expect.poll(() => page.locator('article').count()).toBe(4);
        const top = (name: string) =>
          page
            .getByText(name, { exact: true })
            .first()
            .evaluate((each) => each.getBoundingClientRect().top + scrollY);
        expect(await top('Active Alerts')).toBeLessThan(await top('Total Servers'));
        await page.getByRole('button', { name: 'Show 2 more' }).click();
        await expect.poll(() => page.locator('article').count()).toBe(6);
        await page.getByRole('group', { name: 'Sort servers' }).getByRole('button', { name: 'Name' }).click();
        await expect
          .poll(async () => (await page.locator('article a').first().innerText()).replaceAll(/\s/g, ''))
          .toBe('calm-01');
      },
      { width: 390, theme: 'dark' },
    ));

  it('has no card of a cluster before there is one, and then leads to it', async () => {
    const cardOn = (page: Page) =>
      page.locator('section').filter({ has: page.getByRole('heading', { name: 'Kubernetes', exact: true }) });
    await stage.visit(paths.dashboard, async (page) => {
      expect(await cardOn(page).count()).toBe(0);
    });
    const pods = [
      { name: 'api-1', namespace: 'shop' },
      { name: 'job-1', namespace: 'shop', phase: 'Failed' as const },
    ];
    const uid = '5f0c3a52-0000-4000-8000-00000000000d';
    await reportCluster(stage.product.origin, stage.product.token, {
      uid,
      nodes: [{ name: 'node-1', cpu: 40, memory: 50, pods }],
    });
    await stage.visit(paths.dashboard, async (page) => {
      const words = async () => flat(await cardOn(page).innerText());
      for (const said of ['Critical', '1 / 1', 'Running', 'Failed']) await expect.poll(words).toContain(said);
      await cardOn(page).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Kubernetes Cluster', level: 1 }).waitFor();
    });
  });
});
