import { beforeEach, expect, test } from 'vitest';
import { TestClock } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { beginSignIn, finishSignIn, type ExternalDeps } from './external.ts';
import type { FlowSecrets, Person, SignInProvider } from './provider.ts';
import { hashToken } from './tokens.ts';

const db = testStorage();
const CALLBACK = 'https://plimsoll.example/api/auth/oidc/callback';
let serial = 0;
let clock: TestClock;
let ada: Person;
beforeEach(() => {
  clock = new TestClock();
  serial += 1;
  ada = {
    subject: `subject-${String(serial)}`,
    email: `ada-${String(serial)}@example.org`,
    name: 'Ada',
    avatarUrl: null,
  };
});

/** Vouches for `ada` without asking; keeps what it was handed. */
const provider = (id: SignInProvider['id'] = 'oidc', seen: FlowSecrets[] = []): SignInProvider => ({
  id,
  authorizationUrl: ({ state }) => Promise.resolve(`https://issuer.example/?state=${state}`),
  identify: (_callback, secrets) => {
    seen.push(secrets);
    return Promise.resolve(ada);
  },
});
const deps = (domains = ['example.org']): ExternalDeps => {
  const signUp = { emails: [], domains, githubOrganisations: [] };
  return { storage: db.storage(), clock, streams: { endSession: () => {} }, signUp, groupRoles: null };
};
const begin = async (at = provider()) => {
  const { url, binding } = await beginSignIn(deps(), at, CALLBACK, null);
  const back = new URL(CALLBACK);
  back.searchParams.set('state', new URL(url).searchParams.get('state') ?? '');
  return { back, binding };
};
const signIn = async (at = provider(), rules = deps()) => {
  const { back, binding } = await begin(at);
  return finishSignIn(rules, at, back, binding);
};
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'let in',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );

test('the first sign-in makes the account, the next ones find it and bring name and picture', async () => {
  const first = await signIn();
  ada = { ...ada, name: 'Ada Lovelace', avatarUrl: 'https://x.example/a.png' };
  const second = await signIn();
  expect(second.personId).toBe(first.personId);
  expect(await db.storage().accounts.get(first.personId)).toMatchObject({
    email: ada.email,
    name: 'Ada Lovelace',
    avatarUrl: 'https://x.example/a.png',
  });
  const code = hashToken(second.code);
  const { signInCodes } = db.storage();
  expect(await signInCodes.consume(code, hashToken('another browser'), clock.now())).toBeNull();
});

test('the same subject of another provider is somebody else', async () => {
  const { personId } = await signIn();
  ada = { ...ada, email: `other-${String(serial)}@example.org` };
  expect((await signIn(provider('google'))).personId).not.toBe(personId);
});

test('a changed address stays the same account; an address somebody has opens none', async () => {
  const { personId } = await signIn();
  const { email } = ada;
  ada = { ...ada, email: `new-${String(serial)}@example.org` };
  expect((await signIn()).personId).toBe(personId);
  ada = { ...ada, subject: 'an impostor', email };
  expect(await codeOf(signIn())).toBe('email_taken');
});

test('who no rule names gets no account, and who has one keeps it when the rules are closed', async () => {
  expect(await codeOf(signIn(provider(), deps([])))).toBe('sign_up_closed');
  const { personId } = await signIn();
  expect((await signIn(provider(), deps([]))).personId).toBe(personId);
});

test('an address the provider has not verified opens no account', async () => {
  ada = { ...ada, email: null };
  expect(await codeOf(signIn())).toBe('sign_up_closed');
});

test('an account that was switched off is not let in', async () => {
  const { personId } = await signIn();
  await db.sql('UPDATE account SET is_active = false WHERE id = $1', [personId]);
  expect(await codeOf(signIn())).toBe('sign_up_closed');
});

test('the state is used up whatever follows: a refusal of the provider, another browser, another provider', async () => {
  const refused = await begin();
  const withError = new URL(refused.back);
  withError.searchParams.set('error', 'access_denied');
  expect(await codeOf(finishSignIn(deps(), provider(), withError, refused.binding))).toBe('provider_refused');
  const stolen = await begin();
  for (const binding of ['of another browser', undefined, ''])
    expect(await codeOf(finishSignIn(deps(), provider(), stolen.back, binding))).toBe('state_invalid');
  const crossed = await begin(provider('google'));
  expect(await codeOf(finishSignIn(deps(), provider('oidc'), crossed.back, crossed.binding))).toBe('state_invalid');
  for (const { back, binding } of [refused, stolen])
    expect(await codeOf(finishSignIn(deps(), provider(), back, binding))).toBe('state_invalid');
});

test('it may take ten minutes, not longer, and needs a state at all', async () => {
  const { back, binding } = await begin();
  clock.pass(599);
  expect((await finishSignIn(deps(), provider(), back, binding)).personId).toBeTruthy();
  const late = await begin();
  clock.pass(600);
  expect(await codeOf(finishSignIn(deps(), provider(), late.back, late.binding))).toBe('state_invalid');
  expect(await codeOf(finishSignIn(deps(), provider(), new URL(CALLBACK), binding))).toBe('state_invalid');
});

test('its code is good for five minutes', async () => {
  const { signInCodes } = db.storage();
  const used = async (seconds: number): Promise<boolean> => {
    const { code, binding } = await signIn();
    clock.pass(seconds);
    return (await signInCodes.consume(hashToken(code), hashToken(binding), clock.now())) !== null;
  };
  expect([await used(299), await used(300)]).toEqual([true, false]);
});

test('each sign-in has secrets of its own, and the provider gets those it was begun with', async () => {
  const seen: FlowSecrets[] = [];
  for (let n = 0; n < 3; n += 1) await signIn(provider('oidc', seen));
  const all = seen.flatMap(({ state, nonce, verifier }) => [state, nonce, verifier]);
  expect(new Set(all).size).toBe(9);
  // 256 bits each; RFC 7636 requires a verifier of 43 to 128 characters.
  expect(all.every((text) => /^[\w-]{43}$/.test(text))).toBe(true);
});
