import { allClustersQuery } from './kubernetes.ts';
import { useQuery } from './query.ts';

/** Characters of an id that stand for a cluster without a name. */
const SHORT_ID = 8;
const oneCluster = () => null;

/**
 * Names the cluster of each row as soon as the organisation has two, whatever the scope: a name of a pod or a workload is
 * unique only in its cluster. `chosen`: the cluster that the address names, whose rows need no name.
 */
export function useClusterNames(chosen: string | null): (clusterId: string) => string | null {
  const clusters = useQuery(allClustersQuery()).data?.clusters ?? [];
  if (chosen !== null || clusters.length < 2) return oneCluster;
  const names = new Map(clusters.map(({ cluster_id: id, name }) => [id, name]));
  return (id) => names.get(id) ?? id.slice(0, SHORT_ID);
}
