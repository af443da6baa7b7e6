import { authUrlAnswer } from '@plimsoll/contract/wire/accounts/auth';
import { invitedSignInRequest, invitedSignUpAnswer, invitedSignUpRequest } from '@plimsoll/contract/wire/accounts/team';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { lookAtInvitation } from '../../tenancy/look-at-invitation.ts';
import { signUpInvited } from '../sign-up-invited.ts';
import { browserOf, handOver } from './hand-over.ts';
import { beginExternal, providersOf } from './external-sign-in.ts';

const tag = 'Team';

/** Ways of an invited person to sign in for the first time. */
export const invitedRoutes = (deps: Deps): Route[] => [signUpToTeam(deps), signInToTeam(deps)];

const signUpToTeam = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/sign-up',
      actor: 'anyone',
      summary: 'Creates the account of an invited person and signs it in',
      audit: 'signed_in',
      tag,
      body: invitedSignUpRequest,
      answer: invitedSignUpAnswer,
    },
    async ({ body: { code, ...account }, http }) => {
      await deps.rates.signIn.requireFrom(http.get('clientAddress'), deps.clock.now());
      return handOver(http, await signUpInvited(deps, code, account, browserOf(http)));
    },
  );

const signInToTeam = (deps: Deps): Route => {
  const providers = providersOf(deps);
  return defineRoute(
    {
      method: 'POST',
      path: '/api/team/sign-in',
      actor: 'anyone',
      summary: 'Starts the sign-in of an invited person at a provider, and returns the address for the browser',
      audit: null,
      notAudited: 'The call starts a sign-in; its end leaves the entry.',
      tag,
      body: invitedSignInRequest,
      answer: authUrlAnswer,
    },
    async ({ body: { code, provider }, http }) => {
      const { storage, clock, rates } = deps;
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      const { codeHash } = await lookAtInvitation({ teams: storage.tenancy.teams, clock }, code);
      return beginExternal(deps, { id: provider, provider: providers[provider] }, http, codeHash);
    },
  );
};
