import { renameClusterAnswer, renameClusterRequest } from '@plimsoll/contract/wire/kubernetes';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { removeCluster } from '../acting/remove-cluster.ts';
import { renameCluster } from '../acting/rename-cluster.ts';

const tag = 'Kubernetes';
/** Uid of kube-system, or the id of a copy that was separated. */
const params = { id: z.string().min(1).max(128) };

/** Routes on a whole cluster, for admins. */
export const clusterAdministrationRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'PUT',
      path: '/api/kubernetes/clusters/:id/name',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Renames a cluster; null returns to the name that its collector reports',
      audit: 'cluster_renamed',
      tag,
      params,
      body: renameClusterRequest,
      answer: renameClusterAnswer,
    },
    async ({ actor, params: { id }, body }) => ({
      cluster_id: id,
      name: await renameCluster(deps, actor, { clusterId: id, name: body.name }),
    }),
  ),
  defineRoute(
    {
      method: 'DELETE',
      path: '/api/kubernetes/clusters/:id',
      actor: 'user',
      role: 'admin',
      scope: 'session',
      summary: 'Deletes a cluster with its nodes, pods, alerts and tokens; its collectors are refused from then on',
      audit: 'cluster_removed',
      tag,
      params,
      answer: z.object({}),
    },
    async ({ actor, params: { id } }) => {
      await removeCluster(deps, actor, id);
      return {};
    },
  ),
];
