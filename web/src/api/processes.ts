import type { ProcessesAnswer, ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { SCOPED, scopeOf, type Ask } from './query.ts';

export type ProcessRank = 'cpu' | 'memory';

/** The heaviest processes of one server, or of all. */
export const processesQuery = (rank: ProcessRank, serverId?: string): Ask<ProcessesAnswer> => ({
  queryKey: ['processes', rank, serverId ?? null],
  queryFn: (context) =>
    request('/api/data/processes', {
      query: { limit: ROWS.processesAsked, rank_type: rank, server_id: serverId, ...scopeOf(context) },
      signal: context.signal,
    }),
  meta: serverId === undefined ? SCOPED : {},
  refetchInterval: POLL.processes,
  placeholderData: (previous) => previous,
});

/**
 * Query for the processes of a server at a moment, epoch seconds. It has its own key, because new reports do not change
 * it.
 */
export const processSnapshotQuery = (serverId: string, at: number): Ask<ProcessSnapshotAnswer> => ({
  queryKey: ['process-snapshot', serverId, at],
  queryFn: ({ signal }) => request('/api/data/processes/at', { query: { server_id: serverId, at }, signal }),
});
