import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UI } from '../../api/polling.ts';
import { launchChromium } from '../../testing/chromium.ts';
import { openPage } from '../../testing/open-page.ts';
import { ACCOUNT, startProduct } from '../../testing/product.ts';
import type { Product } from '../../testing/product.ts';

describe('signing in', () => {
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

  async function signedOut<T>(look: (page: Page) => Promise<T>): Promise<T> {
    const { page, context, complaints } = await openPage(browser, product, { width: 1440, theme: 'dark' }, true);
    const found = await look(page);
    expect(complaints).toEqual([]);
    await context.close();
    return found;
  }
  /** The page's time stands still from its start, so that what it shows for a while stays. */
  const stopClock = async (page: Page) => {
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
  };
  const fill = async (page: Page, password: string) => {
    await page.getByLabel('Email').fill(ACCOUNT.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('offers GitHub and Google first and names the setting a way lacks', () =>
    signedOut(async (page) => {
      await page.goto('/login');
      const github = page.getByRole('button', { name: 'Continue with GitHub' });
      const reason = page.getByText('GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET');
      await reason.waitFor({ state: 'attached' });
      expect(await reason.isVisible()).toBe(false);
      expect(await page.getByRole('button', { name: 'Sign in' }).isVisible()).toBe(true);
      await page.getByText('Why GitHub and Google cannot be chosen').click();
      await reason.waitFor();
      await page.getByText('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET').waitFor();
      await expect.poll(() => github.isDisabled()).toBe(true);
      await expect.poll(() => page.getByRole('button', { name: 'Continue with Google' }).isDisabled()).toBe(true);
      await page.getByRole('link', { name: 'Terms of Service' }).click();
      await page.waitForURL('**/terms');
    }));

  it('says that a password is wrong, then lets the right one in and back to the page that asked', () =>
    signedOut(async (page) => {
      await page.goto('/alerts?hours=6');
      await page.waitForURL('**/login');
      await fill(page, 'not the password');
      await page.getByRole('alert').getByText('Login error: E-mail or password is wrong').waitFor();
      await fill(page, ACCOUNT.password);
      await page.waitForURL('**/alerts?hours=6');
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.waitForURL('**/login');
      expect(await page.evaluate(() => localStorage.getItem('plimsoll.token'))).toBeNull();
    }));

  it('fails a callback without a token, and goes to the login page after 3 s', () =>
    signedOut(async (page) => {
      await stopClock(page);
      await page.goto('/auth/callback');
      await page.getByRole('heading', { name: 'Authentication Failed' }).waitFor();
      await page.getByText('No authentication token received').waitFor();
      await page.clock.runFor(UI.callbackRedirect - 1);
      await page.getByText('Redirecting to login...').waitFor();
      expect(new URL(page.url()).pathname).toBe('/auth/callback');
      // The heading may be there a moment before the 3 s begin.
      await page.clock.runFor(UI.callbackRedirect);
      await page.waitForURL('**/login');
    }));

  it.each(['/auth/callback#access_token=made-up', '/auth/callback?token=made-up'])(
    'takes the token out of the address before it asks for anything: %s',
    (path) =>
      signedOut(async (page) => {
        // On its way to the login page it would ask from there, too.
        await stopClock(page);
        const addresses: string[] = [];
        await page.exposeFunction('tellAddress', (address: string) => addresses.push(address));
        await page.addInitScript(() => {
          const ask = window.fetch;
          window.fetch = (...input) => {
            (window as unknown as { tellAddress: (address: string) => void }).tellAddress(location.href);
            return ask(...input);
          };
        });
        await page.goto(path);
        await page.getByRole('heading', { name: 'Authentication Failed' }).waitFor();
        expect(addresses).toEqual([`${product.origin}/auth/callback`]);
        expect(await page.evaluate(() => localStorage.getItem('plimsoll.token'))).toBeNull();
      }),
  );

  it('takes the code of a link that is pasted into the open tab', () =>
    signedOut(async (page) => {
      await page.goto('/login');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await page.goto('/login#setup=pasted-later');
      await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
      await expect.poll(() => page.url()).toBe(`${product.origin}/login`);
    }));

  it('refuses a first-run link once there is an account, and offers the usual ways', () =>
    signedOut(async (page) => {
      await page.goto('/login#setup=made-up');
      await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
      await expect.poll(() => page.url()).toBe(`${product.origin}/login`);
      await page.getByLabel('Email').fill('first@example.com');
      await page.getByLabel('Password', { exact: true }).fill('short');
      await page.getByText('7 more characters needed').waitFor();
      await page.getByLabel('Password', { exact: true }).fill('a long enough password');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('alert').getByText('Login error:').waitFor();
    }));
});
