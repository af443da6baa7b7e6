import {
  changeMemberRequest,
  renameTeamRequest,
  teamAnswer,
  type InvitationOnWire,
} from '@plimsoll/contract/wire/accounts/team';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { formerMakers } from '../access.ts';
import { changeRole } from '../change-role.ts';
import { peopleOf, shapeCreator } from '../creator.ts';
import { everyAccess } from '../end-access.ts';
import { removeMember } from '../remove-member.ts';
import { renameOrganisation } from '../rename-organisation.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import type { Invitation } from '../types.ts';

const tag = 'Team';
const ok = z.object({});
const memberParams = { id: z.uuid('must be the id of an account (a UUID)').toLowerCase() };

export const shapeInvitation = (
  { id, role, email, createdAt, expiresAt, createdBy }: Invitation,
  names: ReadonlyMap<string, string>,
): InvitationOnWire => ({
  id,
  role,
  email,
  created_at: iso(createdAt),
  expires_at: iso(expiresAt),
  created_by: shapeCreator(createdBy, names),
});

export const teamRoutes = (deps: Deps): Route[] => [
  readTeam(deps),
  renameRoute(deps),
  changeRoleRoute(deps),
  leaveRoute(deps),
];

const readTeam = ({ storage, clock }: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/team',
      actor: 'user',
      scope: 'session',
      summary: 'Lists the members of your organisation, and for admins the open invitations',
      tag,
      answer: teamAnswer,
    },
    async ({ actor: { owner, personId } }) => {
      const { teams } = storage.tenancy;
      const { name, members } = await teams.get(owner);
      const every = owner.role === 'admin' ? await everyAccess(storage, owner, clock.now()) : null;
      const invitations = every?.invitations ?? [];
      const former = every === null ? [] : formerMakers(every, new Set(members.map((member) => member.personId)));
      const names = await teams.findNames([...peopleOf(invitations), ...former.map((maker) => maker.personId)]);
      return {
        name,
        members: members.map((member) => ({
          account_id: member.personId,
          name: member.name,
          email: member.email,
          role: member.role,
          is_founder: member.isFounder,
          is_you: member.personId === personId,
          joined_at: iso(member.joinedAt),
        })),
        invitations: invitations.map((one) => shapeInvitation(one, names)),
        former: former.map((maker) => ({
          account_id: maker.personId,
          name: names.get(maker.personId) ?? null,
          works: maker.works,
        })),
      };
    },
  );

const renameRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: '/api/team',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Renames your organisation',
      audit: 'organisation_renamed',
      tag,
      body: renameTeamRequest,
      answer: ok,
    },
    async ({ actor, body: { name } }) => {
      await renameOrganisation(deps, actor, name);
      return {};
    },
  );

const changeRoleRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: '/api/team/members/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Changes the role of a member',
      audit: 'member_changed',
      tag,
      params: memberParams,
      body: changeMemberRequest,
      answer: ok,
    },
    async ({ actor, params: { id }, body: { role } }) => {
      await changeRole(deps, actor, { memberId: id, role });
      return {};
    },
  );

const leaveRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/leave',
      actor: 'user',
      role: 'viewer',
      scope: 'session',
      summary: 'Leaves the organisation and ends your sessions; you keep an organisation of your own',
      audit: 'member_removed',
      tag,
      answer: ok,
    },
    async ({ actor }) => {
      await removeMember(deps, actor, actor.personId);
      return {};
    },
  );
