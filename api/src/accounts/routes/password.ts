import { changePasswordRequest } from '@plimsoll/contract/wire/account';
import { getCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { changePassword } from '../change-password.ts';
import { deviceHashOf } from '../remembered-device.ts';
import { DEVICE_COOKIE } from './auth.ts';

export const passwordRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'PUT',
      path: '/api/auth/password',
      actor: 'user',
      role: 'viewer',
      scope: 'session',
      summary: 'Changes your password; your other sessions end',
      tag: 'Account',
      body: changePasswordRequest,
      answer: z.object({}),
    },
    async ({ actor, body, http }) => {
      const { storage, clock, rates, streams } = deps;
      const { sessionList, devices } = storage.identity;
      // Counted apart from the tries of strangers at sign-in.
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      await rates.signInAccount.require(`settings ${actor.accountId}`, clock.now());
      const change = {
        self: actor.self,
        sessionId: actor.id,
        current: body.current_password,
        next: body.new_password,
      };
      await changePassword({ accounts: storage.accounts, sessionList, clock }, change);
      for (const { id } of await sessionList.list(actor.self, clock.now())) {
        if (id === actor.id) continue;
        await sessionList.revoke(actor.self, id);
        streams.endSession(id);
      }
      await devices.forget(actor.accountId, deviceHashOf(getCookie(http, DEVICE_COOKIE)));
      await audit(deps, http, actor.accountId, 'password_changed');
      return {};
    },
  ),
];
