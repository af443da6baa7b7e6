import { endAccessAnswer, endAccessRequest, memberAccessAnswer } from '@plimsoll/contract/wire/accounts/team';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { proposedEnd, type Access } from '../access.ts';
import { accessOfPerson, endAccess, type ReplacedToken } from '../end-access.ts';
import { removeMember } from '../remove-member.ts';

const tag = 'Team';
const memberParams = { id: z.uuid('must be the id of an account (a UUID)').toLowerCase() };

/** Routes that show and end what a member made. */
export const accessRoutes = (deps: Deps): Route[] => [readAccess(deps), endRoute(deps), removeRoute(deps)];

const shapeAccess = (access: Access, now: number): z.input<typeof memberAccessAnswer> => ({
  enrolment_tokens: access.enrolmentTokens.map(({ id, createdAt, expiresAt, servers }) => ({
    id,
    created_at: iso(createdAt),
    expires_at: iso(expiresAt),
    servers,
    proposed: 'revoke',
  })),
  cluster_tokens: access.clusterTokens.map((token) => ({
    id: token.id,
    name: token.name,
    last_four: token.lastFour,
    cluster_name: token.clusterName,
    created_at: iso(token.createdAt),
    last_used_at: isoOrNull(token.lastUsedAt),
    expires_at: isoOrNull(token.expiresAt),
    proposed: proposedEnd(token, now),
  })),
  invitations: access.invitations.map(({ id, role, email, expiresAt }) => ({
    id,
    role,
    email,
    expires_at: iso(expiresAt),
    proposed: 'revoke',
  })),
  status_pages: access.statusPages.map(({ id, title, slug }) => ({
    id,
    title,
    path: `/status/${slug}`,
    proposed: 'revoke',
  })),
});

const shapeReplaced = (
  { config }: Pick<Deps, 'config'>,
  replaced: readonly ReplacedToken[],
): z.input<typeof endAccessAnswer> => ({
  public_url: config.publicUrl,
  replaced: replaced.map(({ id, name, token, endsAt }) => ({ id, name, token, ends_at: iso(endsAt) })),
});

const readAccess = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/team/members/:id/access',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Lists the tokens, invitations and public pages that a member made and that still work',
      tag,
      params: memberParams,
      answer: memberAccessAnswer,
    },
    async ({ actor: { owner }, params: { id } }) => {
      const now = clock.now();
      return shapeAccess(await accessOfPerson(storage, owner, { personId: id, now }), now);
    },
  );

const endRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/members/:id/access/end',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Revokes or replaces what a member, or somebody who left, made; the answer shows new tokens once',
      audit: 'member_access_ended',
      tag,
      params: memberParams,
      body: endAccessRequest,
      answer: endAccessAnswer,
    },
    async ({ actor, params: { id }, body }) => shapeReplaced(deps, await endAccess(deps, actor, id, body)),
  );

const removeRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/team/members/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary:
        'Removes a member, ends its sessions and the chosen access it made; the account keeps an organisation of its own',
      audit: 'member_removed',
      tag,
      params: memberParams,
      body: endAccessRequest.optional(),
      answer: endAccessAnswer,
    },
    async ({ actor, params: { id }, body }) => shapeReplaced(deps, await removeMember(deps, actor, id, body)),
  );
