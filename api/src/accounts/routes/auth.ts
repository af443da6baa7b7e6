import {
  exchangeRequest,
  localSignInRequest,
  sessionAnswer,
  signInMethodsAnswer,
  tokenAnswer,
} from '@plimsoll/contract/wire/auth';
import { profileAnswer } from '@plimsoll/contract/wire/users';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { redeemCode } from '../first-run.ts';
import { signInLocally } from '../local.ts';
import { signInMethods } from '../methods.ts';
import { DEVICE_MS, rememberDevice } from '../remembered-device.ts';
import { isOperator } from '../role.ts';
import { openSession, SESSION_MS, type OpenedSession } from '../session.ts';
import { hashToken } from '../tokens.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { SESSION_COOKIE } from '../../http/authenticate.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';
import { networkOf } from '../../http/rate-limit.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import type { Owner } from '../owner.ts';
import type { Account } from '../store.ts';

const tag = 'Sign-in';
/** Holds what binds a sign-in to the browser it was begun in. */
export const BINDING_COOKIE = 'auth_binding';
/** Holds the secret of a browser that signed in before: it has a rate of its own and grants nothing. */
export const DEVICE_COOKIE = 'auth_device';

/** Gives the session to the browser both ways: the token for the header, the cookie for reads and event streams. */
export async function handOver(
  deps: Deps,
  http: Http,
  session: OpenedSession,
  signIn: { accountId: string; method: 'local' | 'code' | 'invitation' | 'refresh' },
): Promise<z.input<typeof sessionAnswer>> {
  const userAgent = http.req.header('user-agent')?.slice(0, 256) ?? null;
  const from = { userAgent, address: http.get('clientAddress'), method: signIn.method };
  await deps.storage.identity.sessionList.describe(hashToken(session.token), from);
  if (signIn.method !== 'refresh') {
    await deps.storage.accounts.recordLogin(signIn.accountId, deps.clock.now());
    await audit(deps, http, signIn.accountId, 'signed_in', { method: signIn.method });
    await remember(deps, http, signIn.accountId);
  }
  setCookie(http, SESSION_COOKIE, session.token, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: http.get('secure'),
    maxAge: SESSION_MS / 1000,
  });
  return { token: session.token, expires_at: iso(session.expiresAt) };
}

async function remember({ storage, clock }: Deps, http: Http, accountId: string): Promise<void> {
  const secret = await rememberDevice({ devices: storage.identity.devices, clock }, accountId);
  setCookie(http, DEVICE_COOKIE, secret, {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Strict',
    secure: http.get('secure'),
    maxAge: DEVICE_MS / 1000,
  });
}

const ok = z.object({});

export const authRoutes = (deps: Deps): Route[] => [...signInRoutes(deps), ...sessionRoutes(deps)];

function signInRoutes(deps: Deps): Route[] {
  const { storage, clock, rates, config } = deps;
  const { accounts, sessions, signInCodes } = storage;
  const { secondFactors, devices } = storage.identity;
  const { secretBox, failedSignIns: failures } = deps;
  const local = { accounts, sessions, secondFactors, devices, secretBox, failures, limits: rates, clock };
  const limit = (http: Http): Promise<void> => rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/api/auth/methods',
        actor: 'anyone',
        summary: 'Lists the ways to sign in',
        tag,
        answer: signInMethodsAnswer,
      },
      async () => ({ methods: signInMethods(config), first_run: (await accounts.count()) === 0 }),
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/auth/local',
        actor: 'anyone',
        summary: 'Sign in with e-mail and password',
        tag,
        body: localSignInRequest,
        answer: sessionAnswer,
      },
      async ({ body, http }) => {
        const address = http.get('clientAddress');
        const device = getCookie(http, DEVICE_COOKIE);
        const attempt = { ...body, address, network: networkOf(address), device };
        const session = await signInLocally(local, attempt);
        return handOver(deps, http, session, { accountId: session.accountId, method: 'local' });
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/auth/exchange',
        actor: 'anyone',
        summary: 'Exchange a single-use code for a session',
        tag,
        body: exchangeRequest,
        answer: sessionAnswer,
      },
      async ({ body, http }) => {
        await limit(http);
        const binding = getCookie(http, BINDING_COOKIE);
        const bindingHash = binding === undefined ? null : hashToken(binding);
        const accountId = await redeemCode({ accounts, signInCodes, clock }, { ...body, bindingHash });
        deleteCookie(http, BINDING_COOKIE, { path: '/' });
        const session = await openSession({ sessions, clock }, accountId);
        return handOver(deps, http, session, { accountId, method: 'code' });
      },
    ),
  ];
}

const userOf = (account: Account, role: Owner['role'], operatesHere: boolean) => ({
  id: account.id,
  name: account.name,
  email: account.email,
  avatar: account.avatarUrl === null ? null : '/api/user/avatar',
  github_username: account.githubUsername,
  is_active: account.isActive,
  role,
  is_operator: operatesHere,
  created_at: iso(account.createdAt),
  last_login: isoOrNull(account.lastLoginAt),
});

function sessionRoutes(deps: Deps): Route[] {
  const { storage, clock, streams } = deps;
  const { accounts, sessions } = storage;
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/api/auth/profile',
        actor: 'user',
        summary: 'Returns your account',
        tag,
        answer: profileAnswer,
      },
      async ({ actor }) => {
        const account = await accounts.get(actor.accountId);
        if (account === null) throw notFound('Account');
        const operatesHere = isOperator(actor.owner, await accounts.oldest());
        return { user: userOf(account, actor.owner.role, operatesHere), demo: deps.config.isDemo };
      },
    ),
    defineRoute(
      {
        method: 'GET',
        path: '/api/auth/token',
        actor: 'user',
        summary: 'Describes the current token without its secret',
        tag,
        answer: tokenAnswer,
      },
      ({ actor }) =>
        Promise.resolve({ kind: actor.kind, scopes: [...actor.scopes], expires_at: isoOrNull(actor.expiresAt) }),
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/auth/refresh',
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Creates a new session and revokes the old token',
        tag,
        answer: sessionAnswer,
      },
      async ({ actor, http }) => {
        const opened = await openSession({ sessions, clock }, actor.accountId);
        await sessions.revoke(actor.tokenHash);
        streams.endSession(actor.id);
        return handOver(deps, http, opened, { accountId: actor.accountId, method: 'refresh' });
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/auth/logout',
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Ends this session',
        tag,
        answer: ok,
      },
      async ({ actor, http }) => {
        await sessions.revoke(actor.tokenHash);
        streams.endSession(actor.id);
        await audit(deps, http, actor.accountId, 'signed_out');
        deleteCookie(http, SESSION_COOKIE, { path: '/' });
        return {};
      },
    ),
  ];
}
