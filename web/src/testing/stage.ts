import { join } from 'node:path';
import { Client } from 'pg';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchChromium } from './chromium.ts';
import { openPage, settled } from './open-page.ts';
import type { OpenPage, View } from './open-page.ts';
import { startProduct } from './product.ts';
import type { Product } from './product.ts';

/** The product and a browser for the tests of one file; there is neither before its first test. */
export interface Stage {
  readonly product: Product;
  readonly browser: Browser;
  /** Opens a page of the product signed in, waits until it has loaded, looks, and fails for what the browser complains of. */
  visit: (path: string, look: (page: Page, opened: OpenPage) => Promise<void>, view?: View) => Promise<void>;
  /** Asks the product's own database. */
  sql: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
  /** Calls the API as the account; the answer with whatever status it has. */
  call: (method: string, path: string, body?: unknown) => Promise<Response>;
}

/** `prepare` tells the product what there is before the tests look at it. */
export function onStage(prepare: (stage: Stage) => Promise<void>): Stage {
  let started: { product: Product; browser: Browser } | null = null;
  const now = () => {
    if (started === null) throw new Error('the product is not up before the tests begin');
    return started;
  };
  const stage: Stage = {
    get product() {
      return now().product;
    },
    get browser() {
      return now().browser;
    },
    async visit(path, look, view) {
      const opened = await openPage(now().browser, now().product, view);
      await opened.page.goto(path);
      await settled(opened.page);
      await look(opened.page, opened);
      await opened.context.close();
      if (opened.complaints.length > 0) throw new Error(opened.complaints.join('\n'));
    },
    async sql<Row extends object>(text: string, values: readonly unknown[] = []) {
      const host = join(now().product.dataDir, 'postgres-socket');
      const client = new Client({ host, user: 'plimsoll', database: 'plimsoll' });
      await client.connect();
      try {
        return (await client.query<Row>(text, [...values])).rows;
      } finally {
        await client.end();
      }
    },
    call: (method, path, body) =>
      fetch(now().product.origin + path, {
        method,
        headers: { authorization: `Bearer ${now().product.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
  beforeAll(async () => {
    const product = await startProduct();
    started = { product, browser: await launchChromium() };
    await prepare(stage);
  });
  afterAll(async () => {
    await started?.browser.close();
    await started?.product.stop();
  });
  return stage;
}

/** Makes a server's last report so many minutes old: what the API takes for the age of a report is when it came. */
export async function silence(stage: Stage, serverId: string, minutes: number): Promise<void> {
  await stage.sql(
    `UPDATE report_stream SET last_received_at = last_received_at - make_interval(mins => $2)
       FROM server WHERE server.key = report_stream.server_key AND server.id = $1`,
    [serverId, minutes],
  );
}

/** Sets the page's clock to a moment and keeps it there, so that ages stay the same while a test runs. */
export const lookAt = (page: Page, seconds: number): Promise<void> => page.clock.setFixedTime(seconds * 1000);

/** Chooses from one of the lists of a toolbar: "Status: All" becomes "Status: Offline". */
export async function choose(page: Page, list: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${list}: `) }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
  await page.getByRole('combobox', { name: `${list}: ${option}`, exact: true }).waitFor();
}

/** Waits until a dialog has the keyboard: a key pressed as soon as it is seen may go to the page behind it. */
export const hasKeyboard = (dialog: Locator): Promise<void> =>
  expect
    .poll(() =>
      dialog.evaluate((element) => {
        const focused = document.activeElement;
        return focused !== document.body && (element.contains(focused) || focused?.contains(element) === true);
      }),
    )
    .toBe(true);

/** Presses "g" and a letter. The second does not wait until the page has seen the first: it must follow soon. */
export async function goBy(page: Page, letter: string): Promise<void> {
  await Promise.all(['g', letter].map((key) => page.keyboard.press(key)));
}

/** An address follows what is pressed; one that does not is a fault, not a slow machine. */
const ADDRESS_MS = 15_000;

/** Waits until the address says exactly this after the "?". */
export const addressed = (page: Page, search: string): Promise<void> =>
  page.waitForURL((url) => decodeURIComponent(url.searchParams.toString()) === search, { timeout: ADDRESS_MS });
