import type {
  FleetSnapshotAnswer,
  ProcessesAnswer,
  ProcessHistoryAnswer,
  ProcessSnapshotAnswer,
} from '@plimsoll/contract/wire/processes';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { NOTHING, SCOPE, type Ask } from './query.ts';

export type ProcessRank = 'cpu' | 'memory';

/** The heaviest processes of one server, or of all. */
export const processesQuery = (rank: ProcessRank, serverId?: string): Ask<ProcessesAnswer> => ({
  queryKey: ['processes', rank, serverId ?? null],
  queryFn: ({ signal }, view) =>
    request('/api/data/processes', {
      query: { limit: ROWS.processesAsked, rank_type: rank, server_id: serverId, scope: view.scope },
      signal,
    }),
  follows: serverId === undefined ? SCOPE : NOTHING,
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

/** Query for the processes of all servers in scope at a moment, epoch seconds: each server by its list of that minute, or its nearest. */
export const fleetProcessesAtQuery = (rank: ProcessRank, at: number): Ask<FleetSnapshotAnswer> => ({
  queryKey: ['process-snapshot', rank, at],
  queryFn: ({ signal }, view) =>
    request('/api/data/processes/fleet-at', {
      query: { limit: ROWS.processesAsked, rank_type: rank, at, scope: view.scope },
      signal,
    }),
  follows: SCOPE,
});

/** Query for CPU and memory of one command on a server, across its restarts. The newest minute stands for a while. */
export const processHistoryQuery = (serverId: string, command: string, hours: number): Ask<ProcessHistoryAnswer> => ({
  queryKey: ['process-history', serverId, command, hours],
  queryFn: ({ signal }) =>
    request('/api/data/processes/history', { query: { server_id: serverId, command, hours }, signal }),
});
