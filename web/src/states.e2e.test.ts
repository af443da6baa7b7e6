import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from './paths.ts';
import { launchChromium } from './testing/chromium.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import { cardsByScrolling, openPage, settled } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';
import { manyServers, SAMPLE_FLEET } from './testing/sample-fleet.ts';

/** Text of each screen when the API has no data for it. */
const EMPTY = [
  { path: paths.dashboard, text: 'No servers connected yet' },
  { path: paths.servers, text: 'No servers connected yet' },
  { path: paths.alerts, text: 'No alerts in this time range' },
  { path: paths.activity, text: 'No activity in this time range' },
  { path: paths.network, text: 'No bandwidth data available' },
  { path: paths.network, text: 'No connection data available' },
  { path: paths.processes, text: 'No process data available' },
  { path: paths.processes, text: 'Data will appear when your servers start sending metrics.' },
  { path: paths.server('00000000-0000-4000-8000-000000000000'), text: 'Server not found' },
];
const SCREENS = [paths.dashboard, paths.servers, paths.alerts, paths.activity, paths.network, paths.processes];

/** Time until a text appears on a busy machine. */
const SAYS = { timeout: 15_000 };
const isShown = (words: Locator): Promise<boolean> =>
  words
    .first()
    .waitFor(SAYS)
    .then(
      () => true,
      () => false,
    );

/** Lets the shell of the page load, then holds back every answer of the API until released. */
async function holdAnswers(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/api\/(?!auth\/)/, async (route) => {
    await promise;
    await route.continue().catch(() => null);
  });
  return resolve;
}

describe('the states of every screen, driven by the real API', () => {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('says what to do when there is nothing', async () => {
    const { page, context } = await openPage(browser, product);
    const missing: string[] = [];
    for (const { path, text } of EMPTY) {
      await page.goto(path);
      await settled(page);
      if (!(await isShown(page.getByText(text, { exact: true })))) missing.push(`${path}: ${text}`);
    }
    expect(missing).toEqual([]);
    await page.goto(paths.dashboard);
    await page.getByRole('link', { name: 'Install Agent' }).click();
    await page.waitForURL(`**${paths.setup}`);
    await page.getByRole('heading', { name: 'Setup', level: 1 }).waitFor();
    await context.close();
  });

  it('counts the whole fleet, whatever it lists, and ranks the most loaded first', async () => {
    const token = await enrolmentToken(product.origin, product.token);
    const fleet = [...SAMPLE_FLEET.slice(0, 1), ...manyServers(100)];
    for (const server of fleet) await enrol(product.origin, token, server);
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.dashboard);
    await settled(page);
    await page.getByText('101', { exact: true }).first().waitFor();
    expect(await cardsByScrolling(page)).toHaveLength(100);
    await page.getByRole('link', { name: '1 more server on the Servers page' }).click();
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
    await settled(page);
    await expect.poll(() => page.locator('article').count()).toBeLessThan(60);
    const walked = await cardsByScrolling(page);
    expect(walked).toHaveLength(101);
    // The walk ended at the last card, of the second hundred: its small chart is there, too.
    await page.locator('article').last().locator('.spark').waitFor();
    const ranks = await product.get<{ servers: { hostname: string }[] }>('/api/servers/list?limit=200');
    expect(walked[0]).toBe(ranks.servers[0]?.hostname);
    await page.goto(`${paths.servers}?view=table`);
    await settled(page);
    const { fleet: ranked } = await product.get<{ fleet: { hostname: string }[] }>('/api/servers/list?limit=1');
    const first = () => page.getByRole('rowheader').first().innerText();
    await expect.poll(async () => (await first()).replaceAll(/\s/g, '')).toBe(ranked[0]?.hostname);
    await context.close();
  });

  it('keeps the place of what loads, then fills it', async () => {
    const { page, context } = await openPage(browser, product);
    const waiting: string[] = [];
    for (const path of SCREENS) {
      const release = await holdAnswers(page);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (!(await isShown(page.locator('.MuiSkeleton-root, [role="progressbar"]')))) waiting.push(path);
      release();
      await settled(page);
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    }
    expect(waiting).toEqual([]);
    await context.close();
  });

  it('keeps old figures and shows one band when the API stops, and recovers when it is back', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.dashboard);
    await settled(page);
    await product.halt();
    const band = page.getByRole('region', { name: 'Connection' });
    await band.waitFor();
    expect(await page.getByText('101', { exact: true }).count()).toBeGreaterThan(0);
    expect(await page.evaluate(() => localStorage.getItem('plimsoll.token'))).toBe(product.token);
    await product.start();
    await band.waitFor({ state: 'detached' });
    await context.close();
  });

  it('does not sign out when the profile cannot be loaded', async () => {
    const { page, context } = await openPage(browser, product);
    await page.route('**/api/auth/profile', (route) => route.abort());
    await page.goto(paths.servers);
    await page.getByText('Failed to load profile').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(paths.servers);
    await context.close();
  });
});
