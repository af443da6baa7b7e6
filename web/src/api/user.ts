import type { UserProfile } from '@plimsoll/contract/wire/users';
import { request } from './client.ts';
import { STALE } from './polling.ts';
import { useQuery } from './query.ts';
import type { Ask } from './query.ts';

export const profileQuery = (): Ask<{ user: UserProfile; demo: boolean }> => ({
  queryKey: ['profile'],
  queryFn: ({ signal }) => request('/api/auth/profile', { signal }),
  staleTime: STALE.profile,
});

/** Returns true if the API lets this account change things. A viewer sees no button that it would refuse. */
export function useMayEdit(): boolean {
  const role = useQuery(profileQuery()).data?.user.role;
  return role !== undefined && role !== 'viewer';
}

/** Returns true if this account operates the installation: it may read the health of the whole of it. */
export const useIsOperator = (): boolean => useQuery(profileQuery()).data?.user.is_operator === true;

/** Returns true if this account administers its organisation. */
export const useIsAdmin = (): boolean => useQuery(profileQuery()).data?.user.role === 'admin';
