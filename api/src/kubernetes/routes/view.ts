import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { nodeFigures } from '../cluster-state.ts';
import type { Owner } from '../../accounts/owner.ts';
import { CodedError, notFound } from '../../errors.ts';
import type { ClusterRecord, NodeRecord } from '../types.ts';
import { shapeNode } from './shape.ts';

/** uid of kube-system. */
export const clusterId = z.string().min(1).max(128).optional();
export const searchText = z.string().max(253).optional();

/** The caller's clusters and nodes as of one moment, joined with the servers their agents report for. */
export interface ClusterView {
  now: number;
  clusters: ClusterRecord[];
  records: NodeRecord[];
  /** Readers of the collector of a cluster. */
  readersOf(clusterId: string): ReaderStatePart[];
  nodeOf(clusterId: string, name: string | null): NodeRecord | null;
  hasServer(node: NodeRecord): boolean;
  shape(node: NodeRecord): KubernetesNode;
  /** By server_id or by name. Throws `not_found`, or `node_ambiguous` for a name that several clusters use. */
  find(node: string): NodeRecord;
}

export async function clusterView(
  { storage, clock }: Deps,
  owner: Owner,
  clusterId: string | undefined,
): Promise<ClusterView> {
  const now = clock.now();
  const { views } = storage.kubernetes;
  const [all, records, fleet] = await Promise.all([
    views.clusters(owner),
    views.nodes({ owner, clusterId }, now),
    storage.servers.listAll(owner),
  ]);
  const servers = new Map(
    fleet.filter(({ server }) => server.isKubernetesNode).map((entry) => [entry.server.id, entry]),
  );
  const byName = new Map(records.map((record) => [`${record.clusterId}/${record.object.name}`, record]));
  const readersOf = (id: string): ReaderStatePart[] => all.find((cluster) => cluster.id === id)?.readers ?? [];
  return {
    now,
    clusters: clusterId === undefined ? all : all.filter(({ id }) => id === clusterId),
    records,
    readersOf,
    nodeOf: (id, name) => byName.get(`${id}/${name ?? ''}`) ?? null,
    hasServer: (node) => servers.has(node.serverId),
    shape: (node) => {
      const server = servers.get(node.serverId) ?? null;
      const figures = nodeFigures(node, server, readersOf(node.clusterId), now);
      return shapeNode(node, figures, server?.server.lastSeenAt ?? null);
    },
    find: (wanted) => {
      const byId = records.find(({ serverId }) => serverId === wanted.toLowerCase());
      if (byId) return byId;
      const named = records.filter(({ object }) => object.name === wanted);
      if (named.length > 1)
        throw new CodedError('node_ambiguous', 'node: several of your clusters have a node of this name', {
          field: 'node',
          remedy: 'Use its server_id, or add cluster_id.',
        });
      if (!named[0]) throw notFound('Node');
      return named[0];
    },
  };
}
