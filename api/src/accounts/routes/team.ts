import {
  changeMemberRequest,
  invitationCodeRequest,
  invitationLookAnswer,
  inviteAnswer,
  invitedSignUpAnswer,
  invitedSignUpRequest,
  inviteRequest,
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
import { invite, join, lookAt, signUpInvited } from '../invite-member.ts';
import { normaliseEmail } from '../local.ts';
import { openSession } from '../session.ts';
import type { Invitation } from '../types.ts';
import { handOver } from './auth.ts';

const tag = 'Team';
const ok = z.object({});
const memberParams = { id: z.uuid('must be the id of an account (a UUID)').toLowerCase() };
const invitationParams = { id: z.uuid('must be the id of an invitation (a UUID)').toLowerCase() };

const shapeInvitation = ({ id, role, email, createdAt, expiresAt }: Invitation): InvitationOnWire => ({
  id,
  role,
  email,
  created_at: iso(createdAt),
  expires_at: iso(expiresAt),
});

/** In the log of the organisation, with who did it. */
const record = (
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
  createInvitation(deps),
  withdrawInvitation(deps),
  lookAtInvitation(deps),
  joinTeam(deps),
  signUpToTeam(deps),
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

const createInvitation = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/invitations',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Creates an invitation; the answer shows its code once',
      tag,
      body: inviteRequest,
      answer: inviteAnswer,
    },
    async ({ actor, body, http }) => {
      const { storage, clock } = deps;
      const email = body.email === null ? null : normaliseEmail(body.email);
      const draft = { role: body.role, email, days: body.expires_in_days };
      const { invitation, code } = await invite({ teams: storage.identity.teams, clock }, actor.owner, draft);
      await record(deps, { actor, http }, 'member_invited', { id: invitation.id, role: body.role, email: email ?? '' });
      return { ...shapeInvitation(invitation), code };
    },
  );

const withdrawInvitation = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/team/invitations/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Withdraws an invitation',
      tag,
      params: invitationParams,
      answer: ok,
    },
    async ({ actor, params: { id }, http }) => {
      if (!(await deps.storage.identity.teams.withdraw(actor.owner, id))) throw notFound('Invitation');
      await record(deps, { actor, http }, 'invitation_withdrawn', { id });
      return {};
    },
  );

const lookAtInvitation = ({ storage, clock, rates }: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/invitations/look',
      actor: 'anyone',
      summary: 'Describes an invitation without using it',
      tag,
      body: invitationCodeRequest,
      answer: invitationLookAnswer,
    },
    async ({ body, http }) => {
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      const found = await lookAt({ teams: storage.identity.teams, clock }, body.code);
      return {
        organisation: found.organisation,
        role: found.role,
        email: found.email,
        expires_at: iso(found.expiresAt),
      };
    },
  );

const joinTeam = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/join',
      actor: 'user',
      role: 'viewer',
      scope: 'session',
      summary: 'Makes you a member of the organisation that invited you; your other sessions end',
      tag,
      body: invitationCodeRequest,
      answer: ok,
    },
    async ({ actor, body, http }) => {
      const { storage, clock, streams } = deps;
      const { teams, sessionList } = storage.identity;
      const joined = await join({ teams, accounts: storage.accounts, clock }, body.code, actor);
      // Pages that are open elsewhere show the organisation that was left.
      for (const { id } of await sessionList.list(actor.self, clock.now())) {
        if (id !== actor.id) await sessionList.revoke(actor.self, id);
        streams.endSession(id);
      }
      const detail = { organisation: joined.organisation, role: joined.role };
      await audit(deps, http, actor.accountId, 'member_joined', detail);
      return {};
    },
  );

const signUpToTeam = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: '/api/team/sign-up',
      actor: 'anyone',
      summary: 'Creates the account of an invited person and signs it in',
      tag,
      body: invitedSignUpRequest,
      answer: invitedSignUpAnswer,
    },
    async ({ body: { code, ...account }, http }) => {
      const { storage, clock, rates } = deps;
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      const created = await signUpInvited({ teams: storage.identity.teams, clock }, code, account);
      await storage.accounts.recordLogin(created.id, clock.now());
      const session = await openSession({ sessions: storage.sessions, clock }, created.id);
      return handOver(deps, http, session, { accountId: created.id, method: 'invitation' });
    },
  );
