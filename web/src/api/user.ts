import type { ProfileAnswer } from '@plimsoll/contract/wire/accounts/users';
import { publicUrl } from '../state/public-url.ts';
import { request } from './client.ts';
import { STALE } from './polling.ts';
import { useQuery } from './query.ts';
import type { Ask } from './query.ts';

export const profileQuery = (): Ask<ProfileAnswer> => ({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => {
    const answer = await request<ProfileAnswer>('/api/auth/profile', { signal });
    publicUrl.set(answer.public_url);
    return answer;
  },
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
