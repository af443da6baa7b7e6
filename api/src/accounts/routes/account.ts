import { auditAnswer, deleteAccountRequest, deletionAnswer } from '@plimsoll/contract/wire/accounts/account';
import { page } from '@plimsoll/contract/wire/query';
import { stream } from 'hono/streaming';
import { z } from 'zod';
import { fetchAvatar } from '../avatar.ts';
import type { Deps } from '../../deps.ts';
import { deleteAccount } from '../settings/delete-account.ts';
import { startExport } from '../settings/start-export.ts';
import { withdrawDeletion } from '../settings/withdraw-deletion.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { exportAccount } from './export.ts';
import { iso, isoOrNull } from '../../http/units.ts';

const tag = 'Account';

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
      const account = await deps.storage.accounts.get(actor.personId);
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
      const { entries, total } = await deps.storage.tenancy.audit.list(actor.owner, query);
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
      audit: 'export_started',
      tag,
      answer: null,
    },
    async ({ actor, http }) => {
      await startExport(deps, actor);
      http.header('Content-Type', 'application/json');
      http.header('Content-Disposition', 'attachment; filename="plimsoll-export.json"');
      return stream(http, async (out) => {
        for await (const part of exportAccount(deps, actor)) await out.write(part);
      });
    },
  ),
];

const deletionRoutes = (deps: Deps): Route[] => {
  const { accountDeletion } = deps.storage.identity;
  return [
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/user/account',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Deletes the account with all its data, at once or within 30 days',
        audit: 'deletion_planned',
        tag,
        body: deleteAccountRequest,
        answer: deletionAnswer,
      },
      async ({ actor, body: { email, in_days: inDays } }) => ({
        deletion_at: iso(await deleteAccount(deps, actor, { email, inDays })),
      }),
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
      async ({ actor }) => ({ deletion_at: isoOrNull(await accountDeletion.deletionAt(actor.personId)) }),
    ),
    defineRoute(
      {
        method: 'DELETE',
        path: '/api/user/account/deletion',
        actor: 'user',
        role: 'admin',
        scope: 'session',
        summary: 'Cancels the deletion of the account',
        audit: 'deletion_withdrawn',
        tag,
        answer: z.object({}),
      },
      async ({ actor }) => {
        await withdrawDeletion(deps, actor);
        return {};
      },
    ),
  ];
};
