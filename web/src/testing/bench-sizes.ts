import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Row } from './bench-table.ts';
import { loaded } from './open-page.ts';

const DIST = join(import.meta.dirname, '../../dist');
const KB = 1000;
const BUDGET_KB = { entry: 170, chunk: 130 } as const;
/** Scripts that draw charts, fetched beside a page that is usable without them. */
const DRAWING = /^\/assets\/drawing-[^/]+\.js$/;
export const ROUTES = [
  '/',
  '/servers',
  '/alerts',
  '/network',
  '/processes',
  '/kubernetes',
  '/setup',
  '/profile',
] as const;

const gzipBytes = (asset: string) => {
  const file = join(DIST, asset);
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
};
const scripts = () => readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'));

/** Scripts the first page load needs whatever the route: what index.html names. */
function entryAssets(): string[] {
  const html = readFileSync(join(DIST, 'index.html'), 'utf8');
  return [...html.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].flatMap((match) => match[1] ?? []);
}
const entryBytes = () => entryAssets().reduce((sum, asset) => sum + gzipBytes(asset), 0);

function largestChunk(): { name: string; bytes: number } {
  const entry = new Set(entryAssets());
  const chunks = scripts()
    .map((name) => `assets/${name}`)
    .filter((asset) => !entry.has(asset))
    .map((asset) => ({ name: asset.replace(/^assets\/|-[^-]+\.js$/g, ''), bytes: gzipBytes(asset) }));
  return chunks.toSorted((a, b) => b.bytes - a.bytes)[0] ?? { name: 'none', bytes: Number.NaN };
}

/** Sizes of what was built; they need no browser. */
export function builtSizes(): Row[] {
  const largest = largestChunk();
  return [
    { what: 'entry scripts, gzip', values: [entryBytes() / KB], unit: 'kB', budget: BUDGET_KB.entry },
    {
      what: `largest chunk (${largest.name}), gzip`,
      values: [largest.bytes / KB],
      unit: 'kB',
      budget: BUDGET_KB.chunk,
    },
  ];
}

/** Scripts a route loads beyond the entry and the drawing of charts; the browser says which. */
async function routeBytes(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await loaded(page);
  const names = await page.evaluate(() =>
    performance.getEntriesByType('resource').map((each) => new URL(each.name).pathname),
  );
  const scripts = new Set(names.filter((name) => name.endsWith('.js') && !DRAWING.test(name)));
  return [...scripts].reduce((sum, name) => sum + gzipBytes(name.slice(1)), 0) - entryBytes();
}

export async function routeSizes(page: Page): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of ROUTES) {
    const bytes = await routeBytes(page, path);
    rows.push({
      what: `scripts of ${path} beyond entry and charts, gzip`,
      values: [bytes / KB],
      unit: 'kB',
      budget: BUDGET_KB.chunk,
    });
  }
  return rows;
}
