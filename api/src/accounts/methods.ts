import type { SignInMethodsAnswer } from '@plimsoll/contract/wire/auth';

export interface ConfiguredMethods {
  github: unknown;
  google: unknown;
  oidc: unknown;
}

const needs = (settings: string): string => `Not configured: set ${settings}`;

/** In the order of the sign-in page: GitHub and Google always first, whether configured or not. */
export function signInMethods({ github, google, oidc }: ConfiguredMethods): SignInMethodsAnswer['methods'] {
  const method = (
    id: SignInMethodsAnswer['methods'][number]['id'],
    name: string,
    enabled: boolean,
    settings: string,
  ): SignInMethodsAnswer['methods'][number] => ({ id, name, enabled, reason: enabled ? null : needs(settings) });
  return [
    method('github', 'GitHub', github != null, 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET'),
    method('google', 'Google', google != null, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'),
    method('oidc', 'Single sign-on', oidc != null, 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'),
    method('local', 'E-mail and password', true, ''),
  ];
}
