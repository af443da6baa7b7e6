import { useSyncExternalStore } from 'react';
import { hashKey, useIsFetching, useQueries as useAnyQueries, useQuery as useAnyQuery } from '@tanstack/react-query';
import type { UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import { liveness } from '../state/liveness.ts';
import { useView, type View } from '../state/view.ts';
import type { RequestFailed } from './client.ts';

/** A query of a screen. The functions of this folder create it, one file per noun. */
export type Ask<T> = UseQueryOptions<T, RequestFailed, T>;
export type Asked<T> = UseQueryResult<T, RequestFailed>;

/** Marks a query that the scope narrows; its function passes `scopeOf(context)` to the API. */
export const SCOPED = { scoped: true } as const;
/** Marks a query that has an answer for an earlier moment; its function passes `momentOf(context)` to the API. */
export const DATED = { dated: true } as const;

type Meta = Record<string, unknown> | undefined;
/** Returns the parameter of the scope that `inView` gave this query. */
export const scopeOf = ({ meta }: { meta: Meta }): { scope: string | undefined } => {
  const scope = meta?.['scope'];
  return { scope: typeof scope === 'string' ? scope : undefined };
};

/** Returns the moment that `inView` gave this query, epoch seconds; undefined is now. */
export const momentOf = ({ meta }: { meta: Meta }): { at: number | undefined } => {
  const at = meta?.['at'];
  return { at: typeof at === 'number' ? at : undefined };
};

/**
 * Returns the query as this view asks it: narrowed by the scope and as of its moment, under a key of its own. While it
 * loads, figures of another scope never stand in for it, nor those of a moment for now. Those of another moment do: the
 * layout dims them.
 */
export function inView<T>(ask: Ask<T>, view: View): Ask<T> {
  const { meta, placeholderData } = ask;
  const scope = meta?.['scoped'] === true && view.scope !== '' ? view.scope : undefined;
  const at = meta?.['dated'] === true && view.at !== null ? view.at : undefined;
  const parts = { ...(scope !== undefined && { scope }), ...(at !== undefined && { at }) };
  const asked = { ...ask, ...(view.at !== null && { refetchInterval: false as const }) };
  const isList = typeof placeholderData === 'function';
  if (isList || at !== undefined)
    asked.placeholderData = (previous, query) => {
      if (query === undefined || query.meta?.['scope'] !== scope) return undefined;
      if (at === undefined && query.meta?.['at'] !== undefined) return undefined;
      const isSame = isList || hashKey(query.queryKey.slice(0, ask.queryKey.length)) === hashKey(ask.queryKey);
      return isSame ? previous : undefined;
    };
  if (Object.keys(parts).length === 0) return asked;
  return { ...asked, queryKey: [...ask.queryKey, parts], meta: { ...meta, ...parts } };
}

/** Fetches, and polls at the interval of `ask` while updates are not paused and the page shows now. */
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

/** Returns a chart that shows the moment within its range, with what came after it. */
export const aroundMoment = <T>(ask: Ask<T>): Ask<T> => ({ ...ask, meta: { ...ask.meta, dated: false } });

/** Returns true while figures of the moment are still on their way. */
export const useMomentPending = (): boolean =>
  useIsFetching({ predicate: ({ meta, state }) => meta?.['at'] !== undefined && state.data === undefined }) > 0;

export { useMutation, useQueryClient } from '@tanstack/react-query';
