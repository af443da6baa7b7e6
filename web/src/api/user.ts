import type { UserProfile } from '@plimsoll/contract/wire/users';
import { request } from './client.ts';
import { STALE } from './polling.ts';
import type { Ask } from './query.ts';

export const profileQuery = (): Ask<{ user: UserProfile }> => ({
  queryKey: ['profile'],
  queryFn: ({ signal }) => request('/api/auth/profile', { signal }),
  staleTime: STALE.profile,
});
