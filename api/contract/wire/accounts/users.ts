import { z } from 'zod';
import { ROLES } from '../../rules/limits.ts';

export const userProfile = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  github_username: z.string().nullable(),
  is_active: z.boolean(),
  /** In the organisation of the account: screens offer only what the API permits. */
  role: z.enum(ROLES),
  /** May read the health of the whole installation. */
  is_operator: z.boolean(),
  created_at: z.iso.datetime(),
  last_login: z.iso.datetime().nullable(),
});
/** `demo`: the servers of this installation are invented. */
/** `public_url`: the setting PLIMSOLL_PUBLIC_URL, which canonical links begin with; null: not set. */
export const profileAnswer = z.object({ user: userProfile, demo: z.boolean(), public_url: z.url().nullable() });
export type ProfileAnswer = z.infer<typeof profileAnswer>;
export type UserProfile = z.infer<typeof userProfile>;
