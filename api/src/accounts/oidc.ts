import * as client from 'openid-client';
import { CodedError } from '../errors.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Provider } from './types.ts';
import { sanitizeText } from '../reports/sanitize.ts';
import type { Person, SignInProvider } from './provider.ts';

export interface OidcOptions {
  id: Provider;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The claim that lists a person's groups; none: groups are not read. */
  groupsClaim?: string;
}

const SCOPES = 'openid email profile';
/** Seconds. */
const REQUEST_TIMEOUT = 10;

/** Google, or any OpenID Connect issuer: code flow with PKCE (S256), state and nonce. */
export function oidcProvider(options: OidcOptions): SignInProvider {
  const issuer = new URL(options.issuer);
  const { groupsClaim } = options;
  let discovered: Promise<client.Configuration> | null = null;
  /** Fetched once; a failure is not cached, so the next sign-in fetches again. */
  const configuration = (): Promise<client.Configuration> => {
    // The library requires permission for http://; an operator who writes it gives that permission.
    const insecure = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    // The library trusts TLS and skips the signature of an id token by default; with the check, HS256 is refused.
    const execute = [client.enableNonRepudiationChecks, ...insecure];
    discovered ??= client
      .discovery(issuer, options.clientId, options.clientSecret, undefined, {
        execute,
        timeout: REQUEST_TIMEOUT,
        [client.customFetch]: boundedFetch,
      })
      .catch((cause: unknown) => {
        discovered = null;
        throw failed('The issuer does not respond as OpenID Connect requires', cause);
      });
    return discovered;
  };
  return {
    id: options.id,
    authorizationUrl: async ({ state, nonce, verifier }, redirectUri) => {
      const challenge = await client.calculatePKCECodeChallenge(verifier);
      return client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: SCOPES,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }).href;
    },
    identify: async (callback, { state, nonce, verifier }) => {
      const config = await configuration();
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await client
        .authorizationCodeGrant(config, callback, checks)
        .catch((cause: unknown) => Promise.reject(failed('The provider did not confirm the sign-in', cause)));
      const claims = tokens.claims();
      if (claims === undefined) throw failed('The provider sent no identity');
      // Some issuers give the address, or the groups, only here.
      const info =
        claims['email'] === undefined || (groupsClaim !== undefined && claims[groupsClaim] === undefined)
          ? await client
              .fetchUserInfo(config, tokens.access_token, claims.sub)
              .catch((cause: unknown) => Promise.reject(failed('The provider did not identify the user', cause)))
          : {};
      const all: Record<string, unknown> = { ...claims, ...info };
      return { ...personOf(all), ...(groupsClaim !== undefined && { groups: groupsOf(all[groupsClaim]) }) };
    },
  };
}

const failed = (detail: string, cause?: unknown): CodedError => new CodedError('provider_failed', detail, { cause });

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? sanitizeText(value) : null;

/** A list, or one name alone, as issuers send it. */
const groupsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((group): group is string => typeof group === 'string');

function personOf(claims: Record<string, unknown>): Person {
  const email = textOf(claims['email']);
  const verified = claims['email_verified'] === true || claims['email_verified'] === 'true';
  return {
    subject: sanitizeText(String(claims['sub'])),
    email: verified ? email : null,
    name: textOf(claims['name']) ?? email ?? 'Unnamed',
    avatarUrl: textOf(claims['picture']),
  };
}
