import type { Browser } from 'playwright-core';
import { interactions } from './bench-interactions.ts';
import { builtSizes, routeSizes } from './bench-sizes.ts';
import { tableOf } from './bench-table.ts';
import type { Row } from './bench-table.ts';
import { launchChromium } from './chromium.ts';
import { loaded, openPage } from './open-page.ts';
import type { View } from './open-page.ts';
import { startProduct } from './product.ts';
import type { Product } from './product.ts';

const SERVERS = 500;
const LOADS = 7;
const VIEW: View = { width: 1440, theme: 'dark', measured: true };

const say = (line: string) => console.error(line);

/** First contentful paint, and when the dashboard shows its figures: milliseconds from the navigation, nothing cached. */
async function loadTimes(browser: Browser, product: Product): Promise<Row[]> {
  const paints: number[] = [];
  const figures: number[] = [];
  for (let round = 0; round < LOADS; round += 1) {
    const { page, context } = await openPage(browser, product, VIEW);
    await page.goto('/', { waitUntil: 'commit' });
    await loaded(page);
    figures.push(await page.evaluate(() => performance.now()));
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
    );
    await context.close();
  }
  return [
    { what: 'first contentful paint', values: paints, unit: 'ms', budget: 600 },
    { what: `dashboard with its figures, ${String(SERVERS)} servers`, values: figures, unit: 'ms', budget: 1200 },
  ];
}

type Fill = (dataDir: string, servers: number, say: (line: string) => void) => Promise<void>;

async function measure(fill: Fill): Promise<Row[]> {
  say('starting the product …');
  const product = await startProduct();
  const browser = await launchChromium();
  try {
    say(`giving it ${String(SERVERS)} servers with a day each, and their pods …`);
    await fill(product.dataDir, SERVERS, say);
    const { page, complaints } = await openPage(browser, product, VIEW);
    say('sizes of the routes …');
    const sizes = await routeSizes(page);
    say('loading …');
    const loads = await loadTimes(browser, product);
    say('interactions …');
    const acts = await interactions(page, SERVERS, say);
    if (complaints.length > 0) throw new Error(`the browser complained: ${complaints.join('; ')}`);
    return [...builtSizes(), ...sizes, ...loads, ...acts];
  } finally {
    await browser.close();
    await product.stop();
  }
}

/**
 * Sizes, load times and interactions of the built dashboard beside their budgets. `--json` prints the rows.
 * `fill` gives the account of the product in a folder that many servers.
 */
export async function main(argv: readonly string[], fill: Fill): Promise<void> {
  const rows = await measure(fill);
  console.log(argv.includes('--json') ? JSON.stringify(rows) : tableOf(rows));
}
