import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { enrol, enrolmentToken } from './fleet.ts';
import { openPage, settled } from './open-page.ts';
import { startProduct } from './product.ts';
import type { Product } from './product.ts';
import { manyServers } from './sample-fleet.ts';

const DIST = join(import.meta.dirname, '../../dist');
const KB = 1000;
const SERVERS = 500;
const ROUNDS = 5;

interface Row {
  what: string;
  value: number;
  unit: string;
  /** Null: measured for comparison only. */
  budget: number | null;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const gzipBytes = (asset: string) => {
  const file = join(DIST, asset);
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
};

/** Scripts the first page load needs whatever the route: what index.html names. */
function entryBytes(): number {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8');
  const assets = [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].flatMap((match) => match[1] ?? []);
  return assets.reduce((sum, asset) => sum + gzipBytes(asset), 0);
}

const DRAWING = /^\/assets\/drawing-[^/]+\.js$/;

/** What draws charts, fetched beside a page that is there without it. */
function drawingBytes(): number {
  const asset = readdirSync(join(DIST, 'assets')).find((name) => DRAWING.test(`/assets/${name}`));
  return asset === undefined ? Number.NaN : gzipBytes(`assets/${asset}`);
}

/** Scripts a route loads beyond the entry and the drawing of charts, gzipped; the browser says which. */
async function routeBytes(page: Page, path: string, entry: number): Promise<number> {
  await page.goto(path);
  await settled(page);
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname),
  );
  const scripts = new Set(names.filter((name) => name.endsWith('.js') && !DRAWING.test(name)));
  return [...scripts].reduce((sum, name) => sum + gzipBytes(name.slice(1)), 0) - entry;
}

/** First contentful paint, and when the dashboard shows its figures, milliseconds from the navigation. */
async function loadTimes(browser: Browser, product: Product): Promise<{ paint: number; interactive: number }> {
  const paints: number[] = [];
  const interactives: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { page, context } = await openPage(browser, product);
    await page.goto('/');
    await settled(page);
    interactives.push(await page.evaluate(() => performance.now()));
    paints.push(
      await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN),
    );
    await context.close();
  }
  return { paint: median(paints), interactive: median(interactives) };
}

/** Milliseconds from an input to the frame that shows its effect, as the browser's event timing counts. */
async function interactionMs(page: Page, act: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.evaluate(() => {
      const seen = { longest: 0 };
      Object.assign(globalThis, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest, entry.duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    await act();
    // Two frames later the effect is on the screen and its entry is written.
    await page.evaluate(
      () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
    );
    times.push(await page.evaluate(() => (globalThis as unknown as { seen: { longest: number } }).seen.longest));
  }
  return median(times);
}

async function interactions(page: Page): Promise<Row[]> {
  const measure = async (what: string, act: () => Promise<void>): Promise<Row> => ({
    what: `${what}, ${String(SERVERS)} servers`,
    value: await interactionMs(page, act),
    unit: 'ms',
    budget: 100,
  });
  await page.goto('/servers?view=table');
  await settled(page);
  const filter = page.getByRole('searchbox', { name: 'Filter by name, tag, OS' });
  return [
    await measure('sort the table', () => page.getByRole('columnheader').getByRole('button', { name: 'CPU' }).click()),
    await measure('filter the table by a letter', async () => {
      await filter.focus();
      await page.keyboard.type('7');
      await page.keyboard.press('Backspace');
    }),
    await measure('switch the theme', () => page.getByRole('button', { name: /^Theme:/ }).click()),
    await measure('open the palette and type', async () => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type('node-04');
      await page.keyboard.press('Escape');
    }),
  ];
}

function print(rows: readonly Row[]): void {
  console.log(`${'what'.padEnd(44)}${'measured'.padStart(12)}${'budget'.padStart(12)}${'× budget'.padStart(10)}`);
  for (const { what, value, unit, budget } of rows) {
    const ratio = budget === null ? '' : (value / budget).toFixed(2);
    const cells = [
      `${value.toFixed(1)} ${unit}`.padStart(12),
      (budget === null ? '' : `${budget} ${unit}`).padStart(12),
    ];
    console.log(what.padEnd(44) + cells.join('') + ratio.padStart(10));
  }
}

/** Sizes, load times and interactions of the built dashboard beside their budgets. `--json` prints the rows. */
export async function main(argv: readonly string[]): Promise<void> {
  const entry = entryBytes();
  const rows: Row[] = [
    { what: 'entry scripts, gzip', value: entry / KB, unit: 'kB', budget: 170 },
    { what: 'drawing of charts, gzip', value: drawingBytes() / KB, unit: 'kB', budget: 130 },
  ];
  const product = await startProduct();
  const browser = await launchChromium();
  try {
    const token = await enrolmentToken(product.origin, product.token);
    for (const server of manyServers(SERVERS)) await enrol(product.origin, token, server);
    const { page } = await openPage(browser, product);
    for (const path of ['/', '/servers', '/alerts', '/network', '/processes', '/setup'])
      rows.push({
        what: `scripts of ${path} beyond both, gzip`,
        value: (await routeBytes(page, path, entry)) / KB,
        unit: 'kB',
        budget: 130,
      });
    const { paint, interactive } = await loadTimes(browser, product);
    rows.push({ what: 'first contentful paint', value: paint, unit: 'ms', budget: 600 });
    rows.push({
      what: `dashboard with figures, ${String(SERVERS)} servers`,
      value: interactive,
      unit: 'ms',
      budget: 1200,
    });
    rows.push(...(await interactions(page)));
  } finally {
    await browser.close();
    await product.stop();
  }
  if (argv.includes('--json')) console.log(JSON.stringify(rows));
  else print(rows);
}
