import {
  invitationCodeRequest,
  invitationLookAnswer,
  inviteAnswer,
  inviteRequest,
} from '@plimsoll/contract/wire/accounts/team';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { inviteMember } from '../invite-member.ts';
import { joinOrganisation } from '../join-organisation.ts';
import { lookAtInvitation } from '../look-at-invitation.ts';
import { withdrawInvitation } from '../withdraw-invitation.ts';
import { normaliseEmail } from '../../accounts/normalise-email.ts';
import { peopleOf } from '../creator.ts';
import { shapeInvitation } from './team.ts';

const tag = 'Team';
const ok = z.object({});
const invitationParams = { id: z.uuid('must be the id of an invitation (a UUID)').toLowerCase() };

/** Routes for the admin who invites, and for the invited person. */
export const invitationRoutes = (deps: Deps): Route[] => [
  inviteRoute(deps),
  withdrawRoute(deps),
  lookRoute(deps),
  joinRoute(deps),
];

const inviteRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/invitations',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Creates an invitation; the answer shows its code once',
      audit: 'member_invited',
      tag,
      body: inviteRequest,
      answer: inviteAnswer,
    },
    async ({ actor, body }) => {
      const email = body.email === null ? null : normaliseEmail(body.email);
      const draft = { role: body.role, email, days: body.expires_in_days };
      const { invitation, code } = await inviteMember(deps, actor, draft);
      const names = await deps.storage.tenancy.teams.findNames(peopleOf([invitation]));
      return { ...shapeInvitation(invitation, names), code };
    },
  );

const withdrawRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/team/invitations/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Withdraws an invitation',
      audit: 'invitation_withdrawn',
      tag,
      params: invitationParams,
      answer: ok,
    },
    async ({ actor, params: { id } }) => {
      await withdrawInvitation(deps, actor, id);
      return {};
    },
  );

const lookRoute = ({ storage, clock, rates }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/invitations/look',
      actor: 'anyone',
      summary: 'Describes an invitation without using it',
      audit: null,
      notAudited: 'The call changes nothing.',
      tag,
      body: invitationCodeRequest,
      answer: invitationLookAnswer,
    },
    async ({ body, http }) => {
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      const found = await lookAtInvitation({ teams: storage.tenancy.teams, clock }, body.code);
      return {
        organisation: found.organisation,
        role: found.role,
        email: found.email,
        expires_at: iso(found.expiresAt),
      };
    },
  );

const joinRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/join',
      actor: 'user',
      role: 'viewer',
      scope: 'session',
      summary: 'Makes you a member of the organisation that invited you; your other sessions end',
      audit: ['member_joined', 'member_removed'],
      tag,
      body: invitationCodeRequest,
      answer: ok,
    },
    async ({ actor, body }) => {
      await joinOrganisation(deps, { ...actor, sessionId: actor.id }, body.code);
      return {};
    },
  );
