import type {
  ClusterOverviewAnswer,
  ClustersAnswer,
  ClusterStatesAnswer,
  ClusterStatesQuery,
  EventsAnswer,
  EventsQuery,
  KubernetesNode,
  NodeHistoryAnswer,
  NodePodsAnswer,
  NodesAnswer,
  NodesQuery,
  OwnersAnswer,
  OwnersQuery,
  PermissionsAnswer,
  PodAnswer,
  PodHistoryAnswer,
  PodLogsAnswer,
  PodsAnswer,
  PodsQuery,
  SeparateClusterAnswer,
  WorkloadAnswer,
} from '@plimsoll/contract/wire/kubernetes';
import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { rangeQuery } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import { POLL } from './polling.ts';
import { NOTHING, SCOPE, type Ask } from './query.ts';

export type ClusterOverview = ClusterOverviewAnswer;
/** Uid of kube-system; null means every cluster of the account. */
type ClusterId = string | null;

interface KubernetesCall {
  key: readonly unknown[];
  path: string;
  query?: Record<string, QueryValue>;
  everyMs: number;
  /** True for what the scope narrows: lists and sums over servers. */
  scoped?: boolean;
}

/**
 * Old figures stay on the screen while the next page or filter is on its way. Who shows one node or one pod gives the
 * component a key, so that another's figures never stand under its name.
 */
const call = <T>({ key, path, query = {}, everyMs, scoped = false }: KubernetesCall): Ask<T> => ({
  queryKey: ['kubernetes', ...key, query],
  queryFn: ({ signal }, view) => request(`/api/kubernetes/${path}`, { query: { ...query, scope: view.scope }, signal }),
  follows: scoped ? SCOPE : NOTHING,
  refetchInterval: everyMs,
  placeholderData: (previous) => previous,
});
const part = encodeURIComponent;
const inCluster = (cluster: ClusterId) => ({ cluster_id: cluster });

export const clusterOverviewQuery = (cluster: ClusterId = null) =>
  call<ClusterOverviewAnswer>({
    key: ['overview'],
    path: 'cluster/overview',
    scoped: true,
    query: inCluster(cluster),
    everyMs: POLL.kubernetesOverview,
  });

export const clustersQuery = () =>
  call<ClustersAnswer>({ key: ['clusters'], path: 'clusters', scoped: true, everyMs: POLL.kubernetesOverview });

/** Lets the custom resources of a cluster set rules of the whole organisation, or ends that. */
export const allowOrganisationRules = (cluster: string, allowed: boolean) =>
  request<unknown>(`/api/kubernetes/clusters/${encodeURIComponent(cluster)}`, {
    method: 'PUT',
    body: { objects_rule_organisation: allowed },
  });

export const clusterStatesQuery = (query: ClusterStatesQuery) =>
  call<ClusterStatesAnswer>({
    key: ['clusters', 'states'],
    path: 'clusters/states',
    query,
    scoped: true,
    everyMs: POLL.kubernetesOverview,
  });

/** Null returns to the name that the collector reports. */
export const renameCluster = (cluster: string, name: string | null) =>
  request<unknown>(`/api/kubernetes/clusters/${part(cluster)}/name`, { method: 'PUT', body: { name } });

/** Deletes the cluster with everything that it reported. */
export const removeCluster = (cluster: string) =>
  request<unknown>(`/api/kubernetes/clusters/${part(cluster)}`, { method: 'DELETE' });

/** Every cluster of the account, whatever the scope of the view: to pick one from. */
export const allClustersQuery = (): Ask<ClustersAnswer> => ({ ...clustersQuery(), follows: NOTHING });

export const permissionsQuery = (cluster: ClusterId = null) =>
  call<PermissionsAnswer>({
    key: ['permissions'],
    path: 'permissions',
    scoped: true,
    query: inCluster(cluster),
    everyMs: POLL.kubernetesOverview,
  });

export const nodesQuery = (query: NodesQuery) =>
  call<NodesAnswer>({ key: ['nodes', 'list'], path: 'nodes', query, scoped: true, everyMs: POLL.kubernetesNodes });

export const nodeQuery = (serverId: string) =>
  call<KubernetesNode>({
    key: ['nodes', 'one', serverId],
    path: `nodes/${part(serverId)}`,
    everyMs: POLL.kubernetesNodes,
  });

export const nodePodsQuery = (serverId: string, limit: number) =>
  call<NodePodsAnswer>({
    key: ['nodes', 'pods', serverId],
    path: `nodes/${part(serverId)}/pods`,
    query: { limit, sort: 'state', order: 'asc' },
    everyMs: POLL.kubernetesPods,
  });

export const nodeHistoryQuery = (serverId: string, range: TimeRange) =>
  call<NodeHistoryAnswer>({
    key: ['nodes', 'history', serverId],
    path: `nodes/${part(serverId)}/metrics/history`,
    query: rangeQuery(range),
    everyMs: POLL.kubernetesNodeHistory,
  });

/** Nodes and pods as of a moment, epoch seconds. */
export const clusterMomentQuery = (at: number, cluster: ClusterId): Ask<ClusterMomentAnswer> => ({
  ...call<ClusterMomentAnswer>({
    key: ['moment'],
    path: 'at',
    query: { at, ...inCluster(cluster) },
    scoped: true,
    everyMs: POLL.kubernetesPods,
  }),
  refetchInterval: false,
});

export const podsQuery = (query: PodsQuery) =>
  call<PodsAnswer>({ key: ['pods', 'list'], path: 'pods', query, scoped: true, everyMs: POLL.kubernetesPods });

export const ownersQuery = (query: OwnersQuery) =>
  call<OwnersAnswer>({ key: ['owners'], path: 'owners', query, scoped: true, everyMs: POLL.kubernetesPods });

/** Events of one named object are shown whatever the scope. */
export const kubernetesEventsQuery = (query: EventsQuery) =>
  call<EventsAnswer>({
    key: ['events'],
    path: 'events',
    query,
    scoped: query.name === undefined,
    everyMs: POLL.kubernetesPods,
  });

/** A workload of one cluster: its names are unique only there. */
export interface WorkloadName {
  clusterId: string;
  namespace: string;
  kind: string;
  name: string;
}
export const workloadQuery = (workload: WorkloadName) =>
  call<WorkloadAnswer>({
    key: ['workloads', 'one', workload],
    path: `workloads/${[workload.namespace, workload.kind, workload.name].map(part).join('/')}`,
    query: inCluster(workload.clusterId),
    everyMs: POLL.kubernetesPods,
  });

/** A pod of one cluster: its name is unique only there. */
export interface PodName {
  clusterId: string;
  namespace: string;
  name: string;
}
const podPath = ({ namespace, name }: PodName) => `pods/${part(namespace)}/${part(name)}`;

export const podQuery = (pod: PodName) =>
  call<PodAnswer>({
    key: ['pods', 'one', pod],
    path: podPath(pod),
    query: inCluster(pod.clusterId),
    everyMs: POLL.kubernetesPods,
  });

export interface LogChoice {
  container: string;
  previous: boolean;
  /** Raised by each press of the button: every press asks anew. */
  round: number;
}
/** The last lines of a container. They refresh while they are shown; those of a run that ended stay as they are. */
export const podLogsQuery = (pod: PodName, { container, previous, round }: LogChoice): Ask<PodLogsAnswer> => ({
  queryKey: ['pod-logs', pod, container, previous, round],
  queryFn: ({ signal }) =>
    request(`/api/kubernetes/${podPath(pod)}/logs`, {
      query: { ...inCluster(pod.clusterId), container, previous: previous ? 'true' : null },
      signal,
    }),
  refetchInterval: ({ state: { data, error } }) => {
    if (error !== null || data?.state === 'failed') return false;
    if (data?.state === 'pending' && data.lines.length === 0) return POLL.podLogs;
    return previous && data?.state === 'ready' ? false : POLL.podLogTail;
  },
  refetchOnWindowFocus: false,
  staleTime: Infinity,
  retry: false,
});

export const podHistoryQuery = (pod: PodName, hours: number) =>
  call<PodHistoryAnswer>({
    key: ['pods', 'history', pod],
    path: `${podPath(pod)}/metrics/history`,
    query: { ...inCluster(pod.clusterId), hours },
    everyMs: POLL.kubernetesNodeHistory,
  });

/** Makes the refused copy of a cluster a cluster of its own. The token in the answer is shown once. */
export const separateCluster = (clusterId: string) =>
  request<SeparateClusterAnswer>('/api/kubernetes/clusters/separate', {
    method: 'POST',
    body: { cluster_id: clusterId },
  });
