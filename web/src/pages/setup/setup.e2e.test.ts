import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../testing/chromium.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import { openPage } from '../../testing/open-page.ts';
import type { OpenPage } from '../../testing/open-page.ts';
import { startProduct } from '../../testing/product.ts';
import type { Product } from '../../testing/product.ts';

const sample = () => ({ cpu: 20, memory: 30, disk: 40 });

describe('Setup', () => {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    product = await startProduct();
    browser = await launchChromium();
    // A server of an earlier visit: no later visit may take it for its own.
    const earlier = await enrolmentToken(product.origin, product.token);
    await enrol(product.origin, earlier, { hostname: 'earlier', sample });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  async function open(path: string): Promise<OpenPage> {
    const opened = await openPage(browser, product);
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await opened.page.goto(path);
    return opened;
  }
  const clipboard = ({ page }: OpenPage) => page.evaluate(() => navigator.clipboard.readText());
  /** Returns the text that `copy` puts on the clipboard, not an earlier copy. */
  const copiedBy = async (opened: OpenPage, copy: () => Promise<unknown>): Promise<string> => {
    await opened.page.evaluate(() => navigator.clipboard.writeText('nothing yet'));
    await copy();
    await expect.poll(() => clipboard(opened)).not.toBe('nothing yet');
    return clipboard(opened);
  };

  it('flips by itself when the first report of its own token comes in', async () => {
    const opened = await open('/setup');
    const { page } = opened;
    await page.getByRole('button', { name: 'Check Now' }).click();
    await page.getByText('No servers connected yet').waitFor();

    // It says so for two seconds only.
    const said = page.getByRole('button', { name: 'Copied' }).waitFor();
    const press = () => page.getByRole('button', { name: 'Copy command' }).click();
    const [command] = await Promise.all([copiedBy(opened, press), said]);
    const token = /--token (\S+)/.exec(command)?.[1] ?? '';
    expect(command).toBe(
      `curl -fsSL ${product.origin}/install.sh | sudo sh -s -- --url ${product.origin} --token ${token} --allow-http`,
    );
    expect(await page.locator('body').textContent()).not.toContain(token);

    await enrol(product.origin, token, { hostname: 'fresh', sample });
    await page.getByText('Server connected successfully!').waitFor();
    await page.getByRole('link', { name: 'fresh' }).click();
    await page.waitForURL('**/servers/*');
    expect(opened.complaints).toEqual([]);
    await opened.context.close();
  });

  it('copies in full when someone selects the command, and warns of a loopback address', async () => {
    const opened = await open('/setup?on=macos');
    const { page } = opened;
    await page.getByText('reaches this machine only').waitFor();
    await page
      .getByText(/^PLIMSOLL_HOST=0\.0\.0\.0/)
      .first()
      .waitFor();
    await page.getByText('The agent for macOS AMD64 is not built yet.').waitFor();
    await page.getByText('npm run build:agent').waitFor();
    await page.getByText('/var/log/plimsoll.log').waitFor();
    const shown = page.locator('pre').first();
    const copied = await copiedBy(opened, async () => {
      await shown.click({ clickCount: 3 });
      await page.keyboard.press('Control+C');
    });
    expect(copied).toMatch(/--token [A-Za-z0-9_-]{20,} /);
    await opened.context.close();
  });
});
