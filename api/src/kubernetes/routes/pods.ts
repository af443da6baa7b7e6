import { ownersAnswer, podsAnswer } from '@plimsoll/contract/wire/kubernetes';
import {
  OWNER_GROUPINGS,
  OWNER_SORTS,
  POD_PHASES,
  POD_SORTS,
  SORT_ORDERS,
} from '@plimsoll/contract/rules/kubernetes-limits';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { page, scope } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { clustersInScope } from '../scope.ts';
import { shapeOwner, shapePod, shapeSummary } from './shape.ts';
import { clusterId, searchText } from './query.ts';
import { onePodRoutes } from './one-pod.ts';

const tag = 'Kubernetes';
export const kubernetesPodRoutes = (deps: Deps): Route[] => [listPods(deps), listOwners(deps), ...onePodRoutes(deps)];

const listPods = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/pods',
      actor: 'user',
      summary: 'Pods, one page of them, with counts over all pods of the cluster',
      tag,
      query: {
        ...page(PAGE_LIMITS.pods),
        cluster_id: clusterId,
        namespace: searchText,
        phase: z.enum(POD_PHASES).optional(),
        node_name: searchText,
        owner_kind: searchText,
        owner_name: searchText,
        search: searchText,
        sort: z.enum(POD_SORTS).default('name'),
        order: z.enum(SORT_ORDERS).default('asc'),
        scope: scope.optional(),
      },
      answer: podsAnswer,
    },
    async ({ actor, query }) => {
      const { owner } = actor;
      const now = clock.now();
      const filter = {
        owner,
        clusterId: query.cluster_id,
        within: await clustersInScope(storage, owner, query.scope, now),
        namespace: query.namespace,
        phase: query.phase,
        nodeName: query.node_name,
        ownerKind: query.owner_kind,
        ownerName: query.owner_name,
        search: query.search,
        sort: query.sort,
        order: query.order,
        limit: query.limit,
        offset: query.offset,
      };
      const [found, summary] = await Promise.all([views.pods(filter, now), views.podsSummary(filter, now)]);
      return {
        pods: found.pods.map((pod) => shapePod(pod, now)),
        total: found.total,
        summary: shapeSummary(summary, now),
      };
    },
  );
};

const listOwners = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/owners',
      actor: 'user',
      summary: 'Pods summed by what owns them (Deployment, StatefulSet, DaemonSet, CronJob …), or by namespace',
      tag,
      query: {
        ...page(PAGE_LIMITS.other),
        cluster_id: clusterId,
        namespace: searchText,
        by: z.enum(OWNER_GROUPINGS).default('owner'),
        owner_kind: searchText,
        search: searchText,
        sort: z.enum(OWNER_SORTS).default('namespace'),
        order: z.enum(SORT_ORDERS).default('asc'),
        scope: scope.optional(),
      },
      answer: ownersAnswer,
    },
    async ({ actor, query }) => {
      const { cluster_id: cluster, owner_kind: ownerKind, scope: chosen, ...asked } = query;
      const now = clock.now();
      const within = await clustersInScope(storage, actor.owner, chosen, now);
      const filter = { ...asked, owner: actor.owner, clusterId: cluster, within, ownerKind };
      const { owners, total } = await views.owners(filter, now);
      return {
        owners: owners.map(shapeOwner),
        total,
      };
    },
  );
};
