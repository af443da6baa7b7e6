/** Returns the name of a row's cluster; null where every row is of one cluster. */
export type ClusterNameOf = (clusterId: string) => string | null;
export const oneCluster: ClusterNameOf = () => null;
