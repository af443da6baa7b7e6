import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STREAM_RETRY } from './api/polling.ts';
import { paths } from './paths.ts';
import { accessibilityFaults } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import type { EnrolledServer } from './testing/fleet.ts';
import { openPage, settled } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';
import { SAMPLE_FLEET } from './testing/sample-fleet.ts';

const bandOf = (page: Page) => page.getByRole('region', { name: 'Connection' });
const liveOf = (page: Page) => page.getByText('Live', { exact: true });

/** The band must come by the broken stream, long before the 90 s after which silence alone brings it. */
const AT_ONCE = { timeout: 20_000 };

describe('the connection between the page and the API', () => {
  let product: Product;
  let browser: Browser;
  let server: EnrolledServer;
  beforeAll(async () => {
    product = await startProduct();
    const token = await enrolmentToken(product.origin, product.token);
    server = await enrol(product.origin, token, SAMPLE_FLEET[0]!);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('shows one band when the API dies, without a click, and is live again by itself', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.dashboard);
    await settled(page);
    await liveOf(page).waitFor();
    const figures = page.getByRole('group', { name: 'Fleet' });
    const before = await figures.innerText();
    await product.kill();
    await bandOf(page).waitFor(AT_ONCE);
    expect(await liveOf(page).count()).toBe(0);
    // Old figures stay, and so does the session.
    expect(await figures.innerText()).toBe(before);
    expect(await page.evaluate(() => localStorage.getItem('plimsoll.token'))).toBe(product.token);
    expect(await page.locator('main[data-dimmed]').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await accessibilityFaults(page, 'all')).toEqual([]);
    await product.start();
    await bandOf(page).waitFor({ state: 'detached' });
    await liveOf(page).waitFor();
    expect(await page.locator('main[data-dimmed]').count()).toBe(0);
    await context.close();
  });

  it('shows the band at once when the browser goes offline, and is live again when it is back', async () => {
    const { page, context } = await openPage(browser, product);
    await page.goto(paths.servers);
    await settled(page);
    await context.setOffline(true);
    await bandOf(page).getByText('This browser has no network.').waitFor(AT_ONCE);
    await context.setOffline(false);
    await bandOf(page).waitFor({ state: 'detached' });
    await liveOf(page).waitFor();
    expect(await page.locator('main[data-dimmed]').count()).toBe(0);
    await context.close();
  });

  it('keeps its shell when no call succeeds at load, and fills it when the API is back', async () => {
    const { page, context } = await openPage(browser, product);
    await page.route('**/api/**', (route) => route.abort());
    await page.goto(paths.servers);
    await bandOf(page).waitFor(AT_ONCE);
    await page.getByRole('link', { name: 'Dashboard' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
    await bandOf(page).waitFor({ state: 'detached' });
    expect(await page.locator('main[data-dimmed]').count()).toBe(0);
    await context.close();
  });

  it('fetches anew when the server says that something changed', async () => {
    const { page, context } = await openPage(browser, product);
    const listening = page.waitForResponse('**/api/events');
    await page.goto(paths.server(server.id));
    await listening;
    await settled(page);
    const metrics = page.getByRole('group', { name: 'Metrics' });
    await server.report({ cpu: 77.7, memory: 51, disk: 86 });
    await metrics.getByText('77.7').first().waitFor({ timeout: 20_000 });
    await expect.poll(() => metrics.getByRole('meter', { name: /^CPU 78 %/ }).count()).toBe(1);
    await context.close();
  });

  it('asks again for the stream it was refused while a proxy had no API to ask', async () => {
    const { page, context } = await openPage(browser, product);
    await page.clock.install();
    const refused = page.waitForResponse('**/api/events');
    await page.route('**/api/events', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }), { times: 1 });
    await page.goto(paths.server(server.id));
    expect((await refused).status()).toBe(502);
    await settled(page);
    const listening = page.waitForResponse('**/api/events');
    await page.clock.runFor(STREAM_RETRY.most);
    expect((await listening).status()).toBe(200);
    const metrics = page.getByRole('group', { name: 'Metrics' });
    await server.report({ cpu: 66.6, memory: 51, disk: 86 });
    // Before the poll, which comes half a minute after the page.
    await metrics.getByText('66.6').first().waitFor({ timeout: 10_000 });
    await context.close();
  });
});
