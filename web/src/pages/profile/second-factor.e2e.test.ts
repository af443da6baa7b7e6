import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { reportCluster } from '../../testing/cluster.ts';
import { openPage, settled } from '../../testing/open-page.ts';
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

describe('what guards an account', () => {
  const stage = onStage(async ({ product }) => {
    const uid = '5f0c3a52-0000-4000-8000-0000000000c1';
    await reportCluster(product.origin, product.token, {
      uid,
      nodes: [{ name: 'node-1', cpu: 40, memory: 50, pods: [] }],
    });
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
        .getByText(/^token revoked/)
        .waitFor();
      await panelOf(page, 'Audit log')
        .getByText(/^cluster token revoked/)
        .waitFor();
      await settled(page);
      expect(await panelOf(page, 'Tokens').getByRole('button', { name: 'Revoke' }).count()).toBe(0);
    }));

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
