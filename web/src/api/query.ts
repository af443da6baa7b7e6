import { useSyncExternalStore } from 'react';
import { useQueries as useAnyQueries, useQuery as useAnyQuery } from '@tanstack/react-query';
import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import { liveness } from '../state/liveness.ts';
import { useView, type View } from '../state/view.ts';
import type { RequestFailed } from './client.ts';

/** A query of a screen. The functions of this folder create it, one file per noun. */
export type Ask<T> = UseQueryOptions<T, RequestFailed, T>;
export type Asked<T> = UseQueryResult<T, RequestFailed>;

/** Marks a query that the scope narrows; its function passes `scopeOf(context)` to the API. */
export const SCOPED = { scoped: true } as const;

type Meta = Record<string, unknown> | undefined;
/** Returns the parameter of the scope that `inView` gave this query. */
export const scopeOf = ({ meta }: { meta: Meta }): { scope: string | undefined } => {
  const scope = meta?.['scope'];
  return { scope: typeof scope === 'string' ? scope : undefined };
};

/** Returns the query as this view asks it: narrowed by the scope under a key of its own. */
export function inView<T>(ask: Ask<T>, { scope }: View): Ask<T> {
  if (ask.meta?.['scoped'] !== true || scope === '') return ask;
  const { placeholderData } = ask;
  return {
    ...ask,
    queryKey: [...ask.queryKey, { scope }],
    meta: { ...ask.meta, scope },
    // Figures of another scope must not stand under this one while it loads.
    ...(typeof placeholderData === 'function' && {
      placeholderData: (previous, query) => (query?.meta?.['scope'] === scope ? previous : undefined),
    }),
  };
}

/** Fetches, and polls at the interval of `ask` while updates are not paused. */
export function useQuery<T>(given: Ask<T>): Asked<T> {
  const ask = inView(given, useView());
  const live = useSyncExternalStore(liveness.subscribe, liveness.get);
  return useAnyQuery(live ? ask : { ...ask, refetchInterval: false });
}

/** Fetches and polls several queries of one shape. */
export function useQueries<T>(asks: readonly Ask<T>[]): Asked<T>[] {
  const live = useSyncExternalStore(liveness.subscribe, liveness.get);
  const view = useView();
  const queries = asks.map((ask) => ({ ...inView(ask, view), ...(live ? {} : { refetchInterval: false as const }) }));
  return useAnyQueries({ queries });
}

export { useMutation, useQueryClient } from '@tanstack/react-query';
