import { z } from 'zod';
import { ACCESS_CHOICES, INVITATIONS, ORGANISATION_NAME_CHARACTERS, ROLES } from '../../rules/limits.ts';
import { sessionAnswer } from './auth.ts';
import { creator } from '../creator.ts';

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
  created_by: creator,
});

/** GET /api/team. `invitations` and `former`: for admins; empty for the others. */
export const teamAnswer = z.object({
  name: z.string(),
  members: z.array(member),
  invitations: z.array(invitation),
  /** For admins: people who are no longer members and whose tokens, invitations or pages still work. */
  former: z.array(z.object({ account_id: z.uuid(), name: z.string().nullable(), works: z.int().positive() })),
});
/** PUT /api/team */
export const renameTeamRequest = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(ORGANISATION_NAME_CHARACTERS),
});
/** PUT /api/team/members/{id} */
export const changeMemberRequest = z.strictObject({ role });

/**
 * The most sensible end: `revoke` at once, or `replace` a cluster token in use by a new one, after which the old one works
 * for 7 more days. `keep`: it is replaced already.
 */
const proposed = z.enum(['revoke', 'replace', 'keep']);
/** GET /api/team/members/{id}/access: what a member, or somebody who left, made here and what still works. */
export const memberAccessAnswer = z.object({
  enrolment_tokens: z.array(
    z.object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
      servers: z.int(),
      proposed,
    }),
  ),
  cluster_tokens: z.array(
    z.object({
      id: z.uuid(),
      name: z.string().nullable(),
      last_four: z.string(),
      cluster_name: z.string().nullable(),
      created_at: z.iso.datetime(),
      last_used_at: z.iso.datetime().nullable(),
      expires_at: z.iso.datetime().nullable(),
      proposed,
    }),
  ),
  invitations: z.array(
    z.object({ id: z.uuid(), role, email: z.string().nullable(), expires_at: z.iso.datetime(), proposed }),
  ),
  /** Pages that strangers can read. Revoking switches a page off. */
  status_pages: z.array(z.object({ id: z.uuid(), title: z.string(), path: z.string(), proposed })),
});
const ids = z.array(z.uuid('must be an id of the list (a UUID)').toLowerCase()).max(ACCESS_CHOICES).default([]);
/**
 * DELETE /api/team/members/{id} (may be left out: nothing ends), POST /api/team/members/{id}/access/end. Ids of
 * `memberAccessAnswer`; `replace`: cluster tokens that have reported.
 */
export const endAccessRequest = z.strictObject({ revoke: ids, replace: ids });
/** `token`: the new cluster token, shown this once. `ends_at`: the end of the old one. */
export const endAccessAnswer = z.object({
  replaced: z.array(z.object({ id: z.uuid(), name: z.string(), token: z.string(), ends_at: z.iso.datetime() })),
  /** Origin at which clusters reach this dashboard, as its operator set it; null: the browser's own origin. */
  public_url: z.string().nullable(),
});

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
export type MemberAccess = z.infer<typeof memberAccessAnswer>;
export type EndAccessRequest = z.input<typeof endAccessRequest>;
export type EndAccessAnswer = z.infer<typeof endAccessAnswer>;
export type InvitationOnWire = z.infer<typeof invitation>;
export type InviteRequest = z.input<typeof inviteRequest>;
export type InviteAnswer = z.infer<typeof inviteAnswer>;
export type InvitationLookAnswer = z.infer<typeof invitationLookAnswer>;
export type InvitedSignInRequest = z.infer<typeof invitedSignInRequest>;
export type InvitedSignUpRequest = z.infer<typeof invitedSignUpRequest>;
