import type { ContainerGroupsAnswer, ContainersAnswer } from '@plimsoll/contract/wire/containers';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { SCOPE, type Ask } from './query.ts';

/** Filters of the list; an empty text is no filter. */
export interface ContainersFilter {
  search: string;
  state: string;
  sort: string;
  hidden: boolean;
  host: string;
  image: string;
  project: string;
  offset: number;
}
const orAbsent = (text: string): string | undefined => (text === '' ? undefined : text);

/** One page of the containers of all servers in the scope. */
export const containersQuery = ({
  search,
  state,
  sort,
  hidden,
  host,
  image,
  project,
  offset,
}: ContainersFilter): Ask<ContainersAnswer> => ({
  queryKey: ['containers', 'list', { search, state, sort, hidden, host, image, project, offset }],
  queryFn: ({ signal }, view) =>
    request('/api/containers', {
      query: {
        limit: ROWS.containers,
        offset,
        sort,
        search: orAbsent(search),
        state: orAbsent(state),
        server_id: orAbsent(host),
        image: orAbsent(image),
        project: orAbsent(project),
        hidden: hidden ? 'true' : undefined,
        scope: view.scope,
      },
      signal,
    }),
  follows: SCOPE,
  refetchInterval: POLL.containers,
  placeholderData: (previous) => previous,
});

/** The counts alone, for the tab of the Servers page. */
export const containersCountQuery = (): Ask<ContainersAnswer> => ({
  queryKey: ['containers', 'count'],
  queryFn: ({ signal }, view) => request('/api/containers', { query: { limit: 1, scope: view.scope }, signal }),
  follows: SCOPE,
  refetchInterval: POLL.containers,
});

/** Sums by host, image and Compose project: the choices of the filters, and the grouped views. */
export const containerGroupsQuery = (): Ask<ContainerGroupsAnswer> => ({
  queryKey: ['containers', 'groups'],
  queryFn: ({ signal }, view) => request('/api/containers/groups', { query: { scope: view.scope }, signal }),
  follows: SCOPE,
  refetchInterval: POLL.containers,
});
