import type { Scope } from '@plimsoll/contract/rules/scope';
import type { Owner } from '../tenancy/owner.ts';
import type { Servers } from '../servers/store.ts';
import { clusterScopeOf } from './cluster-scope.ts';
import type { Kubernetes } from './store.ts';
import type { ClusterScope } from './types.ts';

/** Returns what of the owner's clusters is in the scope; undefined without a scope. */
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
  return clusterScopeOf(nodes, servers, scope, now);
}
