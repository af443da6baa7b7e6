import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Product } from './product.ts';

export interface View {
  width: number;
  theme: 'dark' | 'light';
}

/** A page of the product, and everything the browser complained about on it. */
export interface OpenPage {
  page: Page;
  context: BrowserContext;
  /** Violations of the content security policy, and errors of scripts. */
  complaints: string[];
}

const HEIGHT = 900;
/** A machine that builds and tests at the same time is slow; a page that never comes still fails. */
const SLOW_MS = 60_000;

/** A fresh browser profile, signed in unless `signedOut`, with its theme chosen and times in UTC. */
export async function openPage(
  browser: Browser,
  product: Product,
  { width, theme }: View = { width: 1440, theme: 'dark' },
  signedOut = false,
): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width, height: HEIGHT }, baseURL: product.origin });
  if (!signedOut) {
    await context.addCookies([{ name: 'auth_token', value: product.token, url: product.origin, httpOnly: true }]);
  }
  await context.addInitScript(
    ([mode, token]) => {
      localStorage.setItem('plimsoll.theme', mode ?? 'dark');
      localStorage.setItem('plimsoll.zone', 'UTC');
      if (token) localStorage.setItem('plimsoll.token', token);
    },
    [theme, signedOut ? '' : product.token],
  );
  const page = await context.newPage();
  page.setDefaultTimeout(SLOW_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(`policy: ${message.text()}`);
  });
  return { page, context, complaints };
}

/** The names on all cards of a page, scrolled through from its top to its end: a long grid draws those in sight. */
export function cardsByScrolling(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    const names = new Set<string>();
    const end = () => window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
    window.scrollTo(0, 0);
    for (;;) {
      await frame();
      await frame();
      for (const name of document.querySelectorAll('article a')) names.add(name.textContent);
      if (end()) return [...names];
      window.scrollBy(0, window.innerHeight / 2);
    }
  });
}

/** Waits until nothing loads any more: no request under way, no skeleton, no spinner. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForFunction(() => {
    const busy = document.querySelector(
      '[role="progressbar"], [role="status"][aria-label="Loading"], .MuiSkeleton-root',
    );
    return busy === null && document.querySelector('h1') !== null;
  });
  await page.evaluate(() => document.fonts.ready);
}
