import {
  exchangeRequest,
  localSignInRequest,
  sessionAnswer,
  signInMethodsAnswer,
  tokenAnswer,
} from '@plimsoll/contract/wire/accounts/auth';
import { profileAnswer } from '@plimsoll/contract/wire/accounts/users';
import { deleteCookie, getCookie } from 'hono/cookie';
import { z } from 'zod';
import { signInLocally } from '../local.ts';
import { signInMethods } from '../methods.ts';
import { isOperator } from '../../tenancy/role.ts';
import { exchangeCode } from '../sessions/exchange-code.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { signOut } from '../sessions/sign-out.ts';
import { signInOrigin } from '../sign-in-origin.ts';
import { hashToken } from '../tokens.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { SESSION_COOKIE } from '../../http/authenticate.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { networkOf } from '../../http/limits/rate-limit.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Account } from '../types.ts';
import { browserOf, DEVICE_COOKIE, handOver } from './hand-over.ts';

const tag = 'Sign-in';
/** Holds what binds a sign-in to the browser it was begun in. */
export const BINDING_COOKIE = 'auth_binding';
const ok = z.object({});

export const authRoutes = (deps: Deps): Route[] => [...signInRoutes(deps), ...sessionRoutes(deps)];

function signInRoutes(deps: Deps): Route[] {
  const { storage, clock, rates, config } = deps;
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
      async ({ http }) => ({
        methods: signInMethods(
          config,
          signInOrigin(config.publicUrl, { url: http.req.url, secure: http.get('secure') }) !== null,
        ),
        first_run: (await storage.accounts.count()) === 0,
      }),
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/auth/local',
        actor: 'anyone',
        summary: 'Sign in with e-mail and password',
        audit: 'signed_in',
        tag,
        body: localSignInRequest,
        answer: sessionAnswer,
      },
      async ({ body, http }) => {
        const browser = browserOf(http);
        const device = getCookie(http, DEVICE_COOKIE);
        const attempt = { ...body, ...browser, network: networkOf(browser.address), device };
        return handOver(http, await signInLocally(deps, attempt));
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: '/api/auth/exchange',
        actor: 'anyone',
        summary: 'Exchange a single-use code for a session',
        audit: 'signed_in',
        tag,
        body: exchangeRequest,
        answer: sessionAnswer,
      },
      async ({ body, http }) => {
        await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
        const binding = getCookie(http, BINDING_COOKIE);
        const bindingHash = binding === undefined ? null : hashToken(binding);
        const session = await exchangeCode(deps, { ...body, bindingHash }, browserOf(http));
        deleteCookie(http, BINDING_COOKIE, { path: '/' });
        return handOver(http, session);
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
  const { accounts } = deps.storage;
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
        const account = await accounts.get(actor.personId);
        if (account === null) throw notFound('Account');
        const operatesHere = isOperator(actor.owner, await accounts.oldest());
        const { isDemo, publicUrl } = deps.config;
        return { user: userOf(account, actor.owner.role, operatesHere), demo: isDemo, public_url: publicUrl };
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
        audit: null,
        notAudited: 'A session continues that its sign-in recorded.',
        tag,
        answer: sessionAnswer,
      },
      async ({ actor, http }) => {
        const caller = { personId: actor.personId, sessionId: actor.id };
        return handOver(http, await refreshSession(deps, caller, browserOf(http)));
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
        audit: 'signed_out',
        tag,
        answer: ok,
      },
      async ({ actor, http }) => {
        await signOut(deps, { ...actor, sessionId: actor.id });
        deleteCookie(http, SESSION_COOKIE, { path: '/' });
        return {};
      },
    ),
  ];
}
