import { sessionsAnswer } from '@plimsoll/contract/wire/accounts/account';
import { getCookie } from 'hono/cookie';
import { z } from 'zod';
import { deviceHashOf } from '../remembered-device.ts';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { revokeSession } from '../sessions/revoke-session.ts';
import { DEVICE_COOKIE } from './hand-over.ts';
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
        const sessions = await sessionList.list(actor.personId, deps.clock.now());
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
        audit: 'session_revoked',
        tag,
        params: { id: z.uuid() },
        answer: z.object({}),
      },
      async ({ actor, params, http }) => {
        const device = deviceHashOf(getCookie(http, DEVICE_COOKIE));
        await revokeSession(deps, { ...actor, device }, params.id);
        return {};
      },
    ),
  ];
};
