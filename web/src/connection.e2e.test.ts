import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from './paths.ts';
import { accessibilityFaults } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
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
  beforeAll(async () => {
    product = await startProduct();
    const token = await enrolmentToken(product.origin, product.token);
    await enrol(product.origin, token, SAMPLE_FLEET[0]!);
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
    await product.kill();
    await bandOf(page).waitFor(AT_ONCE);
    expect(await liveOf(page).count()).toBe(0);
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
});
