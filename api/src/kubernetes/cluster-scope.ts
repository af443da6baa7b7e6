import { matchesScope, type Scope, type ScopedSubject } from '@plimsoll/contract/rules/scope';
import { subjectOf } from '../servers/scope-subject.ts';
import type { ScopeFacts } from '../servers/types.ts';
import type { NodeFacts } from './node-records.ts';
import type { ClusterScope } from './types.ts';

const bare = (facts: NodeFacts): ScopedSubject => ({
  tags: {},
  region: null,
  clusters: [facts.clusterId, ...(facts.clusterName === null ? [] : [facts.clusterName])],
  status: null,
});

/**
 * Returns what of the clusters is in the scope. A node has the tags and the status of its server, and the region of its
 * server or else its label. A node without a server has neither tag nor status.
 */
export function clusterScopeOf(
  nodes: readonly NodeFacts[],
  servers: readonly (ScopeFacts & { id: string })[],
  scope: Scope,
  now: number,
): ClusterScope {
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
