import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { useView } from '../state/view.ts';
import { clusterMomentQuery } from './kubernetes.ts';
import { useQuery, type Asked } from './query.ts';

/** Nodes and pods at the moment that the page shows; asks nothing on a page of now. */
export function useClusterMoment(cluster: string | null): Asked<ClusterMomentAnswer> {
  const { at } = useView();
  return useQuery({ ...clusterMomentQuery(at ?? 0, cluster), enabled: at !== null });
}
