import { matchesScope, type Scope, type ScopedSubject } from '@plimsoll/contract/rules/scope';
import type { Owner } from '../accounts/owner.ts';
import { subjectOf } from '../servers/scope.ts';
import type { Servers } from '../servers/store.ts';
import type { Kubernetes } from './store.ts';
import type { ClusterScope, NodeFacts } from './types.ts';

const bare = (facts: NodeFacts): ScopedSubject => ({
  tags: {},
  region: null,
  clusters: [facts.clusterId, ...(facts.clusterName === null ? [] : [facts.clusterName])],
  status: null,
});

/**
 * Returns what of the owner's clusters is in the scope; undefined without a scope. A node has the tags and the status of
 * its server, and the region of its server or else its label. A node without a server has neither tag nor status.
 */
export async function clustersInScope(
  storage: { servers: Pick<Servers, 'scopeFacts'>; kubernetes: Kubernetes },
  owner: Owner,
  scope: Scope | undefined,
  now: number,
): Promise<ClusterScope | undefined> {
  if (scope === undefined || scope.length === 0) return undefined;
  const [nodes, servers] = await Promise.all([
    storage.kubernetes.views.nodeFacts(owner),
    storage.servers.scopeFacts(owner),
  ]);
  const subjects = new Map(servers.map((server) => [server.id, subjectOf(server, now)]));
  const subject = (node: NodeFacts): ScopedSubject => {
    const own = node.serverId === null ? undefined : subjects.get(node.serverId);
    return { ...bare(node), ...own, clusters: bare(node).clusters, region: own?.region ?? node.region };
  };
  return {
    nodes: nodes.flatMap((node) => (node.key !== null && matchesScope(subject(node), scope) ? [node.key] : [])),
    clusters: [...new Set(nodes.filter((node) => matchesScope(bare(node), scope)).map(({ clusterKey }) => clusterKey))],
  };
}
