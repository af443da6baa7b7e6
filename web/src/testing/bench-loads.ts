import type { Browser, Page } from 'playwright-core';
import type { Row } from './bench-table.ts';
import { openPage, type View } from './open-page.ts';
import type { Product } from './product.ts';

const LOADS = 7;
const VIEW: View = { width: 1440, theme: 'dark', measured: true };
/** Milliseconds on an idle machine. */
const REACH_MS = { cold: 1200, again: 600 } as const;
const MOST = { requests: 20, kB: 260, generations: 2 } as const;
const KB = 1000;
const SHOWN_TIMEOUT_MS = 60_000;

/** A spinner or the box of a figure to come. */
const BUSY = '[role="progressbar"], [role="status"][aria-label="Loading"], .MuiSkeleton-root';

/** Milliseconds from the navigation. */
interface Shown {
  heading: number;
  figures: number;
}
type Noting = typeof globalThis & { shown: Partial<Shown> };

/** Runs in the page before its own scripts, and notes the frame in which the heading and then every figure is there. */
function noteShown(busy: string): void {
  const shown: Partial<Shown> = {};
  (globalThis as Noting).shown = shown;
  const look = () => {
    const hasHeading = document.querySelector('h1') !== null;
    if (hasHeading) shown.heading ??= performance.now();
    if (hasHeading && document.querySelector(busy) === null) shown.figures = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** A request of the page that began before its figures were there. */
interface Asked {
  begin: number;
  end: number;
  bytes: number;
}

/** Costs of one load of a page until its figures were there. */
export interface Load extends Shown {
  requests: number;
  bytes: number;
  generations: number;
}

/**
 * Returns the length of the longest chain in which each request began after the end of the one before: the number of
 * round trips to the server. The document is the first.
 */
export function generationsOf(asked: readonly Asked[]): number {
  const chains: { end: number; length: number }[] = [];
  for (const { begin, end } of asked.toSorted((a, b) => a.begin - b.begin)) {
    const before = chains.filter((chain) => chain.end <= begin).map(({ length }) => length);
    chains.push({ end, length: Math.max(0, ...before) + 1 });
  }
  return Math.max(0, ...chains.map(({ length }) => length));
}

/** Loads an address and reads what it took; what the page requests after its figures is not counted. */
export async function loadOnce(page: Page, path: string): Promise<Load> {
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => (globalThis as Partial<Noting>).shown?.figures !== undefined, undefined, {
    timeout: SHOWN_TIMEOUT_MS,
  });
  const { shown, asked } = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    return {
      shown: (globalThis as Noting).shown as Shown,
      asked: (entries as PerformanceResourceTiming[]).map(({ startTime, responseEnd, transferSize }) => ({
        begin: startTime,
        end: responseEnd,
        bytes: transferSize,
      })),
    };
  });
  const before = asked.filter(({ begin }) => begin < shown.figures);
  return {
    ...shown,
    requests: before.length,
    bytes: before.reduce((sum, { bytes }) => sum + bytes, 0),
    generations: generationsOf(before),
  };
}

/** Loads an address in a new profile, and again with what that profile kept. */
export async function coldAndAgain(browser: Browser, product: Product, path: string): Promise<[Load, Load]> {
  const { page, context } = await openPage(browser, product, VIEW);
  await page.addInitScript(noteShown, BUSY);
  const cold = await loadOnce(page, path);
  const again = await loadOnce(page, path);
  await context.close();
  return [cold, again];
}

/** Times of each page until its heading and its figures, and what it requested until then. */
export async function loadRows(
  browser: Browser,
  product: Product,
  paths: readonly string[],
  what: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of paths) {
    const loads: [Load, Load][] = [];
    for (let round = 0; round < LOADS; round += 1) loads.push(await coldAndAgain(browser, product, path));
    const values = (of: (load: Load) => number, index: 0 | 1 = 0) => loads.map((load) => of(load[index]));
    const row = (part: string, unit: Row['unit'], budget: number | null, numbers: number[]): Row => ({
      what: `${path}, ${what}: ${part}`,
      values: numbers,
      unit,
      budget,
    });
    rows.push(
      row(
        'heading',
        'ms',
        null,
        values(({ heading }) => heading),
      ),
      row(
        'figures',
        'ms',
        REACH_MS.cold,
        values(({ figures }) => figures),
      ),
      row(
        'figures, loaded again',
        'ms',
        REACH_MS.again,
        values(({ figures }) => figures, 1),
      ),
      row(
        'transferred until then',
        'kB',
        MOST.kB,
        values(({ bytes }) => bytes / KB),
      ),
      row(
        'requests',
        '',
        MOST.requests,
        values(({ requests }) => requests),
      ),
      row(
        'generations',
        '',
        MOST.generations,
        values(({ generations }) => generations),
      ),
    );
  }
  return rows;
}
