import { QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionToken } from '../state/session-token.ts';
import { RequestFailed } from './client.ts';
import { STALE } from './polling.ts';

/** True for the answers that mean "not signed in"; anything else leaves the session alone. */
export const isSignedOut = (error: unknown) => error instanceof RequestFailed && error.status === 401;

/** Defaults of every query: five minutes' cache, one retry, no refetch on focus. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(error) {
        if (isSignedOut(error)) sessionToken.set(null);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE.other,
        gcTime: STALE.other,
        refetchOnWindowFocus: false,
        retry: (failures, error) => failures < 1 && !isSignedOut(error),
      },
    },
  });
}
