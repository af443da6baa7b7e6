import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { reportCluster } from '../../testing/cluster.ts';
import { openPage, settled } from '../../testing/open-page.ts';
import type { OpenPage } from '../../testing/open-page.ts';
import { ACCOUNT } from '../../testing/product.ts';
import { hasKeyboard, onStage } from '../../testing/stage.ts';

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;

/** Returns an authenticator's code (RFC 6238), so many steps from now; each step's code works once. */
function authenticatorCode(key: string, stepsAhead: number): string {
  const signs = key.match(/[A-Z2-7]/g) ?? [];
  const bits = signs.map((sign) => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / STEP_MS) + stepsAhead));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1e6).padStart(6, '0');
}

const panelOf = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });

describe('what an account can do on its profile', () => {
  const stage = onStage(async ({ product }) => {
    const uid = '5f0c3a52-0000-4000-8000-0000000000c1';
    await reportCluster(product.origin, product.token, {
      uid,
      nodes: [{ name: 'node-1', cpu: 40, memory: 50, pods: [] }],
    });
  });

  /** Returns the API's status for a request with this token. */
  const statusOf = async (path: string, token: string) =>
    (await fetch(stage.product.origin + path, { headers: { authorization: `Bearer ${token}` } })).status;

  async function open(): Promise<OpenPage> {
    const opened = await openPage(stage.browser, stage.product);
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

  it('revokes a token only after it was asked, and says what stops', () =>
    stage.visit('/profile', async (page) => {
      await page.getByRole('button', { name: 'Generate' }).click();
      const tokens = panelOf(page, 'Tokens').getByRole('listitem');
      await expect.poll(() => tokens.count()).toBe(2);
      const revoke = (name: string | RegExp) =>
        tokens.filter({ hasText: name }).getByRole('button', { name: 'Revoke' });
      const asked = page.getByRole('dialog', { name: /^Revoke / });
      // Behind a dialog nothing is found by its role: none is counted before it is gone.
      const left = async (count: number) => {
        await asked.waitFor({ state: 'detached' });
        await expect.poll(() => tokens.count()).toBe(count);
      };
      await revoke(/^Cluster/).click();
      await asked.getByText('The server then rejects reports from the collectors of that cluster.').waitFor();
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await left(2);
      await revoke(/^Cluster/).click();
      await asked.getByRole('button', { name: 'Revoke' }).click();
      await left(1);
      await revoke(/read/).click();
      await asked.getByText('Scripts that use it stop working at once.').waitFor();
      await hasKeyboard(asked);
      await page.keyboard.press('Escape');
      await left(1);
      const known = await stage.product.get<{ tokens: object[] }>('/api/user/api-tokens');
      expect(known.tokens).toHaveLength(1);
      await revoke(/read/).click();
      await asked.getByRole('button', { name: 'Revoke' }).click();
      await left(0);
      await page.reload();
      await panelOf(page, 'Audit log')
        .getByText(/ revoked API token /)
        .waitFor();
      await panelOf(page, 'Audit log')
        .getByText(/ revoked cluster token /)
        .waitFor();
      await settled(page);
      expect(await panelOf(page, 'Tokens').getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    }));

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
    const other = await fetch(`${stage.product.origin}/api/auth/local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'curl/8.5.0' },
      body: JSON.stringify(ACCOUNT),
    });
    const { data } = (await other.json()) as { data: { token: string } };
    const { page, context } = await open();
    const row = panelOf(page, 'Sessions').getByRole('listitem').filter({ hasText: 'curl' });
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
    await expect
      .poll(() => stage.product.get(path))
      .toMatchObject({ settings: { metrics_days: 30 }, is_default: false });
    await page.getByRole('button', { name: 'Back to defaults' }).click();
    await page.getByRole('button', { name: 'Back to defaults' }).and(page.locator(':disabled')).waitFor();
    await expect
      .poll(() => stage.product.get(path))
      .toMatchObject({ settings: { metrics_days: 365 }, is_default: true });
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

  it('asks for a second step once one is set up, and not before the first code was right', () =>
    stage.visit('/profile', async (page) => {
      const panel = panelOf(page, 'Two-step sign-in');
      await panel.getByText('Off', { exact: true }).waitFor();
      await panel.getByRole('button', { name: 'Switch on' }).click();
      const key = await panel.locator('code').innerText();
      expect(key).toMatch(/^[A-Z2-7 ]{20,}$/);
      const field = panel.getByLabel('Current code');
      const confirm = panel.getByRole('button', { name: 'Switch on' });
      await expect.poll(() => confirm.isDisabled()).toBe(true);
      await field.fill('12345');
      await expect.poll(() => confirm.isDisabled()).toBe(true);
      const near = [-1, 0, 1, 2].map((steps) => authenticatorCode(key, steps));
      await field.fill(['000000', '000001', '000002', '000003', '000004'].find((code) => !near.includes(code)) ?? '');
      await confirm.click();
      await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
      expect(await stage.product.get('/api/auth/totp')).toMatchObject({ enabled: false });
      // As people type it, in two groups.
      const right = authenticatorCode(key, 0);
      await field.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
      await confirm.click();
      await panel.getByText('On', { exact: true }).waitFor();
      expect(await stage.product.get('/api/auth/totp')).toMatchObject({ enabled: true });

      const other = await openPage(stage.browser, stage.product, { width: 390, theme: 'light' }, true);
      await other.page.goto('/login');
      await other.page.getByLabel('Email').fill(ACCOUNT.email);
      await other.page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
      await other.page.getByRole('button', { name: 'Sign in' }).click();
      const second = other.page.getByLabel('Authenticator code');
      await second.waitFor();
      // The password was right: what was typed is still there, and the caret stands in the new field.
      expect(await other.page.getByLabel('Password', { exact: true }).inputValue()).toBe(ACCOUNT.password);
      await expect.poll(() => second.evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await other.page.evaluate(() => localStorage.getItem('plimsoll.token'))).toBeNull();
      await second.fill(authenticatorCode(key, 1));
      await other.page.getByRole('button', { name: 'Sign in' }).click();
      await other.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor();
      await other.context.close();
    }));
});
