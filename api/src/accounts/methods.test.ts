import { expect, test } from 'vitest';
import { signInMethods } from './methods.ts';

const none = { github: null, google: null, oidc: null };

test('GitHub and Google come first, local sign-in last and always', () => {
  const methods = signInMethods(none);
  expect(methods.map(({ id }) => id)).toEqual(['github', 'google', 'oidc', 'local']);
  expect(methods.at(-1)).toEqual({ id: 'local', name: 'E-mail and password', enabled: true, reason: null });
});

test.each([
  ['github', 'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET'],
  ['google', 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'],
  ['oidc', 'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET'],
])('%s names the settings it lacks, and nothing once it has them', (id, settings) => {
  const of = (configured: Parameters<typeof signInMethods>[0]) =>
    signInMethods(configured).find((one) => one.id === id);
  expect(of(none)).toMatchObject({ enabled: false, reason: `Not configured: set ${settings}` });
  expect(of({ ...none, [id]: { clientId: 'x' } })).toMatchObject({ enabled: true, reason: null });
});
