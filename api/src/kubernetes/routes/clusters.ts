import { clustersAnswer, eventsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { hours, page, scope } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { secondsSince } from '../collector-status.ts';
import { clustersInScope } from '../scope.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { clusterOverview } from './overview.ts';
import { permissions } from './readers.ts';
import { shapeEvent } from './shape.ts';
import { clusterId, searchText } from './query.ts';
import { rangeOf, todayOf } from '../../series/range.ts';
import { iso } from '../../http/units.ts';

const tag = 'Kubernetes';

export const kubernetesRoutes = (deps: Deps): Route[] => [
  listClusters(deps),
  clusterOverview(deps),
  listEvents(deps),
  permissions(deps),
];

const listClusters = (deps: Deps): Route => {
  const { storage, clock } = deps;
  const { views } = storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/clusters',
      actor: 'user',
      summary: 'Lists your clusters',
      tag,
      query: { scope: scope.optional() },
      answer: clustersAnswer,
    },
    async ({ actor, query }) => {
      const now = clock.now();
      const within = await clustersInScope(storage, actor.owner, query.scope, now);
      const clusters = (await views.clusters(actor.owner, within)).map((one) => ({
        cluster_id: one.id,
        name: one.name,
        version: one.version,
        first_seen_at: iso(one.firstSeenAt),
        last_seen_at: iso(one.lastSeenAt),
        age_seconds: secondsSince(one.lastSeenAt, now),
        nodes: one.nodes,
        pods: one.pods,
        objects_rule_organisation: one.rulesOrganisation,
      }));
      return { clusters, total: clusters.length };
    },
  );
};

const listEvents = (deps: Deps): Route => {
  const { views } = deps.storage.kubernetes;
  return defineRoute(
    {
      method: 'GET',
      path: '/api/kubernetes/events',
      actor: 'user',
      summary: 'Lists events of your cluster(s), last seen first',
      tag,
      query: {
        ...page(PAGE_LIMITS.other),
        cluster_id: clusterId,
        namespace: searchText,
        type: searchText,
        kind: searchText,
        name: searchText,
        reason: searchText,
        search: searchText,
        owner_kind: searchText,
        owner_name: searchText,
        hours,
        scope: scope.optional(),
      },
      answer: eventsAnswer,
    },
    async ({ actor, query }) => {
      const { cluster_id: cluster, hours: asked, scope: chosen, owner_kind: kind, owner_name: name, ...rest } = query;
      if ((kind === undefined) !== (name === undefined))
        throw new CodedError('invalid_parameter', 'owner_name: must be given together with owner_kind', {
          field: 'owner_name',
          remedy: 'Add the other one, or leave both out.',
        });
      const within = await clustersInScope(deps.storage, actor.owner, chosen, deps.clock.now());
      const { from } = rangeOf({ hours: asked }, todayOf(deps));
      const { events, ...found } = await views.events({
        ...rest,
        owner: actor.owner,
        clusterId: cluster,
        within,
        from,
        ...(kind !== undefined && name !== undefined && { workload: { kind, name } }),
      });
      return { events: events.map(shapeEvent), ...found };
    },
  );
};
