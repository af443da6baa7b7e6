import type { ProcessesAnswer } from '@plimsoll/contract/processes';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import type { Ask } from './query.ts';

export type ProcessRank = 'cpu' | 'memory';

/** The heaviest processes of one server, or of all. */
export const processesQuery = (rank: ProcessRank, serverId?: string): Ask<ProcessesAnswer> => ({
  queryKey: ['processes', rank, serverId ?? null],
  queryFn: ({ signal }) =>
    request('/api/data/processes', {
      query: { limit: ROWS.processesAsked, rank_type: rank, server_id: serverId },
      signal,
    }),
  refetchInterval: POLL.processes,
  placeholderData: (previous) => previous,
});
