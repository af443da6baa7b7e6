import type { ClusterMomentAnswer } from '@plimsoll/contract/wire/kubernetes-moment';
import { useView } from '../state/view.ts';
import { allClustersQuery, clusterMomentQuery } from './kubernetes.ts';
import { useQuery, type Asked } from './query.ts';

/**
 * Nodes and pods at the moment that the page shows; asks nothing of them on a page of now. `clusters`: how many the
 * organisation has, whatever the scope.
 */
export function useClusterMoment(cluster: string | null): Asked<ClusterMomentAnswer> & { clusters: number } {
  const { at } = useView();
  const clusters = useQuery(allClustersQuery()).data?.total ?? 0;
  const asked = useQuery({ ...clusterMomentQuery(at ?? 0, cluster), enabled: at !== null });
  return { ...asked, clusters };
}
