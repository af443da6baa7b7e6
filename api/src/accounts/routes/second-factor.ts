import { totpAnswer, totpBeginAnswer, totpCodeRequest } from '@plimsoll/contract/wire/account';
import { beginTotp, settleTotp } from '../second-factor.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Http, type Route } from '../../http/define-route.ts';

const tag = 'Account';
const path = '/api/auth/totp';

/** Codes sent with a session are counted apart: those of strangers at sign-in must not lock the owner's settings. */
const limitCodes =
  ({ rates, clock }: Deps) =>
  async (http: Http, accountId: string): Promise<void> => {
    await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
    await rates.totp.require(`settings ${accountId}`, clock.now());
  };

export const secondFactorRoutes = (deps: Deps): Route[] => {
  const { clock, secretBox, storage } = deps;
  const { secondFactors } = storage.identity;
  const factorDeps = { secondFactors, secretBox, clock };
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
      async ({ actor }) => ({ enabled: (await secondFactors.get(actor.accountId)).confirmed }),
    ),
    defineRoute(
      {
        method: 'POST',
        path: `${path}/begin`,
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Creates a secret for an authenticator app; a first code must confirm it',
        tag,
        answer: totpBeginAnswer,
      },
      async ({ actor }) => {
        const account = await storage.accounts.get(actor.accountId);
        if (account === null) throw notFound('Account');
        const { secret, url } = await beginTotp(factorDeps, account);
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
        tag,
        body: totpCodeRequest,
        answer: totpAnswer,
      },
      async ({ actor, body, http }) => {
        await limit(http, actor.accountId);
        await settleTotp(factorDeps, actor.accountId, body.code);
        await audit(deps, http, actor.accountId, 'second_factor_on');
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
        tag,
        body: totpCodeRequest,
        answer: totpAnswer,
      },
      async ({ actor, body, http }) => {
        await limit(http, actor.accountId);
        await settleTotp(factorDeps, actor.accountId, body.code);
        await secondFactors.remove(actor.accountId);
        await audit(deps, http, actor.accountId, 'second_factor_off');
        return { enabled: false };
      },
    ),
  ];
};
