import { z } from 'zod';

export const localSignInRequest = z.object({
  email: z.email().max(254),
  password: z.string().min(1).max(1024),
  totp: z
    .string()
    .regex(/^\d{6}$/)
    .optional(),
});
/**
 * POST /api/auth/exchange → sessionAnswer (and the HttpOnly cookie auth_token). `code` is one of two:
 * - of the callback, `/auth/callback#access_token=CODE`: send `{code}`. Works once, within 5 minutes, only in the browser
 *   that started the sign-in (HttpOnly cookie auth_binding, so send credentials).
 * - of the first-run link, `/login#setup=CODE`: show "Create the first account" and send `{code, account}`. Works once,
 *   within 24 hours, only while no account exists. A wrong or used code: 401 `code_invalid`; an account exists by now:
 *   409 `first_run_over`; account missing: 400 `account_required`.
 * In both cases scrub the fragment from the address bar before sending.
 */
export const exchangeRequest = z.object({
  code: z.string().min(1).max(256),
  account: z
    .object({ email: z.email().max(254), password: z.string().min(12).max(1024), name: z.string().max(120).optional() })
    .optional(),
});
/** Answer of POST /api/auth/local, /exchange and /refresh: keep the token, send it as `Authorization: Bearer`. */
export const sessionAnswer = z.object({ token: z.string(), expires_at: z.iso.datetime() });
/** GET /api/auth/token: what the token in use is, never the token. */
export const tokenAnswer = z.object({
  kind: z.enum(['session', 'api']),
  scopes: z.array(z.string()),
  expires_at: z.iso.datetime().nullable(),
});
/** Which ways of signing in this installation offers; a way not configured names the setting it lacks. */
export const signInMethodsAnswer = z.object({
  methods: z.array(
    z.object({
      id: z.enum(['github', 'google', 'oidc', 'local']),
      name: z.string(),
      enabled: z.boolean(),
      reason: z.string().nullable(),
    }),
  ),
  /** True while there is no account: only the first-run link lets anyone in. */
  first_run: z.boolean(),
});
export const authUrlAnswer = z.object({ auth_url: z.string() });

export type LocalSignInRequest = z.infer<typeof localSignInRequest>;
export type ExchangeRequest = z.infer<typeof exchangeRequest>;
export type SessionAnswer = z.infer<typeof sessionAnswer>;
export type TokenAnswer = z.infer<typeof tokenAnswer>;
export type SignInMethodsAnswer = z.infer<typeof signInMethodsAnswer>;
