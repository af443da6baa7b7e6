import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { EnrolledServer, FleetServer } from '../../testing/fleet.ts';
import { openPage, settled } from '../../testing/open-page.ts';
import { goBy, onStage } from '../../testing/stage.ts';
import { parseMoment } from '../../time/moment.ts';

const HOUR = 3600;
const begun = Date.now() / 1000;
const process = (pid: number, name: string, cpu: number) => ({
  pid,
  name,
  command: `/usr/bin/${name}`,
  user: 'builder',
  status: 'R',
  cpu_percent: cpu,
  memory_percent: 4,
  memory_bytes: 512 * 2 ** 20,
  threads: 2,
  started_at: begun - 86_400,
});
/** Half a day: a compiler until two hours ago, then a database. */
const BUILD: FleetServer = {
  hostname: 'build-01',
  history: 12 * HOUR,
  sample: (ago) => ({
    cpu: 40,
    memory: 50,
    disk: 60,
    processes: [
      ...(ago > 2 * HOUR ? [process(11, 'rustc', 188.4)] : [process(21, 'postgres', 33)]),
      process(1, 'systemd', 0.1),
    ],
  }),
};
/** Over its line for the last minutes, so that an alert fires as its newest reports come. */
const HOT: FleetServer = {
  hostname: 'hot-01',
  history: HOUR,
  sample: (ago) => ({ cpu: ago < 1200 ? 96 : 20, memory: 50, disk: 60, processes: [process(31, 'ffmpeg', 770)] }),
};
const CALM: FleetServer = { hostname: 'calm-01', sample: () => ({ cpu: 10, memory: 20, disk: 30 }) };

describe('from the fleet to what ran on a server', () => {
  const servers = new Map<string, EnrolledServer>();
  const path = (hostname: string) => paths.server(servers.get(hostname)?.id ?? '');
  const stage = onStage(async ({ product }) => {
    const token = await enrolmentToken(product.origin, product.token);
    for (const server of [BUILD, HOT, CALM]) servers.set(server.hostname, await enrol(product.origin, token, server));
  });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Processes at that time' });
  const momentOf = (page: Page) => parseMoment(new URL(page.url()).searchParams) ?? Number.NaN;

  it('names the server over its line on the dashboard, and leads by its alert to the processes of that time', () =>
    stage.visit(paths.dashboard, async (page) => {
      await page.getByText('1 of 3 online servers is over its line.').waitFor();
      const names = () => page.locator('article a[href^="/servers/"]').allInnerTexts();
      await expect
        .poll(async () => (await names()).map((name) => name.replaceAll(/\s/g, '')))
        .toEqual(['hot-01', 'build-01', 'calm-01']);
      await page.getByRole('region', { name: 'Load line' }).getByRole('listitem').first().getByRole('link').click();
      await heading(page, 'hot-01');
      await settled(page);
      const alerts = page.locator('section', { has: page.getByRole('heading', { name: 'Active Alerts' }) });
      await alerts.getByRole('link', { name: 'Processes at that time' }).first().click();
      await page.waitForURL(/at=/);
      await panelOf(page).getByRole('rowheader', { name: 'ffmpeg' }).waitFor();
      await panelOf(page)
        .getByText(/^snapshot of \d\d:\d\d, (at this moment|\d s before)$/)
        .waitFor();
      await panelOf(page)
        .getByRole('link', { name: /CPU 9\d/ })
        .click();
      await page.waitForURL(/\/alerts\?.*alert=/);
      await page.getByRole('link', { name: 'Processes at that time on hot-01' }).click();
      await panelOf(page).getByRole('rowheader', { name: 'ffmpeg' }).waitFor();
      expect(momentOf(page)).toBeGreaterThan(begun - HOUR);
    }));

  it('keeps a zoomed chart and a moment in an address that others open, and goes back', async () => {
    const { page, context } = await openPage(stage.browser, stage.product);
    await page.goto(`${path('build-01')}?hours=12`);
    await settled(page);
    const plot = (await page.locator('section[aria-label="CPU"] rect[fill="transparent"]').first().boundingBox())!;
    await page.mouse.move(plot.x + plot.width * 0.25, plot.y + 40);
    await page.mouse.down();
    await page.mouse.move(plot.x + plot.width * 0.75, plot.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=\d+&to=\d+/);
    const { searchParams } = new URL(page.url());
    const hours = (Number(searchParams.get('to')) - Number(searchParams.get('from'))) / HOUR;
    expect(hours).toBeGreaterThan(5.5);
    expect(hours).toBeLessThan(6.5);
    await settled(page);
    const zoomed = (await page.locator('section[aria-label="CPU"]').getByRole('slider').boundingBox())!;
    await page.mouse.click(zoomed.x + zoomed.width * 0.5, zoomed.y + 60);
    await page.waitForURL(/at=/);
    await panelOf(page).getByRole('rowheader', { name: 'rustc' }).waitFor();
    const shared = page.url();

    const other = await openPage(stage.browser, stage.product, { width: 1440, theme: 'light' });
    await other.page.goto(shared);
    await panelOf(other.page).getByRole('rowheader', { name: 'rustc' }).waitFor();
    await other.page.getByRole('button', { name: 'Last 24 h' }).waitFor();
    expect(momentOf(other.page)).toBe(momentOf(page));
    await other.context.close();

    await page.goBack();
    await panelOf(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Last 24 h' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: '12h', pressed: true }).waitFor();
    await page.goForward();
    await page.waitForURL(/from=\d+&to=\d+/);
    await context.close();
  });

  it('goes everywhere by the keyboard', () =>
    stage.visit(paths.dashboard, async (page) => {
      await goBy(page, 's');
      await heading(page, 'Servers');
      await settled(page);
      await page.keyboard.press('/');
      await page.keyboard.type('calm');
      await page.waitForURL(/search=calm/);
      await expect.poll(() => page.locator('article').count()).toBe(1);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search', exact: true }).fill('build');
      await page.getByRole('option', { name: 'build-01 Server', selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await heading(page, 'build-01');
      await settled(page);
      await page.keyboard.press(']');
      await heading(page, 'calm-01');
    }));

  it('keeps what is typed while the palette is still being fetched', () =>
    stage.visit(paths.servers, async (page) => {
      const asked = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      await page.route(/\/assets\/palette-[^/]*\.js/, async (route) => {
        asked.resolve();
        await held.promise;
        await route.continue();
      });
      await page.getByRole('searchbox').focus();
      await page.keyboard.press('Control+k');
      await asked.promise;
      await page.keyboard.type('calmm');
      await page.keyboard.press('Backspace');
      held.resolve();
      const palette = page.getByRole('combobox', { name: 'Search', exact: true });
      await palette.waitFor();
      await expect.poll(() => palette.inputValue()).toBe('calm');
      await page.keyboard.type('-01');
      await page.getByRole('option', { name: /^calm-01/ }).waitFor();
      await page.keyboard.press('Escape');
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
    }));

  it('saves the figures of a server, then deletes it for good', () =>
    stage.visit(path('calm-01'), async (page) => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toMatch(/^calm-01-metrics-[\dt-]+-to-[\dt-]+\.csv$/);
      expect(await readFile(await download.path(), 'utf8')).toMatch(/^time,cpu_avg,cpu_min,cpu_max,memory_avg/);

      await page.getByRole('button', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete calm-01?' });
      await dialog.getByLabel('Name of the server').fill('calm-01');
      await dialog.getByRole('button', { name: 'Delete server' }).click();
      await heading(page, 'Servers');
      await page.getByText('2 servers').first().waitFor();
      await page.locator('article').filter({ hasText: 'calm' }).waitFor({ state: 'detached' });
      expect((await stage.call('GET', `/api${path('calm-01')}`)).status).toBe(404);
      await page.goto(path('calm-01'));
      await heading(page, 'Server not found');
    }));
});
