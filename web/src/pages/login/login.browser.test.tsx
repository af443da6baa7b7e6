import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { UI } from '../../api/polling.ts';
import { paths } from '../../paths.ts';
import { drawApp, rest } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';

const method = (id: string, name: string, reason: string | null) => ({ id, name, enabled: reason === null, reason });
const NOT_CONFIGURED = {
  'GET /api/auth/methods': {
    data: {
      methods: [
        method('github', 'GitHub', 'Set GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET'),
        method('google', 'Google', 'Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'),
        method('local', 'Local', null),
      ],
      first_run: false,
    },
  },
} satisfies Answers;
const signedOut = (at: string, answers: Answers = {}) =>
  drawApp(at, { isSignedIn: false, answers: { ...NOT_CONFIGURED, ...answers } });
const heading = (name: string) => page.getByRole('heading', { name });
const SLACK_MS = 500;
const inAddress = () => window.location.pathname + window.location.search + window.location.hash;

afterEach(() => {
  vi.useRealTimers();
});

describe('the login page', () => {
  it('offers GitHub and Google first and names the setting a way lacks', async () => {
    await signedOut(paths.login);
    const reason = page.getByText(/GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET/);
    await expect.element(reason).toBeInTheDocument();
    await expect.element(reason).not.toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.getByText('Why GitHub and Google cannot be chosen').click();
    await expect.element(reason).toBeVisible();
    await expect.element(page.getByText(/GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/)).toBeVisible();
    const buttons = page
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent);
    expect(buttons.slice(0, 2)).toEqual(['Continue with GitHub', 'Continue with Google']);
    await expect.element(page.getByRole('button', { name: 'Continue with GitHub' })).toBeDisabled();
    await expect.element(page.getByRole('button', { name: 'Continue with Google' })).toBeDisabled();
    await page.getByRole('link', { name: 'Terms of Service' }).click();
    await expect.poll(inAddress).toBe(paths.terms);
  });

  it('draws no form before it is known which one follows', async () => {
    await signedOut(paths.login, { 'GET /api/auth/methods': 'pending' });
    await expect.element(page.getByRole('button', { name: 'Continue with GitHub' })).toBeVisible();
    expect(page.getByRole('textbox').elements()).toEqual([]);
    expect(page.getByRole('button', { name: 'Sign in' }).elements()).toEqual([]);
  });

  it('takes the code of a link that is pasted into the open tab', async () => {
    await signedOut(paths.login);
    await expect.element(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    window.location.hash = 'setup=pasted-later';
    await expect.element(heading('Create the first account')).toBeVisible();
    await expect.poll(inAddress).toBe(paths.login);
  });

  it('counts the characters a password lacks, and offers the usual ways once there is an account', async () => {
    const over = { success: false, code: 'first_run_over', detail: 'There is an account already' };
    const { callsTo } = await signedOut(`${paths.login}#setup=made-up`, {
      'POST /api/auth/exchange': () => Response.json(over, { status: 409 }),
    });
    await expect.element(heading('Create the first account')).toBeVisible();
    await expect.poll(inAddress).toBe(paths.login);
    await page.getByLabelText('Email').fill('first@example.com');
    const password = page.getByLabelText('Password', { exact: true });
    await password.fill('short');
    await expect.element(page.getByText('7 more characters needed')).toBeVisible();
    await password.fill('a long enough password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Login error: There is an account already');
    await expect.element(heading('Sign in to Plimsoll')).toBeVisible();
    expect(callsTo('POST', '/api/auth/exchange').map(({ body }) => body)).toEqual([
      { code: 'made-up', account: { email: 'first@example.com', password: 'a long enough password' } },
    ]);
  });
});

describe('the callback of a sign-in', () => {
  it('without a token fails, and goes to the login page after 3 s', async () => {
    // The page is there already, so that a redirect which comes too early shows at once.
    await import('./login-page.tsx');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    await signedOut(paths.callback);
    await expect.element(heading('Authentication Failed')).toBeVisible();
    await expect.element(page.getByText('No authentication token received')).toBeVisible();
    // Waiting for an element moves the clock by up to one of its intervals.
    vi.advanceTimersByTime(UI.callbackRedirect - SLACK_MS);
    await rest();
    await expect.element(page.getByText('Redirecting to login...')).toBeVisible();
    expect(inAddress()).toBe(paths.callback);
    // All of it again: React may have set the timer after the text was drawn.
    vi.advanceTimersByTime(UI.callbackRedirect);
    // From here on the clock would move by itself.
    vi.useRealTimers();
    await expect.poll(inAddress).toBe(paths.login);
  });

  it.each([`${paths.callback}#access_token=made-up`, `${paths.callback}?token=made-up`])(
    'takes the token out of the address before it asks for anything: %s',
    async (path) => {
      const addresses: string[] = [];
      await signedOut(path, {
        'POST /api/auth/exchange': ({ body }) => {
          addresses.push(inAddress());
          expect(body).toEqual({ code: 'made-up' });
          return { status: 401, detail: 'The code is unknown' };
        },
      });
      await expect.element(heading('Authentication Failed')).toBeVisible();
      await expect.element(page.getByText('The code is unknown')).toBeVisible();
      expect(addresses).toEqual([paths.callback]);
      expect(localStorage.getItem('plimsoll.token')).toBeNull();
    },
  );
});
