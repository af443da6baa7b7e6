import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startGitHub } from '../../api/src/testing/github-stand-in.ts';
import type { GitHubStandIn } from '../../api/src/testing/github-stand-in.ts';
import { startIssuer } from '../../api/src/testing/oidc-issuer.ts';
import type { Issuer } from '../../api/src/testing/oidc-issuer.ts';
import { refusal } from './pages/callback/complete-sign-in.ts';
import { launchChromium } from './testing/chromium.ts';
import { ACCOUNT } from './testing/product.ts';

const MAIN = join(import.meta.dirname, '../../api/src/main.ts');
/** A machine that builds and tests at the same time is slow; what never comes still fails. */
const SLOW_MS = 60_000;
type ProviderId = 'github' | 'google' | 'oidc';
const PEOPLE: Record<ProviderId, string> = {
  github: 'octo@example.org',
  google: 'grace@example.org',
  oidc: 'ada@example.org',
};
const BUTTONS: Record<ProviderId, RegExp> = {
  github: /with GitHub/,
  google: /with Google/,
  oidc: /with (?!GitHub|Google)/,
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

describe('signing in', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-sign-in-'));
  let origin = '';
  let api: ChildProcess;
  let printed = '';
  let browser: Browser;
  let github: GitHubStandIn;
  let google: Issuer;
  let oidc: Issuer;

  beforeAll(async () => {
    // As root the bundled database runs as another user, who must be able to pass through.
    chmodSync(dataDir, 0o711);
    const port = await freePort();
    origin = `http://127.0.0.1:${String(port)}`;
    const person = (email: string) => ({ sub: email, email, email_verified: true, name: email });
    github = await startGitHub({
      id: 7,
      login: 'octo',
      name: null,
      email: PEOPLE.github,
      verified: true,
      organisations: [],
    });
    google = await startIssuer(`${origin}/api/auth/google/callback`, person(PEOPLE.google));
    oidc = await startIssuer(`${origin}/api/auth/oidc/callback`, person(PEOPLE.oidc));
    api = spawn(process.execPath, [MAIN], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        PLIMSOLL_DATA_DIR: dataDir,
        PLIMSOLL_PORT: String(port),
        PLIMSOLL_LOG_LEVEL: 'error',
        PLIMSOLL_SIGN_UP_DOMAINS: 'example.org',
        PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1',
        GITHUB_URL: github.url,
        GITHUB_CLIENT_ID: 'id',
        GITHUB_CLIENT_SECRET: 'secret',
        GOOGLE_ISSUER: google.url,
        GOOGLE_CLIENT_ID: google.clientId,
        GOOGLE_CLIENT_SECRET: google.clientSecret,
        OIDC_ISSUER: oidc.url,
        OIDC_CLIENT_ID: oidc.clientId,
        OIDC_CLIENT_SECRET: oidc.clientSecret,
      },
    });
    api.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    await vi.waitFor(
      async () => {
        const { ok } = await fetch(`${origin}/readyz`);
        if (!ok) throw new Error('the API is not ready');
      },
      { timeout: 2 * SLOW_MS, interval: 100 },
    );
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    const ended = once(api, 'exit');
    api.kill('SIGTERM');
    await ended;
    await Promise.all([github, google, oidc].map((standIn) => standIn.close()));
    rmSync(dataDir, { recursive: true, force: true });
  });

  const sql = async <Row extends object>(text: string): Promise<Row[]> => {
    const client = new Client({ host: join(dataDir, 'postgres-socket'), user: 'plimsoll', database: 'plimsoll' });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  };
  const countSessions = async (): Promise<number> =>
    (await sql<{ n: number }>('SELECT count(*)::integer AS n FROM session'))[0]?.n ?? -1;

  let browsers = 0;
  /** A browser of its own, at an address of its own as an attacker's is: ten tries a minute are all one may make. */
  const inBrowser = async (look: (page: Page) => Promise<void>): Promise<void> => {
    browsers += 1;
    const extraHTTPHeaders = { 'x-forwarded-for': `198.51.100.${String(browsers)}` };
    const context = await browser.newContext({ baseURL: origin, extraHTTPHeaders });
    const page = await context.newPage();
    page.setDefaultTimeout(SLOW_MS);
    await look(page);
    await context.close();
  };
  const choose = async (page: Page, provider: ProviderId): Promise<void> => {
    await page.goto('/login');
    await page.getByRole('button', { name: BUTTONS[provider] }).click();
  };
  /** Changes the provider's address before the browser opens it. */
  const changeAuthUrl = (page: Page, provider: ProviderId, change: (url: URL) => void): Promise<unknown> =>
    page.route(new RegExp(`/api/auth/${provider}(\\?|$)`), async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: { auth_url: string } };
      const url = new URL(body.data.auth_url);
      change(url);
      await route.fulfill({ response: answer, json: { ...body, data: { auth_url: url.href } } });
    });
  /** Signs in up to the exchange of the code, which is held back; answers the code. */
  const stopAtExchange = async (page: Page, provider: ProviderId): Promise<string> => {
    const held = Promise.withResolvers<string | null>();
    await page.route(EXCHANGE, async (route) => {
      held.resolve(route.request().postData());
      await route.abort();
    });
    await choose(page, provider);
    const body = await held.promise;
    await page.unroute(EXCHANGE);
    return codeOf(body);
  };
  const EXCHANGE = '**/api/auth/exchange';
  const codeOf = (body: string | null): string => (JSON.parse(body ?? '{}') as { code?: string }).code ?? '';

  const failed = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Authentication Failed' }).waitFor();
  /** Looks for both at once: the page goes on to the login page by itself. */
  const refusedBecause = async (page: Page, code: string): Promise<void> => {
    const reason = page.getByRole('alert').getByText(refusal(code));
    await Promise.all([failed(page), reason.waitFor()]);
  };
  /** Opens our own page with a code; answers the code of the error it gets for it. */
  const arriveWith = async (page: Page, code: string): Promise<unknown> => {
    // From our own page a change of the fragment alone would load nothing.
    await page.goto('about:blank');
    const [answer] = await Promise.all([
      page.waitForResponse(EXCHANGE),
      failed(page),
      page.goto(`/auth/callback#access_token=${code}`),
    ]);
    return ((await answer.json()) as { code?: string }).code;
  };
  const sessionsMadeBy = async (attempt: () => Promise<void>): Promise<number> => {
    const before = await countSessions();
    await attempt();
    return (await countSessions()) - before;
  };

  const signIn = async (page: Page, password: string) => {
    await page.getByLabel('Email').fill(ACCOUNT.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const tokenOf = (page: Page) => page.evaluate(() => localStorage.getItem('plimsoll.token'));

  it('begins with the account of the printed link, which works once', async () => {
    await expect.poll(() => printed).toMatch(/#setup=\S+/);
    const link = /\S+#setup=\S+/.exec(printed)?.[0] ?? '';
    const fill = async (page: Page, email: string) => {
      await page.goto(link);
      await page.getByRole('heading', { name: 'Create the first account' }).waitFor();
      expect(page.url()).not.toContain('setup');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
      await page.getByRole('button', { name: 'Create account' }).click();
    };
    await inBrowser(async (page) => {
      await fill(page, ACCOUNT.email);
      await page.getByText('No servers connected yet').waitFor();
    });
    await inBrowser(async (page) => {
      await fill(page, 'second@example.org');
      await page.getByRole('alert').getByText('Login error:').waitFor();
    });
  });

  it('says that a password is wrong, then lets the right one in and back to the page that asked', () =>
    inBrowser(async (page) => {
      await page.goto('/alerts?hours=6');
      await page.waitForURL('**/login');
      await signIn(page, 'not the password');
      await page.getByRole('alert').getByText('Login error: E-mail or password is wrong').waitFor();
      await signIn(page, ACCOUNT.password);
      await page.waitForURL('**/alerts?hours=6');
      await page.getByRole('button', { name: 'Logout' }).click();
      await page.waitForURL('**/login');
      expect(await tokenOf(page)).toBeNull();
    }));

  it('ends everywhere when the session ends, and asks to sign in again where it was', () =>
    inBrowser(async (page) => {
      await page.goto('/servers?view=table');
      await signIn(page, ACCOUNT.password);
      await page.waitForURL('**/servers?view=table');
      await inBrowser(async (other) => {
        await other.goto('/profile');
        await signIn(other, ACCOUNT.password);
        const sessions = other.locator('section').filter({ has: other.getByRole('heading', { name: 'Sessions' }) });
        await sessions.getByText('This one').waitFor();
        const ends = sessions.getByRole('button', { name: 'End' });
        for (let left = await ends.count(); left > 0; left -= 1) {
          await ends.first().click();
          await expect.poll(() => ends.count()).toBe(left - 1);
        }
      });
      // A page that asked by itself meanwhile is out already and has no such button any more.
      const out = page.waitForURL('**/login');
      const refreshed = page.getByRole('button', { name: 'Refresh now' }).click();
      await Promise.race([out, refreshed.catch(() => null)]);
      await out;
      expect(await tokenOf(page)).toBeNull();
      await signIn(page, ACCOUNT.password);
      await page.waitForURL('**/servers?view=table');
    }));

  it.each(['github', 'google', 'oidc'] as const)(
    'lets one in through %s, with one session and a clean address',
    async (provider) => {
      const comeBack = () =>
        inBrowser(async (page) => {
          await choose(page, provider);
          await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
          expect(page.url()).not.toContain('access_token');
          await page.goto('/profile');
          await page.getByText(PEOPLE[provider]).first().waitFor();
        });
      expect(await sessionsMadeBy(comeBack)).toBe(1);
    },
  );

  /** The routes' own tests refuse every forged part from every provider; this is how a person sees it. */
  it('refuses a wrong state', async () => {
    const forge = () =>
      inBrowser(async (page) => {
        await changeAuthUrl(page, 'github', (url) => url.searchParams.set('state', 'forged'));
        await choose(page, 'github');
        await refusedBecause(page, 'state_invalid');
      });
    expect(await sessionsMadeBy(forge)).toBe(0);
  });

  it('refuses the callback and the code of another browser', async () => {
    const steal = () =>
      inBrowser(async (attacker) => {
        const begun = await attacker.request.get('/api/auth/oidc');
        const { data } = (await begun.json()) as { data: { auth_url: string } };
        await inBrowser(async (victim) => {
          await victim.goto(data.auth_url);
          await refusedBecause(victim, 'state_invalid');
        });
        const code = await stopAtExchange(attacker, 'oidc');
        await inBrowser(async (victim) => expect(await arriveWith(victim, code)).toBe('code_invalid'));
      });
    expect(await sessionsMadeBy(steal)).toBe(0);
  });
});
