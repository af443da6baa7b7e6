import { sessionsAnswer } from '@plimsoll/contract/wire/account';
import { getCookie } from 'hono/cookie';
import { z } from 'zod';
import { deviceHashOf } from '../remembered-device.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { DEVICE_COOKIE } from './auth.ts';
import { iso } from '../../http/units.ts';

const tag = 'Account';

export const sessionRoutes = (deps: Deps): Route[] => {
  const { sessionList } = deps.storage.identity;
  return [
    defineRoute(
      {
        method: 'GET',
        path: '/api/auth/sessions',
        actor: 'user',
        scope: 'session',
        summary: 'Lists your sessions',
        tag,
        answer: sessionsAnswer,
      },
      async ({ actor }) => {
        const sessions = await sessionList.list(actor.self, deps.clock.now());
        return {
          sessions: sessions.map((session) => ({
            id: session.id,
            created_at: iso(session.createdAt),
            expires_at: iso(session.expiresAt),
            user_agent: session.userAgent,
            address: session.address,
            current: session.id === actor.id,
          })),
          total: sessions.length,
        };
      },
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/auth/sessions/:id',
        actor: 'user',
        role: 'viewer',
        scope: 'session',
        summary: 'Ends a session; revokes its token and closes its streams at once',
        tag,
        params: { id: z.uuid() },
        answer: z.object({}),
      },
      async ({ actor, params, http }) => {
        if (!(await sessionList.revoke(actor.self, params.id))) throw notFound('Session');
        deps.streams.endSession(params.id);
        // Nothing says which device the session was opened on: all but this one are strangers again.
        await deps.storage.identity.devices.forget(actor.accountId, deviceHashOf(getCookie(http, DEVICE_COOKIE)));
        await audit(deps, http, actor.accountId, 'session_revoked', { id: params.id });
        return {};
      },
    ),
  ];
};
