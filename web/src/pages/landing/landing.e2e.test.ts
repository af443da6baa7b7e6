import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { launchChromium } from '../../testing/chromium.ts';
import { openPage, settled } from '../../testing/open-page.ts';
import { startProduct } from '../../testing/product.ts';
import type { Product } from '../../testing/product.ts';

const VIEWS = [
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'dark' },
] as const;

/** Where the section after the plans begins, px from the top of the page. */
const belowPlans = (page: Page) =>
  page.getByRole('heading', { name: 'Questions' }).evaluate((each) => each.getBoundingClientRect().top + scrollY);

describe('the plans of the landing page', () => {
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

  it.each(VIEWS)('keep their place at $width px while they load and when they fail', async (view) => {
    const { page, context, complaints } = await openPage(browser, product, view, true);
    const pricing = page.getByRole('region', { name: 'Pricing' });
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route('**/api/plans', async (route) => {
      await promise;
      await route.fulfill({ status: 503, json: { success: false, detail: 'Back in a minute', code: 'internal' } });
    });
    await page.goto(paths.landing);
    await pricing.getByRole('status', { name: 'Loading' }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    const loading = await belowPlans(page);
    expect(await pricing.innerText()).not.toMatch(/[$\d]/);

    resolve();
    const alert = pricing.getByRole('alert');
    await alert.getByText('Could not load the plans').waitFor();
    await alert.getByText('Back in a minute').waitFor();
    expect(await pricing.innerText()).not.toMatch(/[$\d]/);
    const failed = await belowPlans(page);
    const [message, frame] = await Promise.all([alert.boundingBox(), pricing.locator('ul').first().boundingBox()]);
    expect(message).toEqual(frame);

    await page.unrouteAll();
    await alert.getByRole('button', { name: 'Retry' }).click();
    await pricing.getByRole('heading', { name: 'Business' }).waitFor();
    await settled(page);
    await alert.waitFor({ state: 'detached' });
    expect([loading, failed]).toEqual([await belowPlans(page), await belowPlans(page)]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('say so where their limits are enforced', async () => {
    const { page, context } = await openPage(browser, product, VIEWS[0], true);
    const plans = await product.get<object>('/api/plans');
    await page.route('**/api/plans', (route) =>
      route.fulfill({ json: { success: true, data: { ...plans, enforced: true } } }),
    );
    await page.goto(paths.landing);
    await page.getByText('This installation limits accounts to').waitFor();
    expect(await page.getByRole('region', { name: 'Pricing' }).innerText()).not.toContain('no limits');
    await context.close();
  });
});
