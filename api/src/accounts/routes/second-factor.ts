import { totpAnswer, totpBeginAnswer, totpCodeRequest } from '@plimsoll/contract/wire/accounts/account';
import { beginSecondFactor } from '../settings/begin-second-factor.ts';
import { confirmSecondFactor } from '../settings/confirm-second-factor.ts';
import { removeSecondFactor } from '../settings/remove-second-factor.ts';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';
import type { PersonId } from '../../tenancy/ids.ts';

const tag = 'Account';
const path = '/api/auth/totp';

/** Codes sent with a session are counted apart: those of strangers at sign-in must not lock the owner's settings. */
const limitCodes =
  ({ rates, clock }: Deps) =>
  async (http: Http, personId: PersonId): Promise<void> => {
    await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
    await rates.totp.require(`settings ${personId}`, clock.now());
  };

export const secondFactorRoutes = (deps: Deps): Route[] => {
  const { secondFactors } = deps.storage.identity;
  const limit = limitCodes(deps);
  return [
    defineRoute(
      {
        method: 'GET',
        path,
        actor: 'user',
        scope: 'session',
        summary: 'Reports whether the second factor is on',
        tag,
        answer: totpAnswer,
      },
      async ({ actor }) => ({ enabled: (await secondFactors.get(actor.personId)).confirmed }),
    ),
    defineRoute(
      {
        method: 'POST',
        path: `${path}/begin`,
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Creates a secret for an authenticator app; a first code must confirm it',
        audit: null,
        notAudited: 'The secret counts once a first code confirms it.',
        tag,
        answer: totpBeginAnswer,
      },
      async ({ actor }) => {
        const { secret, url } = await beginSecondFactor(deps, actor);
        return { secret, otpauth_url: url };
      },
    ),
    defineRoute(
      {
        method: 'POST',
        path: `${path}/confirm`,
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Switch the second factor on with a first code',
        audit: 'second_factor_on',
        tag,
        body: totpCodeRequest,
        answer: totpAnswer,
      },
      async ({ actor, body, http }) => {
        await limit(http, actor.personId);
        await confirmSecondFactor(deps, actor, body.code);
        return { enabled: true };
      },
    ),
    defineRoute(
      {
        method: 'DELETE',
        path,
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Switch the second factor off with a code',
        audit: 'second_factor_off',
        tag,
        body: totpCodeRequest,
        answer: totpAnswer,
      },
      async ({ actor, body, http }) => {
        await limit(http, actor.personId);
        await removeSecondFactor(deps, actor, body.code);
        return { enabled: false };
      },
    ),
  ];
};
