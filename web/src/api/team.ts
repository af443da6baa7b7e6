import type { SessionAnswer } from '@plimsoll/contract/wire/accounts/auth';
import type {
  EndAccessAnswer,
  EndAccessRequest,
  InvitationLookAnswer,
  InviteAnswer,
  InvitedSignInRequest,
  InvitedSignUpRequest,
  InviteRequest,
  MemberAccess,
  TeamAnswer,
} from '@plimsoll/contract/wire/accounts/team';
import type { Role } from '@plimsoll/contract/rules/limits';
import { sessionToken } from '../state/session-token.ts';
import { request } from './client.ts';
import type { Ask } from './query.ts';
import { addressOf } from './sign-in.ts';

const TEAM = '/api/team';

export const teamQuery = (): Ask<TeamAnswer> => ({
  queryKey: ['account', 'team'],
  queryFn: ({ signal }) => request(TEAM, { signal }),
});
/** Asks where an invitation leads to. Nothing is used up. */
export const invitationQuery = (code: string): Ask<InvitationLookAnswer> => ({
  queryKey: ['invitation', code],
  queryFn: ({ signal }) => request(`${TEAM}/invitations/look`, { method: 'POST', body: { code }, signal }),
});

export const renameTeam = (name: string) => request<unknown>(TEAM, { method: 'PUT', body: { name } });
export const invite = (body: InviteRequest) => request<InviteAnswer>(`${TEAM}/invitations`, { method: 'POST', body });
export const withdrawInvitation = (id: string) => request<unknown>(`${TEAM}/invitations/${id}`, { method: 'DELETE' });
export const changeMember = (id: string, role: Role) =>
  request<unknown>(`${TEAM}/members/${id}`, { method: 'PUT', body: { role } });
/** Query for what a member, or somebody who left, made and what still works. */
export const memberAccessQuery = (id: string): Ask<MemberAccess> => ({
  queryKey: ['account', 'team-access', id],
  queryFn: ({ signal }) => request(`${TEAM}/members/${id}/access`, { signal }),
  // Every dialog begins with the list of now.
  staleTime: 0,
  gcTime: 0,
});
export const removeMember = (id: string, body: EndAccessRequest) =>
  request<EndAccessAnswer>(`${TEAM}/members/${id}`, { method: 'DELETE', body });
export const endAccess = (id: string, body: EndAccessRequest) =>
  request<EndAccessAnswer>(`${TEAM}/members/${id}/access/end`, { method: 'POST', body });
export const leaveTeam = () => request<unknown>(`${TEAM}/leave`, { method: 'POST', body: {} });

export const joinTeam = (code: string) => request<unknown>(`${TEAM}/join`, { method: 'POST', body: { code } });
/** Creates the account of an invited person and signs it in. */
export async function signUpInvited(body: InvitedSignUpRequest): Promise<void> {
  const { token } = await request<SessionAnswer>(`${TEAM}/sign-up`, { method: 'POST', body });
  sessionToken.set(token);
}
/** Returns the address of the provider at which an invited person signs in. */
export const invitedAuthUrl = async (body: InvitedSignInRequest): Promise<string> =>
  addressOf(await request(`${TEAM}/sign-in`, { method: 'POST', body }));
