import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paths } from './paths.ts';
import { accessibilityFaults, sidewaysScroll } from './testing/axe.ts';
import { launchChromium } from './testing/chromium.ts';
import { reportCluster } from './testing/cluster.ts';
import { enrol, enrolmentToken } from './testing/fleet.ts';
import { openPage, settled } from './testing/open-page.ts';
import type { View } from './testing/open-page.ts';
import { startProduct } from './testing/product.ts';
import type { Product } from './testing/product.ts';
import { SAMPLE_CLUSTER } from './testing/sample-cluster.ts';
import { SAMPLE_FLEET } from './testing/sample-fleet.ts';

/** every-page.browser.test.tsx runs axe on every page at 1440 and 390 px; this is the width between, on the real product. */
const TABLET: View = { width: 768, theme: 'light' };
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
  paths.health,
  paths.aiChat,
  paths.kubernetes,
  paths.kubernetesNodes,
  `${paths.kubernetesNodes}?view=table`,
  `${paths.kubernetesPods}?view=owner`,
  `${paths.kubernetesPods}?pod=${encodeURIComponent(`${SAMPLE_CLUSTER.uid}/shop/catalog-search-5d7c9b-9qk4t`)}`,
];

describe('every route of the product', () => {
  let product: Product;
  let browser: Browser;
  let protectedPaths: string[] = [];
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    const token = await enrolmentToken(product.origin, product.token);
    const enrolled = await Promise.all(SAMPLE_FLEET.slice(0, 6).map((server) => enrol(product.origin, token, server)));
    await reportCluster(product.origin, product.token, SAMPLE_CLUSTER);
    const { nodes } = await product.get<{ nodes: { server_id: string }[] }>('/api/kubernetes/nodes');
    const server = paths.server(enrolled[0]?.id ?? '');
    protectedPaths = [...PROTECTED, server, paths.kubernetesNode(nodes[0]?.server_id ?? '')];
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  /** Opens pages one after the other; adds axe's serious and critical findings, the browser's complaints, sideways scrolling. */
  async function findFaults(found: string[], view: View, all: readonly string[], signedOut = false): Promise<void> {
    const { page, context, complaints } = await openPage(browser, product, view, signedOut);
    for (const path of all) {
      await page.goto(path);
      await settled(page);
      const faults = (await accessibilityFaults(page)).map(({ id, at }) => `${id} at ${at}`);
      const sideways = await sidewaysScroll(page);
      if (sideways > 0) faults.push(`scrolls ${String(sideways)} px sideways`);
      found.push(...[...faults, ...complaints.splice(0)].map((fault) => `${path}: ${fault}`));
    }
    await context.close();
  }

  it('has no grave fault and no complaint of the browser on a tablet', async () => {
    const found: string[] = [];
    await findFaults(found, TABLET, PUBLIC, true);
    await findFaults(found, TABLET, protectedPaths);
    expect(found).toEqual([]);
  });

  it('sends who is not signed in to the login page, and an unknown address to the landing page', async () => {
    const { page, context } = await openPage(browser, product, TABLET, true);
    await page.goto(paths.servers);
    await page.waitForURL(`**${paths.login}`);
    await settled(page);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
    await page.goto('/no/such/page');
    await page.waitForURL(`**${paths.landing}`);
    await context.close();
  });

  it('paints the chosen theme first', async () => {
    const { page, context } = await openPage(browser, product, { width: 1440, theme: 'light' });
    // The first paint already has the scheme: nothing of React has run when the document's head is done.
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
    await page.goto(paths.servers);
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-light'))).toBe(true);
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
    await context.close();
  });

  it('draws the page although an unknown theme is stored', async () => {
    const { page, context } = await openPage(browser, product, { width: 1440, theme: 'dark' });
    await page.goto(paths.landing);
    await context.addInitScript(() => {
      if (localStorage.getItem('spoiled') === null) localStorage.setItem('plimsoll.theme', '"light"');
      localStorage.setItem('spoiled', 'once');
    });
    await page.goto(paths.servers);
    await settled(page);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Servers');
    await context.close();
  });

  it('name what draws charts in the documents of pages with charts, and in no other', async () => {
    const named = async (path: string): Promise<boolean> => {
      const document = await (await fetch(`${product.origin}${path}`)).text();
      return /modulepreload[^>]*\/drawing-/.test(document);
    };
    for (const path of [paths.network, paths.processes, paths.server('any')])
      expect([path, await named(path)]).toEqual([path, true]);
    for (const path of [paths.dashboard, paths.servers, paths.alerts, paths.profile, paths.setup, paths.alertSilences])
      expect([path, await named(path)]).toEqual([path, false]);
  });
});
