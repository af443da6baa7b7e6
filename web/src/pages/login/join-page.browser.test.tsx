import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { invitationCode } from '../../state/invitation-code.ts';
import { returnPath } from '../../state/return-path.ts';
import { drawApp } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';

const CODE = 'plm_invite_code';
const LOOK = 'POST /api/team/invitations/look';
const invitation = (email: string | null = null) => ({
  data: { organisation: 'Harbour', role: 'editor', email, expires_at: '2126-01-01T00:00:00.000Z' },
});
const show = async (answers: Answers, { isSignedIn = false, at = `/join#code=${CODE}` } = {}) => {
  const drawn = await drawApp(at, { isSignedIn, answers: { [LOOK]: invitation(), ...answers } });
  await drawn.settled();
  return drawn;
};
afterEach(() => invitationCode.forget());

test('says who invites and as what, and takes the code out of the address', async () => {
  await show({});
  await expect.element(page.getByRole('heading', { name: 'Join Harbour' })).toBeVisible();
  await expect.element(page.getByText(/^as editor: sees and changes/)).toBeVisible();
  expect(window.location.hash).toBe('');
  expect(window.location.href).not.toContain(CODE);
});

test('answers another link that is pasted into the open page', async () => {
  const { callsTo } = await show({});
  await expect.element(page.getByRole('heading', { name: 'Join Harbour' })).toBeVisible();
  window.location.hash = '#code=plm_invite_other';
  await expect
    .poll(() => callsTo('POST', '/api/team/invitations/look').map(({ body }) => body))
    .toEqual([{ code: CODE }, { code: 'plm_invite_other' }]);
  expect(window.location.hash).toBe('');
});

test('creates the account of somebody new', async () => {
  const { callsTo } = await show({
    'POST /api/team/sign-up': {
      status: 409,
      detail: 'An account with this e-mail address exists.',
      remedy: 'Sign in with it.',
    },
  });
  await page.getByLabelText('Email').fill('new@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect.element(page.getByText(/An account with this e-mail address exists/)).toBeVisible();
  expect(callsTo('POST', '/api/team/sign-up').map(({ body }) => body)).toEqual([
    { code: CODE, email: 'new@example.com', password: 'correct horse battery' },
  ]);
});

const method = (id: string, enabled: boolean) => ({ id, name: id, enabled, reason: null });
const METHODS = {
  'GET /api/auth/methods': {
    data: { methods: [method('github', false), method('google', true), method('local', true)] },
  },
};

test('offers the providers that are configured, and says why a sign-in did not start', async () => {
  const { callsTo } = await show({
    ...METHODS,
    'POST /api/team/sign-in': { status: 410, detail: 'This invitation is used, expired or withdrawn' },
  });
  await expect.element(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
  expect(page.getByRole('button', { name: /GitHub/ }).elements()).toEqual([]);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await expect.element(page.getByText('This invitation is used, expired or withdrawn')).toBeVisible();
  expect(callsTo('POST', '/api/team/sign-in').map(({ body }) => body)).toEqual([{ code: CODE, provider: 'google' }]);
});

test.each([
  ['&joined=1', null, '/'],
  ['', CODE, '/join'],
])('a sign-in that comes back with "%s" leaves the invitation %s and leads to %s', async (suffix, kept, place) => {
  invitationCode.remember(CODE);
  returnPath.remember('/join');
  await show(
    { 'POST /api/auth/exchange': { data: { token: 'token' } } },
    { at: `/auth/callback#access_token=code${suffix}` },
  );
  await expect.poll(() => window.location.pathname).toBe(place);
  expect(invitationCode.get()).toBe(kept);
});

test('keeps to the address that was invited', async () => {
  await show({ [LOOK]: invitation('ann@example.com') });
  await expect.element(page.getByLabelText('Email')).toHaveValue('ann@example.com');
  expect(page.getByLabelText('Email').element()).toHaveProperty('readOnly', true);
});

test('lets somebody with an account sign in first and come back', async () => {
  await show({});
  await page.getByRole('link', { name: 'Sign in first' }).click();
  await expect.element(page.getByRole('heading', { name: 'Sign in to Plimsoll' })).toBeVisible();
  expect(invitationCode.get()).toBe(CODE);
});

test('asks a person who is signed in before it moves them', async () => {
  const { callsTo } = await show(
    {
      'POST /api/team/join': {
        status: 409,
        detail: 'Your own organisation has further members',
        remedy: 'Remove them first.',
      },
    },
    { isSignedIn: true },
  );
  await expect.element(page.getByText(/Your own stay where they are/)).toBeVisible();
  expect(callsTo('POST', '/api/team/join')).toEqual([]);
  await page.getByRole('button', { name: 'Join Harbour' }).click();
  await expect.element(page.getByText(/further members/)).toBeVisible();
  expect(callsTo('POST', '/api/team/join').map(({ body }) => body)).toEqual([{ code: CODE }]);
});

test('says what to do with a link that is used, and with one that was cut', async () => {
  await show({
    [LOOK]: {
      status: 410,
      detail: 'This invitation is used, expired or withdrawn',
      remedy: 'Ask an admin of the organisation for a new link.',
    },
  });
  await expect.element(page.getByText(/Ask an admin of the organisation for a new link/)).toBeVisible();
  invitationCode.forget();
  await show({}, { at: '/join' });
  await expect.element(page.getByText(/Open the whole link/)).toBeVisible();
});
