import type { EnrolmentTokenAnswer } from '@plimsoll/contract/wire/install';
import type { ClusterTokenAnswer, RecentNodesAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { createOnce } from './create-once.ts';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import type { Ask } from './query.ts';

/** Creates the token of a visit of Setup: it can enrol servers, it cannot read. */
export const createEnrolmentToken = () =>
  request<EnrolmentTokenAnswer>('/api/user/enrolment-tokens', { method: 'POST', body: {} });

const clusterToken = createOnce(() =>
  request<ClusterTokenAnswer>('/api/user/cluster-tokens', { method: 'POST', body: {} }),
);
/** Creates the cluster token once: copying the command again, also on a later visit of the tab, creates no second one. */
export const createClusterToken = clusterToken.get;
export const clearClusterToken = clusterToken.clear;

/** Query for servers that enrolled with this token; polled while the page waits for the first report. */
export const enrolledServersQuery = (tokenId: string, waiting: boolean): Ask<ServersAnswer> => ({
  queryKey: ['servers', 'enrolled', tokenId],
  queryFn: ({ signal }) =>
    request('/api/servers/list', { query: { limit: ROWS.setupServers, enrolment_token_id: tokenId }, signal }),
  enabled: waiting,
  refetchInterval: POLL.setupConnection,
  staleTime: 0,
});

/** Nodes that enrolled with this cluster token. */
export const enrolledNodesQuery = (tokenId: string, waiting: boolean): Ask<RecentNodesAnswer> => ({
  queryKey: ['kubernetes', 'nodes', 'enrolled', tokenId],
  queryFn: ({ signal }) =>
    request('/api/kubernetes/nodes/recent', { query: { limit: ROWS.setupNodes, token_id: tokenId }, signal }),
  enabled: waiting,
  refetchInterval: POLL.setupConnection,
  staleTime: 0,
});
