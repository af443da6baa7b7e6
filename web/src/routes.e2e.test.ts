import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from './paths.ts';
import { launchChromium } from './testing/chromium.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import { openPage, settled } from './testing/open-page.ts';
import type { View } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';
import { SAMPLE_FLEET } from './testing/sample-fleet.ts';

const VIEWS: View[] = [
  { width: 1440, theme: 'dark' },
  { width: 1440, theme: 'light' },
  { width: 768, theme: 'dark' },
  { width: 768, theme: 'light' },
  { width: 390, theme: 'dark' },
  { width: 390, theme: 'light' },
];
const PUBLIC = [paths.landing, paths.login, paths.terms, paths.privacy];
const PROTECTED = [
  paths.dashboard,
  paths.servers,
  `${paths.servers}?view=table`,
  paths.alerts,
  paths.activity,
  paths.network,
  paths.processes,
  paths.setup,
  paths.profile,
  paths.aiChat,
];

describe('every route, in both themes, at 1440, 768 and 390 px', () => {
  let product: Product;
  let browser: Browser;
  let serverPath = '';
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    const token = await enrolmentToken(product.origin, product.token);
    const enrolled = await Promise.all(SAMPLE_FLEET.slice(0, 6).map((server) => enrol(product.origin, token, server)));
    serverPath = paths.server(enrolled[0]?.id ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  /** What is wrong with a page: axe's serious and critical findings, complaints of the browser, sideways scrolling. */
  async function faultsOf(path: string, view: View, signedOut: boolean): Promise<string[]> {
    const { page, context, complaints } = await openPage(browser, product, view, signedOut);
    await page.goto(path);
    await settled(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await context.close();
    return [
      ...grave.map(({ id, nodes }) => `${path}: ${id} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
      ...complaints.map((text) => `${path}: ${text}`),
      ...(sideways > 0 ? [`${path}: scrolls ${String(sideways)} px sideways`] : []),
    ];
  }

  it.each(VIEWS)('has no grave fault at $width px, $theme', async (view) => {
    const faults: string[] = [];
    for (const path of PUBLIC) faults.push(...(await faultsOf(path, view, true)));
    for (const path of [...PROTECTED, serverPath]) faults.push(...(await faultsOf(path, view, false)));
    expect(faults).toEqual([]);
  });

  it('sends who is not signed in to the login page, and an unknown address to the landing page', async () => {
    const { page, context } = await openPage(browser, product, VIEWS[0], true);
    await page.goto(paths.servers);
    await page.waitForURL(`**${paths.login}`);
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await page.goto('/no/such/page');
    await page.waitForURL(`**${paths.landing}`);
    await context.close();
  });
});
