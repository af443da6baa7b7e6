import { z } from 'zod';

/** `metrics` only sends metrics of other agents, which `write` may do too. */
export const TOKEN_SCOPES = ['read', 'write', 'transfer', 'metrics', 'changes'] as const;
/** Scopes of a token without a choice: all that a script of its owner may need. */
export const DEFAULT_TOKEN_SCOPES = ['read', 'write', 'transfer'] as const satisfies (typeof TOKEN_SCOPES)[number][];
export const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** All that is ever shown of it again. */
  last_four: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  /** null: does not expire. */
  expires_at: z.iso.datetime().nullable(),
});
/** Days that a token may last at most: ten years. */
const MOST_TOKEN_DAYS = 3650;
/** POST /api/user/generate-auth-token. The body may be left out. Generating under a name in use replaces that token. */
export const generateTokenRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(64).default('permanent'),
    scopes: z
      .array(z.enum(TOKEN_SCOPES))
      .min(1)
      .max(TOKEN_SCOPES.length)
      .default([...DEFAULT_TOKEN_SCOPES]),
    /** Days until the token stops working; null: it does not expire. */
    expires_in_days: z.int().min(1).max(MOST_TOKEN_DAYS).nullable().default(null),
  })
  .optional();
/** `token` is shown this once. */
export const generateTokenAnswer = apiToken.extend({ token: z.string(), replaced: z.boolean() });
export const apiTokensAnswer = z.object({ tokens: z.array(apiToken), total: z.int() });

export const sessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
      user_agent: z.string().nullable(),
      address: z.string().nullable(),
      /** The one this call came with. */
      current: z.boolean(),
    }),
  ),
  total: z.int(),
});

/** Second factor: begin gives the secret, confirm with a first code switches it on, DELETE with a code switches it off. */
export const totpAnswer = z.object({ enabled: z.boolean() });
export const totpBeginAnswer = z.object({ secret: z.string(), otpauth_url: z.string() });
/** PUT /api/auth/password. Without the current one only in a session that a link or a provider began a short time ago. */
export const changePasswordRequest = z.strictObject({
  current_password: z.string().min(1).max(1024).nullable().default(null),
  new_password: z.string().min(12).max(1024),
});

export const totpCodeRequest = z.strictObject({ code: z.string().regex(/^\d{6}$/) });

export const auditAnswer = z.object({
  entries: z.array(
    z.object({
      id: z.int(),
      at: z.iso.datetime(),
      action: z.string(),
      /** Name of that time. Null: a collector, Plimsoll itself, or an entry of an older version. */
      person: z.object({ id: z.uuid(), name: z.string() }).nullable(),
      /** The API token that the person used, or the token of a collector. Null: a session, or none. */
      token: z.object({ id: z.uuid().nullable(), name: z.string() }).nullable(),
      address: z.string().nullable(),
      detail: z.record(z.string(), z.string()),
    }),
  ),
  total: z.int(),
});

/** Days. Defaults are those of the privacy page: metrics 365, alerts 730, events 365, processes 14. */
export const retention = z.strictObject({
  metrics_days: z.int().min(1).max(365),
  alerts_days: z.int().min(1).max(730),
  events_days: z.int().min(1).max(365),
  processes_days: z.int().min(1).max(14),
});
export const retentionAnswer = z.object({ settings: retention, is_default: z.boolean() });

/** DELETE /api/user/account: `email` repeats the account's own, so that no slip deletes it. 0 days: at once. */
export const deleteAccountRequest = z.strictObject({
  email: z.string().max(254),
  in_days: z.int().min(0).max(30).default(0),
});
export const deletionAnswer = z.object({ deletion_at: z.iso.datetime().nullable() });

export type ChangePasswordRequest = z.input<typeof changePasswordRequest>;
export type ApiTokenView = z.infer<typeof apiToken>;
export type GenerateTokenAnswer = z.infer<typeof generateTokenAnswer>;
export type ApiTokensAnswer = z.infer<typeof apiTokensAnswer>;
export type SessionsAnswer = z.infer<typeof sessionsAnswer>;
export type AuditAnswer = z.infer<typeof auditAnswer>;
export type RetentionAnswer = z.infer<typeof retentionAnswer>;
export type TotpBeginAnswer = z.infer<typeof totpBeginAnswer>;
