import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../../paths.ts';
import { parseMoment } from '../../../time/moment.ts';
import { launchChromium } from '../../../testing/chromium.ts';
import { enrol, enrolmentToken } from '../../../testing/fleet.ts';
import type { EnrolledServer, FleetServer } from '../../../testing/fleet.ts';
import { openPage, settled } from '../../../testing/open-page.ts';
import type { View } from '../../../testing/open-page.ts';
import { startProduct } from '../../../testing/product.ts';
import type { Product } from '../../../testing/product.ts';

const HOUR = 3600;
const CHARTS = ['CPU', 'Memory', 'Disk', 'IO Wait', 'IOPS'];
const VIEWS: View[] = [
  { width: 1440, theme: 'dark' },
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 390, theme: 'light' },
];
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
const event = (id: string, ago: number, message: string) => ({
  id,
  event_type: 'service_restart' as const,
  service_name: 'nginx',
  process_name: null,
  message,
  severity: 'info' as const,
  ts: begun - ago,
});
const EVENTS = [
  {
    ago: 3 * HOUR + 630,
    list: [event('before', 3 * HOUR + 630, 'nginx restarted'), event('just', 3 * HOUR + 620, 'php restarted')],
  },
  { ago: 3 * HOUR - 270, list: [event('after', 3 * HOUR - 270, 'cron restarted')] },
];

/** A day: a compiler until two hours ago, then a database; silent from nine to seven hours ago. */
const MACHINE: FleetServer = {
  hostname: 'build-01',
  history: 12 * HOUR,
  sample(ago) {
    if (ago > 7 * HOUR && ago < 9 * HOUR) return null;
    const busy = ago > 2 * HOUR ? [process(11, 'rustc', 188.4), process(12, 'ld', 20)] : [process(21, 'postgres', 33)];
    const events = EVENTS.filter((each) => Math.abs(each.ago - ago) < 60).flatMap(({ list }) => list);
    return { cpu: 40, memory: 50, disk: 60, processes: [...busy, process(1, 'systemd', 0.1)], events };
  },
};

/** Over its line for the last minutes, so that an alert fires as its newest reports come. */
const HOT: FleetServer = {
  hostname: 'hot-01',
  history: HOUR,
  sample: (ago) => ({ cpu: ago < 1200 ? 96 : 20, memory: 50, disk: 60, processes: [process(31, 'ffmpeg', 770)] }),
};

describe('what ran then', () => {
  let product: Product;
  let browser: Browser;
  let server: EnrolledServer;
  let hot: EnrolledServer;
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    const token = await enrolmentToken(product.origin, product.token);
    server = await enrol(product.origin, token, MACHINE);
    hot = await enrol(product.origin, token, HOT);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  const momentOf = (page: Page) => parseMoment(new URL(page.url()).searchParams) ?? Number.NaN;
  const panelOf = (page: Page) => page.getByRole('region', { name: 'Processes at that time' });
  const at = (ago: number) => Math.floor(begun - ago);
  const address = (ago: number) => `${paths.server(server.id)}?hours=12&at=${String(at(ago))}`;
  const chart = (page: Page, name: string) => page.locator(`section[aria-label="${name}"]`);

  it('opens at the moment that was clicked, marked on every chart, and closes with Escape', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(`${paths.server(server.id)}?hours=12`);
    await settled(page);
    const box = (await chart(page, 'CPU').getByRole('slider').boundingBox())!;
    // 12 hours wide: three hours before the end.
    const clickedAt = Date.now() / 1000;
    await page.mouse.click(box.x + box.width * 0.75, box.y + 60);
    await page.waitForURL(/at=\d+/);
    expect(Math.abs(momentOf(page) - (clickedAt - 3 * HOUR))).toBeLessThan(300);
    const panel = panelOf(page);
    await panel.getByRole('heading', { name: /^Processes at .*\d\d:\d\d$/ }).waitFor();
    await panel.getByText(/^snapshot of \d\d:\d\d, .* before$/).waitFor();
    await expect.poll(() => panel.getByRole('rowheader').allInnerTexts()).toEqual(['rustc', 'ld', 'systemd']);
    expect(await panel.getByRole('row', { name: /rustc/ }).innerText()).toMatch(/builder\s+1\.88\s*cores\s+512\s*MB/);
    await panel.getByText('CPU in cores. Red: more than 80 % of the machine.').waitFor();
    for (const name of CHARTS) await expect.poll(() => chart(page, name).locator('.moment').count()).toBe(1);
    await expect.poll(() => page.locator('.moment').count()).toBe(CHARTS.length + 2);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await page.waitForURL(({ searchParams }) => !searchParams.has('at'));
    await expect.poll(() => page.locator('.moment').count()).toBe(0);
    await context.close();
  });

  it('goes along a chart by the keyboard and picks with Enter', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(`${paths.server(server.id)}?hours=12`);
    await settled(page);
    const slider = chart(page, 'Memory').getByRole('slider');
    await slider.focus();
    for (const key of ['End', 'ArrowLeft', 'PageDown', 'ArrowRight']) await page.keyboard.press(key);
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d, Memory 50\.0$/);
    await expect.poll(() => page.locator('.cursor').count()).toBe(CHARTS.length + 2);
    const chosen = Number(await slider.getAttribute('aria-valuenow'));
    await page.keyboard.press('Enter');
    await panelOf(page).getByRole('table').waitFor();
    await expect.poll(() => momentOf(page)).toBe(Math.floor(chosen));
    await context.close();
  });

  it('lists what happened around it in order of time, and opens from a mark by the keyboard', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(address(3 * HOUR));
    await settled(page);
    const around = panelOf(page).getByRole('region', { name: 'Events and alerts around this time' });
    const told = () => around.getByRole('listitem').allInnerTexts();
    await expect
      .poll(async () => (await told()).map((line) => line.split('\n').find((part) => part.endsWith('restarted'))))
      .toEqual(['nginx restarted', 'php restarted', 'cron restarted']);
    const lines = await told();
    expect(lines[0]).toContain('10 min before');
    expect(lines[2]).toContain('4 min after');
    const lane = chart(page, 'Disk').getByRole('group', { name: 'Events and alerts' });
    const together = lane.getByRole('button', { name: /^\d events, \d\d:\d\d–\d\d:\d\d$/ });
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    await together.focus();
    await page.keyboard.press('Enter');
    await panelOf(page).getByText('cron restarted').waitFor();
    await expect.poll(() => Math.abs(momentOf(page) - at(3 * HOUR - 270))).toBeLessThan(120);
    await context.close();
  });

  it('is offered by an alert, with what was kept when it fired', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.server(hot.id));
    await settled(page);
    const alerts = page.locator('section', { has: page.getByRole('heading', { name: 'Active Alerts' }) });
    await alerts.getByRole('link', { name: 'Processes at that time' }).first().click();
    await page.waitForURL(/at=\d+/);
    await panelOf(page).getByRole('rowheader', { name: 'ffmpeg' }).waitFor();
    await panelOf(page)
      .getByText(/^snapshot of \d\d:\d\d, (at this moment|\d s before)$/)
      .waitFor();
    const fired = panelOf(page).getByRole('link', { name: /CPU 9\d/ });
    await fired.click();
    await page.waitForURL(/\/alerts\?.*alert=/);
    await page.getByRole('link', { name: 'Processes at that time on hot-01' }).click();
    await panelOf(page).getByRole('rowheader', { name: 'ffmpeg' }).waitFor();
    expect(momentOf(page)).toBeGreaterThan(begun - HOUR);
    await context.close();
  });

  it('says why there is nothing: silent, or older than what is kept', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(address(8 * HOUR));
    await settled(page);
    const panel = panelOf(page);
    await panel.getByText('No snapshot: the server was silent').waitFor();
    await panel.getByText(/^No reports \d\d:\d\d–\d\d:\d\d \(.+\)\.$/).waitFor();
    await panel.getByText('No events or alerts within 15 minutes.').waitFor();
    await page.goto(address(20 * 24 * HOUR));
    await settled(page);
    await panel.getByText('Older than the retention time').waitFor();
    await panel.getByText('Lists of processes are kept for 14 days.').waitFor();
    expect(await panel.getByRole('table').count()).toBe(0);
    await context.close();
  });

  it('keeps the place of what loads, tells a failure, and tries again', async () => {
    const { page, context } = await openPage(browser, product);
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/api/data/processes/at?*', async (route) => {
      asked.resolve();
      await held.promise;
      await route.abort();
    });
    await page.goto(address(3 * HOUR));
    await asked.promise;
    await panelOf(page).locator('.MuiSkeleton-root').first().waitFor();
    held.resolve();
    await panelOf(page).getByText('Cannot reach the server').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await panelOf(page).getByRole('button', { name: 'Retry' }).click();
    await panelOf(page).getByRole('rowheader', { name: 'rustc' }).waitFor();
    await expect.poll(() => panelOf(page).getByRole('alert').count()).toBe(0);
    await context.close();
  });

  it('lies over a narrow screen, opened by a tap', async () => {
    const { page, context } = await openPage(browser, product, { width: 390, theme: 'dark' });
    await page.goto(`${paths.server(server.id)}?hours=12&chart=cpu`);
    await settled(page);
    await chart(page, 'CPU').getByRole('slider').click();
    const dialog = page.getByRole('dialog', { name: 'Processes at that time' });
    await dialog.getByRole('table').waitFor();
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(390);
    await dialog.getByRole('button', { name: 'Close what ran then' }).click();
    await dialog.waitFor({ state: 'detached' });
    await context.close();
  });

  it.each(VIEWS)('has no grave fault at $width px, $theme', async (view) => {
    const { page, context, complaints } = await openPage(browser, product, view);
    await page.goto(address(3 * HOUR));
    await settled(page);
    await page.getByRole('heading', { name: /^Processes at/ }).waitFor();
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => [id, nodes.map((node) => node.target.join(' '))])).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await context.close();
  });
});
