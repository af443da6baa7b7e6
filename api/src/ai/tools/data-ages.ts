import { clustersAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ReadCall } from '../types.ts';

/** Clusters with the age of what they reported last, and their names for rows of several clusters. */
export interface DataAges {
  clusters: { name: string; age_seconds: number | null }[];
  nameOf: (clusterId: string) => string;
}

export async function readDataAges(read: ReadCall): Promise<DataAges> {
  const { clusters } = await read('/api/kubernetes/clusters', clustersAnswer);
  const names = new Map(clusters.map(({ cluster_id: id, name }) => [id, name ?? id]));
  return {
    clusters: clusters.map(({ cluster_id: id, name, age_seconds: age }) => ({ name: name ?? id, age_seconds: age })),
    nameOf: (id) => names.get(id) ?? id,
  };
}
