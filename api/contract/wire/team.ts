import { z } from 'zod';
import { INVITATIONS, ORGANISATION_NAME_CHARACTERS, ROLES } from '../rules/limits.ts';
import { sessionAnswer } from './auth.ts';

const role = z.enum(ROLES);
/** The secret of the link `/join#code=CODE`. It works once, until it ends or is withdrawn. */
const code = z.string().min(1).max(256);

export const member = z.object({
  account_id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role,
  /** Stays an admin and stays a member: the servers belong to this account. */
  is_founder: z.boolean(),
  is_you: z.boolean(),
  joined_at: z.iso.datetime(),
});
export const invitation = z.object({
  id: z.uuid(),
  role,
  /** Only this address may use the link; null: whoever has it. */
  email: z.string().nullable(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});

/** GET /api/team. `invitations`: for admins; empty for the others. */
export const teamAnswer = z.object({
  name: z.string(),
  members: z.array(member),
  invitations: z.array(invitation),
});
/** PUT /api/team */
export const renameTeamRequest = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(ORGANISATION_NAME_CHARACTERS),
});
/** PUT /api/team/members/{id} */
export const changeMemberRequest = z.strictObject({ role });

/** POST /api/team/invitations */
export const inviteRequest = z.strictObject({
  role,
  email: z.email().max(254).nullable().default(null),
  expires_in_days: z.int().min(1).max(INVITATIONS.days.max).default(INVITATIONS.days.default),
});
/** `code` is shown this once. */
export const inviteAnswer = invitation.extend({ code: z.string() });

/** POST /api/team/invitations/look, POST /api/team/join */
export const invitationCodeRequest = z.strictObject({ code });
/** POST /api/team/invitations/look: what the link leads to. */
export const invitationLookAnswer = z.object({
  organisation: z.string(),
  role,
  email: z.string().nullable(),
  expires_at: z.iso.datetime(),
});
/** POST /api/team/sign-up: creates the account and makes it a member. */
export const invitedSignUpRequest = z.strictObject({
  code,
  email: z.email().max(254),
  password: z.string().min(12).max(1024),
  name: z.string().trim().max(120).optional(),
});
export const invitedSignUpAnswer = sessionAnswer;
/** POST /api/team/sign-in: the way in is a provider instead of a password. */
export const invitedSignInRequest = z.strictObject({ code, provider: z.enum(['github', 'google', 'oidc']) });

export type TeamAnswer = z.infer<typeof teamAnswer>;
export type TeamMember = z.infer<typeof member>;
export type InvitationOnWire = z.infer<typeof invitation>;
export type InviteRequest = z.input<typeof inviteRequest>;
export type InviteAnswer = z.infer<typeof inviteAnswer>;
export type InvitationLookAnswer = z.infer<typeof invitationLookAnswer>;
export type InvitedSignInRequest = z.infer<typeof invitedSignInRequest>;
export type InvitedSignUpRequest = z.infer<typeof invitedSignUpRequest>;
