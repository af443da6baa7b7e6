import { useSyncExternalStore } from 'react';
import { useQuery as useAnyQuery } from '@tanstack/react-query';
import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import { liveness } from '../state/liveness.ts';
import type { RequestFailed } from './client.ts';

/** A query of a screen. The functions of this folder create it, one file per noun. */
export type Ask<T> = UseQueryOptions<T, RequestFailed, T>;
export type Asked<T> = UseQueryResult<T, RequestFailed>;

/** Fetches, and polls at the interval of `ask` while updates are not paused. */
export function useQuery<T>(ask: Ask<T>): Asked<T> {
  const live = useSyncExternalStore(liveness.subscribe, liveness.get);
  return useAnyQuery(live ? ask : { ...ask, refetchInterval: false });
}

export { useMutation, useQueryClient } from '@tanstack/react-query';
