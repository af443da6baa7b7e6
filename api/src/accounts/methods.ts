import type { SignInMethodsAnswer } from '@plimsoll/contract/wire/accounts/auth';
import { NEEDS_PUBLIC_URL } from './sign-in-origin.ts';

export interface ConfiguredMethods {
  github: unknown;
  google: unknown;
  oidc: unknown;
}

const needs = (settings: string): string => `Not configured: set ${settings}`;

/**
 * In the order of the sign-in page: GitHub and Google always first, whether configured or not. `hasOrigin`: providers have
 * an address to send the browser back to.
 */
export function signInMethods(
  { github, google, oidc }: ConfiguredMethods,
  hasOrigin: boolean,
): SignInMethodsAnswer['methods'] {
  const method = (
    id: SignInMethodsAnswer['methods'][number]['id'],
    name: string,
    isConfigured: boolean,
    settings: string,
  ): SignInMethodsAnswer['methods'][number] => {
    const reason = !isConfigured ? needs(settings) : hasOrigin || id === 'local' ? null : NEEDS_PUBLIC_URL;
    return { id, name, enabled: reason === null, reason };
  };
  return [
    method('github', 'GitHub', github != null, 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET'),
    method('google', 'Google', google != null, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'),
    method('oidc', 'Single sign-on', oidc != null, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'),
    method('local', 'E-mail and password', true, ''),
  ];
}
