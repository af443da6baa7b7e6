import type { StatusPagesAnswer } from '@plimsoll/contract/wire/checks/status-pages';
import type { Browser, Page } from 'playwright-core';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../testing/chromium.ts';
import { countClicks } from '../../testing/clicks.ts';
import { openPage } from '../../testing/open-page.ts';
import { startProduct, type Product } from '../../testing/product.ts';

let product: Product;
let browser: Browser;
let target: Server;
let address = '';
beforeAll(async () => {
  target = createServer((_request, response) => void response.end('all well'));
  await new Promise<void>((resolve) => {
    target.listen(0, '127.0.0.1', resolve);
  });
  address = `http://127.0.0.1:${String((target.address() as AddressInfo).port)}/health`;
  [product, browser] = await Promise.all([startProduct({ PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8' }), launchChromium()]);
});
afterAll(async () => {
  await browser.close();
  await product.stop();
  target.close();
});

/** The dashboard in a window of its own, and how often someone clicked since. */
async function dashboard(): Promise<{ page: Page; clicks: () => number; close: () => Promise<void> }> {
  const { page, context } = await openPage(browser, product);
  const clicks = await countClicks(page);
  await page.goto('/');
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  return { page, clicks: clicks.count, close: () => context.close() };
}
async function openChecks(page: Page): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name: 'Servers' }).first().click();
  await page.getByRole('link', { name: 'Checks' }).click();
}
const post = async <T>(path: string, body: object): Promise<T> => {
  const headers = { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' };
  const answer = await fetch(product.origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: T }).data;
};

it('a first check: paste an address, Enter, read its first result, save; three clicks from the dashboard', async () => {
  const { page, clicks, close } = await dashboard();
  const begun = performance.now();
  await openChecks(page);
  await page.getByRole('heading', { name: 'Add the first check' }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((text) => navigator.clipboard.writeText(text), address);
  // No click into the field: the page takes an address that is pasted.
  await page.keyboard.press('Control+V');
  await page.keyboard.press('Enter');
  await page.getByText('HTTP 200').waitFor();
  expect(await product.get('/api/checks')).toMatchObject({ total: 0 });
  await page.getByRole('button', { name: 'Save check' }).click();
  await page.getByRole('heading', { name: '127.0.0.1 HTTP', level: 1 }).waitFor();
  console.log(`a first check took ${((performance.now() - begun) / 1000).toFixed(1)} s and ${String(clicks())} clicks`);
  expect(clicks()).toBe(3);
  expect(await product.get('/api/checks')).toMatchObject({ total: 1, checks: [{ kind: 'http', is_enabled: true }] });
  await page.getByText('Up', { exact: true }).first().waitFor();
  await close();
});

it('the key of a heartbeat is shown once, and a call with it makes it good', async () => {
  const { page, close } = await dashboard();
  await openChecks(page);
  await page.getByRole('button', { name: 'Add heartbeat' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('nightly backup');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const key = await page
    .getByRole('dialog')
    .getByText(/^[\w-]{43}$/)
    .textContent();
  expect(key).toMatch(/^[\w-]{43}$/);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'nightly backup', level: 1 }).waitFor();
  expect(await page.content()).not.toContain(key);
  const ping = () => fetch(`${product.origin}/api/heartbeats/${key ?? ''}`, { method: 'POST', body: 'saved 81f2c' });
  expect((await ping()).status).toBe(200);
  await page.reload();
  await page.getByText('saved 81f2c').waitFor();
  await page.getByText('Up', { exact: true }).first().waitFor();
  expect(await page.content()).not.toContain(key);
  await close();
});

it('a check is on a status page after five clicks, under a name that a stranger may read', async () => {
  type Made = { check: { check_id: string } };
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 } };
  const { check } = await post<Made>('/api/checks', { name: 'invoices of tenant 7', heartbeat });
  const { check: other } = await post<Made>('/api/checks', { name: 'mail of tenant 7', heartbeat });
  const choice = { check_id: check.check_id, label: 'Invoices', group: null };
  await post('/api/status-pages', { title: 'Shop', checks: [choice] });
  const { page, clicks, close } = await dashboard();
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('link', { name: 'Status pages' }).click();
  await page.getByRole('button', { name: 'Edit Shop' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'mail of tenant 7' }).click();
  // From one field to the next by key.
  await dialog.getByLabel('Public name of mail of tenant 7').focus();
  await page.keyboard.insertText('Mail');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(clicks()).toBeLessThanOrEqual(5);
  const { status_pages: pages } = await product.get<StatusPagesAnswer>('/api/status-pages');
  expect(pages[0]?.checks.map(({ check_id: id }) => id)).toEqual([check.check_id, other.check_id]);
  const html = await (await fetch(product.origin + (pages[0]?.path ?? ''))).text();
  expect(html).toContain('Mail');
  expect(html).not.toContain('tenant 7');
  await close();
});
