import type {
  CapacityAnswer,
  CapacityFitsAnswer,
  CapacityLossAnswer,
  ServerFitsAnswer,
  SizingAnswer,
  SurvivalAnswer,
} from '@plimsoll/contract/wire/capacity';
import type { AdviceSettings, CapacitySettingsAnswer, ClusterPrice } from '@plimsoll/contract/wire/capacity-settings';
import type { IdleServersAnswer } from '@plimsoll/contract/wire/idle-servers';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import type { WorkloadName } from './kubernetes.ts';
import { POLL } from './polling.ts';
import { NOTHING, SCOPE, type Ask } from './query.ts';

interface Call {
  key: readonly unknown[];
  path: string;
  query?: Record<string, QueryValue>;
  scoped?: boolean;
}

/** Plans are computed every five minutes; old figures stay while the next are on their way. */
const call = <T>({ key, path, query = {}, scoped = false }: Call): Ask<T> => ({
  queryKey: ['capacity', ...key, query],
  queryFn: ({ signal }, view) => request(`/api/kubernetes/${path}`, { query: { ...query, scope: view.scope }, signal }),
  follows: scoped ? SCOPE : NOTHING,
  refetchInterval: POLL.capacity,
  placeholderData: (previous) => previous,
});

export const capacityQuery = (cluster: string | null) =>
  call<CapacityAnswer>({ key: ['cluster'], path: 'capacity', query: { cluster_id: cluster }, scoped: true });

export const survivalQuery = () => call<SurvivalAnswer>({ key: ['summary'], path: 'capacity/summary', scoped: true });

export const lossQuery = (cluster: string, node: string) =>
  call<CapacityLossAnswer>({ key: ['loss'], path: 'capacity/loss', query: { cluster_id: cluster, node } });

export const fitsQuery = (cluster: string, size: { cpu_cores: number; memory_bytes: number }) =>
  call<CapacityFitsAnswer>({ key: ['fits'], path: 'capacity/fits', query: { cluster_id: cluster, ...size } });

/** Containers of a cluster, those with the largest effect first. */
export const sizingQuery = (cluster: string, limit: number) =>
  call<SizingAnswer>({ key: ['sizing'], path: 'sizing', query: { cluster_id: cluster, limit } });

export const workloadSizingQuery = ({ clusterId, namespace, kind, name }: WorkloadName) =>
  call<SizingAnswer>({
    key: ['sizing', 'workload'],
    path: 'sizing',
    query: { cluster_id: clusterId, namespace, kind, name },
  });

/** Servers that take a load, those with most headroom afterwards first. */
export const serverFitsQuery = (
  size: { cores: number; memory_bytes: number },
  limit: number,
): Ask<ServerFitsAnswer> => ({
  queryKey: ['servers', 'fits', size, limit],
  queryFn: ({ signal }, view) => request('/api/servers/fits', { query: { ...size, limit, scope: view.scope }, signal }),
  follows: SCOPE,
  refetchInterval: POLL.capacity,
  placeholderData: (previous) => previous,
});

/** Servers that can be given back, those that nobody is connected to first. */
export const idleServersQuery = (limit: number): Ask<IdleServersAnswer> => ({
  queryKey: ['servers', 'idle', limit],
  queryFn: ({ signal }, view) => request('/api/servers/idle', { query: { limit, scope: view.scope }, signal }),
  follows: SCOPE,
  refetchInterval: POLL.capacity,
  placeholderData: (previous) => previous,
});

export const capacitySettingsQuery = (): Ask<CapacitySettingsAnswer> => ({
  queryKey: ['capacity', 'settings'],
  queryFn: ({ signal }) => request('/api/kubernetes/capacity/settings', { signal }),
});
export const putAdvice = (body: AdviceSettings): Promise<CapacitySettingsAnswer> =>
  request('/api/kubernetes/capacity/settings', { method: 'PUT', body });
const pricePath = (cluster: string): string => `/api/kubernetes/clusters/${encodeURIComponent(cluster)}/price`;
export const putPrice = (cluster: string, body: ClusterPrice): Promise<CapacitySettingsAnswer> =>
  request(pricePath(cluster), { method: 'PUT', body });
export const deletePrice = (cluster: string): Promise<CapacitySettingsAnswer> =>
  request(pricePath(cluster), { method: 'DELETE' });
