import { changePasswordRequest } from '@plimsoll/contract/wire/accounts/account';
import { getCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { changePassword } from '../change-password.ts';
import { deviceHashOf } from '../remembered-device.ts';
import { DEVICE_COOKIE } from './hand-over.ts';

export const passwordRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'PUT',
      path: '/api/auth/password',
      actor: 'user',
      role: 'viewer',
      scope: 'session',
      summary: 'Changes your password; your other sessions end',
      audit: 'password_changed',
      tag: 'Account',
      body: changePasswordRequest,
      answer: z.object({}),
    },
    async ({ actor, body, http }) => {
      const { clock, rates } = deps;
      // Counted apart from the tries of strangers at sign-in.
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      await rates.signInAccount.require(`settings ${actor.personId}`, clock.now());
      const device = deviceHashOf(getCookie(http, DEVICE_COOKIE));
      const change = { current: body.current_password, next: body.new_password };
      await changePassword(deps, { ...actor, sessionId: actor.id, device }, change);
      return {};
    },
  ),
];
