import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../testing/chromium.ts';
import { openPage } from '../../testing/open-page.ts';
import type { OpenPage } from '../../testing/open-page.ts';
import { ACCOUNT, startProduct } from '../../testing/product.ts';
import type { Product } from '../../testing/product.ts';

describe('Profile', () => {
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

  /** Returns the API's status for a request with this token. */
  const statusOf = async (path: string, token: string) =>
    (await fetch(product.origin + path, { headers: { authorization: `Bearer ${token}` } })).status;

  async function open(): Promise<OpenPage> {
    const opened = await openPage(browser, product);
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.page.goto('/profile');
    await opened.page.getByRole('heading', { name: 'Account' }).waitFor();
    return opened;
  }

  it('shows the account and leads to what it owns', async () => {
    const { page, context } = await open();
    await page.getByText(ACCOUNT.email).first().waitFor();
    await page
      .getByRole('navigation', { name: 'Resources you own' })
      .getByRole('link', { name: 'Kubernetes nodes' })
      .click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/kubernetes/nodes');
    await context.close();
  });

  it('hides a token, reveals and copies the one just made, and asks before it replaces one', async () => {
    const opened = await open();
    const { page, context } = opened;
    await page.getByText('none yet').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Reveal' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByText('Copy it now.').waitFor();

    // It says so for two seconds only.
    const said = page.getByText('Token copied to clipboard!').waitFor();
    await Promise.all([page.getByRole('button', { name: 'Copy', exact: true }).click(), said]);
    const token = await page.evaluate(() => navigator.clipboard.readText());
    expect(await page.locator('body').textContent()).not.toContain(token);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await page.getByText(token).waitFor();

    expect(await statusOf('/api/auth/token', token)).toBe(200);
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByText(`Scripts that use the token ending in ${token.slice(-4)}`).waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    await page.getByText(token).waitFor({ state: 'detached' });
    await expect.poll(() => statusOf('/api/auth/token', token)).toBe(401);
    expect(opened.complaints).toEqual([]);

    await page.reload();
    await page.getByText(/••••••••/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Copy', exact: true }).isDisabled()).toBe(true);
    await context.close();
  });

  it('ends another session and keeps this one', async () => {
    const other = await fetch(`${product.origin}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
      body: JSON.stringify(ACCOUNT),
    });
    const { data } = (await other.json()) as { data: { token: string } };
    const { page, context } = await open();
    const row = page.getByRole('listitem').filter({ hasText: 'curl' });
    await row.getByRole('button', { name: 'End' }).click();
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => statusOf('/api/auth/profile', data.token)).toBe(401);
    await page.getByText('This one').waitFor();
    await context.close();
  });

  it('keeps data for less when asked, refuses nonsense, and goes back to the defaults', async () => {
    const { page, context } = await open();
    const metrics = page.getByLabel('Metrics', { exact: true });
    await metrics.fill('400');
    await page.getByText('1 to 365 days').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await metrics.fill('30');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Back to defaults' }).and(page.locator(':enabled')).waitFor();
    const path = '/api/user/retention-settings';
    await expect.poll(() => product.get(path)).toMatchObject({ settings: { metrics_days: 30 }, is_default: false });
    await page.getByRole('button', { name: 'Back to defaults' }).click();
    await page.getByRole('button', { name: 'Back to defaults' }).and(page.locator(':disabled')).waitFor();
    await expect.poll(() => product.get(path)).toMatchObject({ settings: { metrics_days: 365 }, is_default: true });
    await context.close();
  });

  it('exports everything as one document and does not delete by a slip', async () => {
    const { page, context } = await open();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export' }).click();
    expect((await download).suggestedFilename()).toBe('plimsoll-export.json');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete account' });
    await dialog.getByRole('textbox').fill('someone@else.example');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(ACCOUNT.email);
    await confirm.click();
    await page.getByText('This account is deleted on').waitFor();
    await page.getByRole('button', { name: 'Cancel deletion' }).click();
    await page.getByText('This account is deleted on').waitFor({ state: 'detached' });
    await context.close();
  });
});
