import { expect, test } from 'vitest';
import { signInMethods } from './methods.ts';

const none = { github: null, google: null, oidc: null };

test('GitHub and Google come first, local sign-in last and always', () => {
  const methods = signInMethods(none, true);
  expect(methods.map(({ id }) => id)).toEqual(['github', 'google', 'oidc', 'local']);
  expect(methods.at(-1)).toEqual({ id: 'local', name: 'E-mail and password', enabled: true, reason: null });
});

test.each([
  ['github', 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET'],
  ['google', 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'],
  ['oidc', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
])('%s names the settings it lacks, and nothing once it has them', (id, settings) => {
  const of = (configured: Parameters<typeof signInMethods>[0]) =>
    signInMethods(configured, true).find((one) => one.id === id);
  expect(of(none)).toMatchObject({ enabled: false, reason: `Not configured: set ${settings}` });
  expect(of({ ...none, [id]: { clientId: 'x' } })).toMatchObject({ enabled: true, reason: null });
});

test('without an address to come back to, a configured provider names the setting, and the password works', () => {
  const methods = signInMethods({ ...none, github: { clientId: 'x' } }, false);
  expect(methods.map(({ id, enabled, reason }) => [id, enabled, reason])).toEqual([
    ['github', false, 'Not available at this address: set PLIMSOLL_PUBLIC_URL'],
    ['google', false, 'Not configured: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'],
    ['oidc', false, 'Not configured: set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
    ['local', true, null],
  ]);
});
