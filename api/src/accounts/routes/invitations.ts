import { authUrlAnswer } from '@plimsoll/contract/wire/auth';
import {
  invitationCodeRequest,
  invitationLookAnswer,
  inviteAnswer,
  invitedSignInRequest,
  invitedSignUpAnswer,
  invitedSignUpRequest,
  inviteRequest,
} from '@plimsoll/contract/wire/team';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso } from '../../http/units.ts';
import { invite, join, lookAt, signUpInvited } from '../invite-member.ts';
import { normaliseEmail } from '../local.ts';
import { openSession } from '../session.ts';
import { handOver } from './auth.ts';
import { beginExternal, providersOf } from './external-sign-in.ts';
import { record, shapeInvitation } from './team.ts';

const tag = 'Team';
const ok = z.object({});
const invitationParams = { id: z.uuid('must be the id of an invitation (a UUID)').toLowerCase() };

/** Routes for the admin who invites, and for the invited person. */
export const invitationRoutes = (deps: Deps): Route[] => [
  createInvitation(deps),
  withdrawInvitation(deps),
  lookAtInvitation(deps),
  joinTeam(deps),
  signUpToTeam(deps),
  signInToTeam(deps),
];

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
      const session = await openSession({ sessions: storage.sessions, clock }, created.id);
      return handOver(deps, http, session, { accountId: created.id, method: 'invitation' });
    },
  );

const signInToTeam = (deps: Deps): Route => {
  const providers = providersOf(deps);
  return defineRoute(
    {
      method: 'POST',
      path: '/api/team/sign-in',
      actor: 'anyone',
      summary: 'Starts the sign-in of an invited person at a provider, and returns the address for the browser',
      tag,
      body: invitedSignInRequest,
      answer: authUrlAnswer,
    },
    async ({ body: { code, provider }, http }) => {
      const { storage, clock, rates } = deps;
      await rates.signIn.requireFrom(http.get('clientAddress'), clock.now());
      const { codeHash } = await lookAt({ teams: storage.identity.teams, clock }, code);
      return beginExternal(deps, { id: provider, provider: providers[provider] }, http, codeHash);
    },
  );
};
