import type { ContainersAnswer } from '@plimsoll/contract/wire/containers';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { SCOPED, scopeOf, type Ask } from './query.ts';

/** Filters of the list; an empty text is no filter. */
export interface ContainersFilter {
  search: string;
  state: string;
  sort: string;
  hidden: boolean;
  offset: number;
}

/** One page of the containers of all servers in the scope. */
export const containersQuery = ({ search, state, sort, hidden, offset }: ContainersFilter): Ask<ContainersAnswer> => ({
  queryKey: ['containers', 'list', { search, state, sort, hidden, offset }],
  queryFn: (context) =>
    request('/api/containers', {
      query: {
        limit: ROWS.containers,
        offset,
        sort,
        search: search === '' ? undefined : search,
        state: state === '' ? undefined : state,
        hidden: hidden ? 'true' : undefined,
        ...scopeOf(context),
      },
      signal: context.signal,
    }),
  meta: SCOPED,
  refetchInterval: POLL.containers,
  placeholderData: (previous) => previous,
});

/** The counts alone, for the tab of the Servers page. */
export const containersCountQuery = (): Ask<ContainersAnswer> => ({
  queryKey: ['containers', 'count'],
  queryFn: (context) =>
    request('/api/containers', { query: { limit: 1, ...scopeOf(context) }, signal: context.signal }),
  meta: SCOPED,
  refetchInterval: POLL.containers,
});
