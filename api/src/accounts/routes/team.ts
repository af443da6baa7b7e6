import {
  changeMemberRequest,
  renameTeamRequest,
  teamAnswer,
  type InvitationOnWire,
} from '@plimsoll/contract/wire/team';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { audit, type AuditAction } from '../../http/audit.ts';
import { defineRoute, type Http, type Route, type SignedIn } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import type { Invitation } from '../types.ts';

const tag = 'Team';
const ok = z.object({});
const memberParams = { id: z.uuid('must be the id of an account (a UUID)').toLowerCase() };

export const shapeInvitation = ({ id, role, email, createdAt, expiresAt }: Invitation): InvitationOnWire => ({
  id,
  role,
  email,
  created_at: iso(createdAt),
  expires_at: iso(expiresAt),
});

/** In the log of the organisation, with who did it. */
export const record = (
  deps: Deps,
  { actor, http }: { actor: SignedIn; http: Http },
  action: AuditAction,
  detail: Record<string, string>,
): Promise<void> => audit(deps, http, actor.owner.accountId, action, { ...detail, by: actor.accountId });

export const teamRoutes = (deps: Deps): Route[] => [
  readTeam(deps),
  renameTeam(deps),
  changeMember(deps),
  removeMember(deps),
  leaveTeam(deps),
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
    async ({ actor: { owner, accountId } }) => {
      const { teams } = storage.identity;
      const { name, members } = await teams.get(owner);
      const invitations = owner.role === 'admin' ? await teams.invitations(owner, clock.now()) : [];
      return {
        name,
        members: members.map((member) => ({
          account_id: member.accountId,
          name: member.name,
          email: member.email,
          role: member.role,
          is_founder: member.isFounder,
          is_you: member.accountId === accountId,
          joined_at: iso(member.joinedAt),
        })),
        invitations: invitations.map(shapeInvitation),
      };
    },
  );

const renameTeam = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: '/api/team',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Renames your organisation',
      tag,
      body: renameTeamRequest,
      answer: ok,
    },
    async ({ actor, body: { name }, http }) => {
      await deps.storage.identity.teams.rename(actor.owner, name);
      await record(deps, { actor, http }, 'organisation_renamed', { name });
      return {};
    },
  );

const founderStays = (): CodedError =>
  new CodedError(
    'founder_stays',
    'The founder of an organisation stays its admin: the servers belong to this account',
    {
      remedy: 'Move the servers to another account with "sudo plimsoll change-owner", or delete the account.',
    },
  );

const changeMember = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: '/api/team/members/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Changes the role of a member',
      tag,
      params: memberParams,
      body: changeMemberRequest,
      answer: ok,
    },
    async ({ actor, params: { id }, body: { role }, http }) => {
      if (id === actor.owner.organisationId) throw founderStays();
      if (!(await deps.storage.identity.teams.setRole(actor.owner, id, role))) throw notFound('Member');
      await record(deps, { actor, http }, 'member_changed', { id, role });
      return {};
    },
  );

/** Ends the membership with every session of the account, so that no open page shows what is no longer its own. */
async function remove(deps: Deps, call: { actor: SignedIn; http: Http }, id: string): Promise<void> {
  if (id === call.actor.owner.organisationId) throw founderStays();
  const ended = await deps.storage.identity.teams.remove(call.actor.owner, id);
  if (ended === null) throw notFound('Member');
  for (const reader of ended) deps.streams.endSession(reader);
  await record(deps, call, 'member_removed', { id });
}

const removeMember = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/team/members/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Removes a member and ends its sessions; the account keeps an organisation of its own',
      tag,
      params: memberParams,
      answer: ok,
    },
    async ({ actor, params, http }) => {
      await remove(deps, { actor, http }, params.id);
      return {};
    },
  );

const leaveTeam = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/leave',
      actor: 'user',
      role: 'viewer',
      scope: 'session',
      summary: 'Leaves the organisation and ends your sessions; you keep an organisation of your own',
      tag,
      answer: ok,
    },
    async ({ actor, http }) => {
      await remove(deps, { actor, http }, actor.accountId);
      return {};
    },
  );
