import { z } from 'zod';

export const userProfile = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  avatar: z.string().nullable(),
  github_username: z.string().nullable(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
  last_login: z.iso.datetime().nullable(),
});
export const profileAnswer = z.object({ user: userProfile });
export type UserProfile = z.infer<typeof userProfile>;
