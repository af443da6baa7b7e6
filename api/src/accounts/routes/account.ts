import { auditAnswer, deleteAccountRequest, deletionAnswer } from '@plimsoll/contract/wire/account';
import { page } from '@plimsoll/contract/wire/query';
import { stream } from 'hono/streaming';
import { z } from 'zod';
import { fetchAvatar } from '../avatar.ts';
import { normaliseEmail } from '../local.ts';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { exportAccount } from './export.ts';
import { iso, isoOrNull } from '../../http/units.ts';

const tag = 'Account';
const DAY_MS = 86_400_000;

export const accountRoutes = (deps: Deps): Route[] => [...readRoutes(deps), ...deletionRoutes(deps)];

/** One hour: a changed picture shows soon, and a page with many pictures does not fetch each again. */
const AVATAR_SECONDS = 3600;

const readRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/user/avatar',
      actor: 'user',
      summary: 'Returns your picture, fetched from your sign-in provider',
      tag,
      answer: null,
    },
    async ({ actor }) => {
      const account = await deps.storage.accounts.get(actor.accountId);
      const { type, body } = await fetchAvatar(account?.avatarUrl ?? null);
      const headers = { 'Content-Type': type, 'Cache-Control': `private, max-age=${String(AVATAR_SECONDS)}` };
      return new Response(new Uint8Array(body), { headers });
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/user/audit-log',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Lists changes with their actors, newest first',
      tag,
      query: page(),
      answer: auditAnswer,
    },
    async ({ actor, query }) => {
      const { entries, total } = await deps.storage.identity.audit.list(actor.owner, query);
      return { entries: entries.map((entry) => ({ ...entry, at: iso(entry.at) })), total };
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/user/export',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Streams all data of your account as one JSON document',
      tag,
      answer: null,
    },
    async ({ actor, http }) => {
      await audit(deps, http, actor.owner.accountId, 'export_started');
      http.header('Content-Type', 'application/json');
      http.header('Content-Disposition', 'attachment; filename="plimsoll-export.json"');
      return stream(http, async (out) => {
        for await (const part of exportAccount(deps, actor)) await out.write(part);
      });
    },
  ),
];

const deletionRoutes = (deps: Deps): Route[] => {
  const { life } = deps.storage.identity;
  return [
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/user/account',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Deletes the account with all its data, at once or within 30 days',
        tag,
        body: deleteAccountRequest,
        answer: deletionAnswer,
      },
      async ({ actor, body, http }) => {
        const account = await deps.storage.accounts.get(actor.accountId);
        if (account === null) throw notFound('Account');
        if (normaliseEmail(body.email) !== account.email)
          throw new CodedError('invalid_parameter', 'email: must be the address of this account', {
            field: 'email',
            remedy: 'Send the e-mail address of this account to confirm.',
          });
        const now = deps.clock.now();
        if (body.in_days === 0) {
          await life.delete(actor.self, now);
          deps.streams.endSession(actor.id);
          return { deletion_at: iso(now) };
        }
        const at = now + body.in_days * DAY_MS;
        await life.planDeletion(actor.self, at);
        await audit(deps, http, actor.accountId, 'deletion_planned', { at: iso(at) });
        return { deletion_at: iso(at) };
      },
    ),
    defineRoute(
      {
        method: 'GET',
        path: '/api/user/account/deletion',
        actor: 'user',
        scope: 'session',
        summary: 'Returns the deletion time of the account',
        tag,
        answer: deletionAnswer,
      },
      async ({ actor }) => ({ deletion_at: isoOrNull(await life.deletionAt(actor.self)) }),
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/user/account/deletion',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Cancels the deletion of the account',
        tag,
        answer: z.object({}),
      },
      async ({ actor, http }) => {
        await life.planDeletion(actor.self, null);
        await audit(deps, http, actor.accountId, 'deletion_withdrawn');
        return {};
      },
    ),
  ];
};
