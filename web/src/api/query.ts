import { useSyncExternalStore } from 'react';
import { hashKey, useIsFetching, useQueries as useAnyQueries, useQuery as useAnyQuery } from '@tanstack/react-query';
import type { QueryFunctionContext, QueryKey, UseQueryOptions, UseQueryResult } from '@tanstack/react-query';
import { liveness } from '../state/liveness.ts';
import { useView, type View } from '../state/view.ts';
import type { RequestFailed } from './client.ts';

type Options<T> = UseQueryOptions<T, RequestFailed, T>;
export type Asked<T> = UseQueryResult<T, RequestFailed>;

/** The parts of the view that a query sends. */
interface SentView {
  /** In the form the API takes; undefined is every server. */
  scope?: string | undefined;
  /** Epoch seconds; undefined is now. */
  at?: number | undefined;
}
interface Follows {
  scope?: true;
  at?: true;
}
/** The scope narrows the query. */
export const SCOPE: Follows = { scope: true };
/** The query has an answer for an earlier moment. */
export const MOMENT: Follows = { at: true };
export const SCOPE_AND_MOMENT: Follows = { ...SCOPE, ...MOMENT };
/** For a query that ignores the view. */
export const NOTHING: Follows = {};

/** A query of a screen before the view is known. The functions of this folder create it, one file per noun. */
export type Ask<T> = Omit<Options<T>, 'queryFn'> & {
  /** Parts of the view that `queryFn` receives; none when left out. */
  follows?: Follows;
  queryFn: (context: QueryFunctionContext, view: SentView) => Promise<T>;
};

/** Returns the view that `inView` put into a key. */
function viewOfKey(key: QueryKey): SentView {
  const last = key.at(-1);
  return typeof last === 'object' && last !== null && 'view' in last ? (last.view as SentView) : {};
}

/**
 * Returns the query for this view: narrowed by the scope and as of its moment, under a key of its own. While it loads,
 * it never shows figures of another scope, nor those of a moment for now. It does show those of another moment: the
 * layout dims them.
 */
export function inView<T>({ follows = NOTHING, queryFn, ...ask }: Ask<T>, view: View): Options<T> {
  const { scope, at } = {
    scope: follows.scope === true && view.scope !== '' ? view.scope : undefined,
    at: follows.at === true && view.at !== null ? view.at : undefined,
  };
  const sent: SentView = { ...(scope !== undefined && { scope }), ...(at !== undefined && { at }) };
  const asked: Options<T> = { ...ask, queryFn: (context) => queryFn(context, sent) };
  if (view.at !== null) asked.refetchInterval = false;
  const { placeholderData } = ask;
  const isList = typeof placeholderData === 'function';
  if (isList || at !== undefined)
    asked.placeholderData = (previous, query) => {
      if (query === undefined) return undefined;
      const before = viewOfKey(query.queryKey);
      if (before.scope !== scope || (at === undefined && before.at !== undefined)) return undefined;
      const isSame = isList || hashKey(query.queryKey.slice(0, ask.queryKey.length)) === hashKey(ask.queryKey);
      return isSame ? previous : undefined;
    };
  if (Object.keys(sent).length > 0) asked.queryKey = [...ask.queryKey, { view: sent }];
  return asked;
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
export const aroundMoment = <T>(ask: Ask<T>): Ask<T> => ({
  ...ask,
  follows: ask.follows?.scope === true ? SCOPE : NOTHING,
});

/** Returns true while figures of the moment are still on their way. */
export const useMomentPending = (): boolean =>
  useIsFetching({
    predicate: ({ queryKey, state }) => viewOfKey(queryKey).at !== undefined && state.data === undefined,
  }) > 0;

export { useMutation, useQueryClient } from '@tanstack/react-query';
