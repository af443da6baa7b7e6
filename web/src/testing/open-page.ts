import type { Browser, BrowserContext, Page } from 'playwright-core';
import { countOwnCalls } from './own-calls.ts';
import type { OwnCalls } from './own-calls.ts';
import type { Product } from './product.ts';

export interface View {
  width: number;
  theme: 'dark' | 'light';
  /** Its times are measured: nothing of ours is put between the page and its calls, and `loaded` waits for it. */
  measured?: true;
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
  { width, theme, measured }: View = { width: 1440, theme: 'dark' },
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
  if (!measured) await context.addInitScript(countOwnCalls);
  const page = await context.newPage();
  page.setDefaultTimeout(SLOW_MS);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(`policy: ${message.text()}`);
  });
  return { page, context, complaints };
}

const BUSY = '[role="progressbar"], [role="status"][aria-label="Loading"], .MuiSkeleton-root';

/** Waits until there is no skeleton and no spinner any more; calls may be under way. */
export async function loaded(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await page.waitForFunction(
    (busy) => document.querySelector(busy) === null && document.querySelector('h1') !== null,
    BUSY,
  );
  await page.evaluate(() => document.fonts.ready);
}

/** An answer is drawn, and what is asked because of it sent, a frame or two after it came. */
const QUIET_FRAMES = 4;
let waits = 0;

/** Waits until nothing loads any more: no call under way, no skeleton, no spinner, and that over several frames. */
export async function settled(page: Page): Promise<void> {
  await loaded(page);
  waits += 1;
  // Asked once a frame; what it answers must not be a promise, which would be taken for "yes".
  await page.waitForFunction(
    ([wait, frames, busy]) => {
      const own = (globalThis as unknown as { ownCalls: OwnCalls }).ownCalls;
      const isQuiet = own.open === 0 && document.querySelector(busy) === null && document.querySelector('h1') !== null;
      own.quiet = { wait, frames: isQuiet ? (own.quiet.wait === wait ? own.quiet.frames : 0) + 1 : 0 };
      return own.quiet.frames > frames;
    },
    [waits, QUIET_FRAMES, BUSY] as const,
  );
}
