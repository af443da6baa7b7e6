import { authUrlAnswer } from '@plimsoll/contract/wire/accounts/auth';
import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import { beginSignIn, finishSignIn } from '../external.ts';
import { gitHubProvider } from '../github.ts';
import { oidcProvider } from '../oidc.ts';
import type { SignInProvider } from '../provider.ts';
import { originUnknown, signInOrigin } from '../sign-in-origin.ts';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';
import { BINDING_COOKIE } from './auth.ts';

const tag = 'Sign-in';
/** Lax: the browser comes back from another site. It holds nothing but a random value. */
const FLOW_COOKIE = 'auth_flow';
const FLOW_SECONDS = 600;
const CODE_SECONDS = 300;
const IDS = ['github', 'google', 'oidc'] as const;
type Id = (typeof IDS)[number];

/** Configured providers. */
export function providersOf({ config }: Deps): Partial<Record<Id, SignInProvider>> {
  const { github, google, googleIssuer, oidc, oidcGroups, githubUrl, signUp } = config;
  const readOrganisations = signUp.githubOrganisations.length > 0;
  return {
    ...(github && { github: gitHubProvider({ ...github, url: githubUrl, readOrganisations }) }),
    ...(google && { google: oidcProvider({ ...google, id: 'google', issuer: googleIssuer }) }),
    ...(oidc && { oidc: oidcProvider({ ...oidc, ...(oidcGroups && { groupsClaim: oidcGroups.claim }), id: 'oidc' }) }),
  };
}

const SETTINGS: Record<Id, string> = {
  github: 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET',
  google: 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
  oidc: 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET',
};
const notConfigured = (id: Id): CodedError =>
  new CodedError('sign_in_not_configured', `Signing in with ${id} is not configured`, {
    remedy: `Set ${SETTINGS[id]} and restart.`,
  });

/** Returns the origin to which a provider sends the browser back. Throws `sign_in_not_configured`. */
function requireOrigin({ config }: Deps, http: Http): string {
  const origin = signInOrigin(config.publicUrl, { url: http.req.url, secure: http.get('secure') });
  if (origin === null) throw originUnknown();
  return origin;
}

export const externalSignInRoutes = (deps: Deps): Route[] => {
  const providers = providersOf(deps);
  return IDS.flatMap((id) => [beginRoute(deps, id, providers[id]), callbackRoute(deps, id, providers[id])]);
};

const beginRoute = (deps: Deps, id: Id, provider: SignInProvider | undefined): Route =>
  defineRoute(
    {
      method: 'GET',
      path: `/api/auth/${id}`,
      actor: 'anyone',
      summary: `Starts to sign in with ${id} and returns the address for the browser`,
      tag,
      query: { redirect_uri: z.string().max(2048).optional() },
      answer: authUrlAnswer,
    },
    async ({ query, http }) => {
      const { clock, rates } = deps;
      if (provider === undefined) throw notConfigured(id);
      const landing = `${requireOrigin(deps, http)}/auth/callback`;
      if (query.redirect_uri !== undefined && query.redirect_uri !== landing)
        throw new CodedError('invalid_parameter', 'redirect_uri: must be the address of this dashboard', {
          field: 'redirect_uri',
          remedy: `Omit it or send ${landing}.`,
        });
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      return beginExternal(deps, { id, provider }, http, null);
    },
  );

/** Keeps the sign-in to this browser. `invitationHash` lets somebody new create an account. */
export async function beginExternal(
  deps: Deps,
  { id, provider }: { id: Id; provider: SignInProvider | undefined },
  http: Http,
  invitationHash: Buffer | null,
): Promise<{ auth_url: string }> {
  if (provider === undefined) throw notConfigured(id);
  const redirect = `${requireOrigin(deps, http)}/api/auth/${id}/callback`;
  const { url, binding } = await beginSignIn(deps, provider, redirect, invitationHash);
  setCookie(http, FLOW_COOKIE, binding, {
    path: '/api/auth',
    httpOnly: true,
    sameSite: 'Lax',
    secure: http.get('secure'),
    maxAge: FLOW_SECONDS,
  });
  return { auth_url: url };
}

const callbackRoute = (deps: Deps, id: Id, provider: SignInProvider | undefined): Route =>
  defineRoute(
    {
      method: 'GET',
      path: `/api/auth/${id}/callback`,
      actor: 'anyone',
      summary: `Receives the browser from ${id} and redirects it with a single-use code or an error code`,
      tag,
      query: Object.fromEntries(CALLBACK_PARAMETERS.map((name) => [name, z.string().max(4096).optional()])),
      answer: null,
    },
    async ({ http }) => {
      try {
        if (provider === undefined) throw notConfigured(id);
        return await comeBack(deps, provider, http);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        deps.log.info({ code: error.code, provider: id, err: error.cause }, 'sign-in refused');
        return http.redirect(`/auth/callback#error=${error.code}`, 302);
      }
    },
  );

/** Parameters that OAuth 2, OpenID Connect and Google add. */
const CALLBACK_PARAMETERS = [
  'code',
  'state',
  'iss',
  'scope',
  'session_state',
  'error',
  'error_description',
  'error_uri',
  'authuser',
  'prompt',
  'hd',
] as const;

async function comeBack(deps: Deps, provider: SignInProvider, http: Http): Promise<Response> {
  const { signUp, oidcGroups: groupRoles } = deps.config;
  const callback = new URL(
    new URL(http.req.url).search,
    `${requireOrigin(deps, http)}/api/auth/${provider.id}/callback`,
  );
  const rules = { ...deps, signUp, groupRoles };
  const { code, binding, isInvited } = await finishSignIn(rules, provider, callback, getCookie(http, FLOW_COOKIE));
  setCookie(http, BINDING_COOKIE, binding, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: http.get('secure'),
    maxAge: CODE_SECONDS,
  });
  return http.redirect(`/auth/callback#access_token=${code}${isInvited ? '&joined=1' : ''}`, 302);
}
