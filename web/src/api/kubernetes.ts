import type {
  ClusterOverviewAnswer,
  ClustersAnswer,
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
  PodsAnswer,
  PodsQuery,
} from '@plimsoll/contract/wire/kubernetes';
import { rangeQuery } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import { POLL } from './polling.ts';
import type { Ask } from './query.ts';

export type ClusterOverview = ClusterOverviewAnswer;
/** Uid of kube-system; null means every cluster of the account. */
type ClusterId = string | null;

interface KubernetesCall {
  key: readonly unknown[];
  path: string;
  query?: Record<string, QueryValue>;
  everyMs: number;
}

/**
 * Old figures stay on the screen while the next page or filter is on its way. Who shows one node or one pod gives the
 * component a key, so that another's figures never stand under its name.
 */
const call = <T>({ key, path, query = {}, everyMs }: KubernetesCall): Ask<T> => ({
  queryKey: ['kubernetes', ...key, query],
  queryFn: ({ signal }) => request(`/api/kubernetes/${path}`, { query, signal }),
  refetchInterval: everyMs,
  placeholderData: (previous) => previous,
});
const part = encodeURIComponent;
const inCluster = (cluster: ClusterId) => ({ cluster_id: cluster });

export const clusterOverviewQuery = (cluster: ClusterId = null) =>
  call<ClusterOverviewAnswer>({
    key: ['overview'],
    path: 'cluster/overview',
    query: inCluster(cluster),
    everyMs: POLL.kubernetesOverview,
  });

export const clustersQuery = () =>
  call<ClustersAnswer>({ key: ['clusters'], path: 'clusters', everyMs: POLL.kubernetesOverview });

export const permissionsQuery = (cluster: ClusterId = null) =>
  call<PermissionsAnswer>({
    key: ['permissions'],
    path: 'permissions',
    query: inCluster(cluster),
    everyMs: POLL.kubernetesOverview,
  });

export const nodesQuery = (query: NodesQuery) =>
  call<NodesAnswer>({ key: ['nodes', 'list'], path: 'nodes', query, everyMs: POLL.kubernetesNodes });

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
    query: { limit, sort: 'memory_percent', order: 'desc' },
    everyMs: POLL.kubernetesPods,
  });

export const nodeHistoryQuery = (serverId: string, range: TimeRange) =>
  call<NodeHistoryAnswer>({
    key: ['nodes', 'history', serverId],
    path: `nodes/${part(serverId)}/metrics/history`,
    query: rangeQuery(range),
    everyMs: POLL.kubernetesNodeHistory,
  });

export const podsQuery = (query: PodsQuery) =>
  call<PodsAnswer>({ key: ['pods', 'list'], path: 'pods', query, everyMs: POLL.kubernetesPods });

export const ownersQuery = (query: OwnersQuery) =>
  call<OwnersAnswer>({ key: ['owners'], path: 'owners', query, everyMs: POLL.kubernetesPods });

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

export const podHistoryQuery = (pod: PodName, hours: number) =>
  call<PodHistoryAnswer>({
    key: ['pods', 'history', pod],
    path: `${podPath(pod)}/metrics/history`,
    query: { ...inCluster(pod.clusterId), hours },
    everyMs: POLL.kubernetesNodeHistory,
  });
