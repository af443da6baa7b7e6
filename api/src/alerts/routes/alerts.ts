import { alertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { ALERT_LEVELS, ALERT_STATUSES } from '@plimsoll/contract/rules/limits';
import { at, dates, page, scope, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Scope } from '@plimsoll/contract/rules/scope';
import type { Owner } from '../../tenancy/owner.ts';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { clusterScopeOf } from '../../kubernetes/cluster-scope.ts';
import type { ClusterScope } from '../../kubernetes/types.ts';
import { given } from '@plimsoll/contract/rules/given';
import { pastFilter, scopedFilter } from '../../servers/list-filter.ts';
import { requireMoment } from '../../series/range.ts';
import { requireServer } from '../../servers/require-server.ts';
import { shapeAlert } from './shape-alert.ts';
import { alertAsOf, firedBy, openAt } from '../acting/as-of.ts';
import { ActiveSilences } from '../silence-match.ts';

/** Returns what of the clusters is in the scope of a request; undefined without a scope. */
async function clustersOf(
  { storage, clock }: Deps,
  owner: Owner,
  chosen: Scope | undefined,
): Promise<ClusterScope | undefined> {
  if (chosen === undefined || chosen.length === 0) return undefined;
  const [nodes, servers] = await Promise.all([
    storage.kubernetes.views.nodeFacts(owner),
    storage.servers.scopeFacts(owner),
  ]);
  return clusterScopeOf(nodes, servers, chosen, clock.now());
}

export const alertRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/notifications',
      actor: 'user',
      summary:
        'Lists alerts, newest first; with dates, only alerts that fired in the range; with `at`, as they stood then: those ' +
        'open, or with start_date those that fired since',
      tag: 'Alerts',
      query: {
        ...page(),
        ...dates,
        at,
        server_id: serverId.optional(),
        scope: scope.optional(),
        level: z.enum(ALERT_LEVELS).optional(),
        status: z.enum(ALERT_STATUSES).optional(),
        folded: z.enum(['true', 'false']).optional(),
      },
      answer: alertsAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const [range, clusters] = await Promise.all([
        scopedFilter(deps, actor.owner, query, pastFilter),
        clustersOf(deps, actor.owner, query.scope),
      ]);
      if (query.at !== undefined) await requireMoment(deps, actor.owner, query.at, 'alerts');
      const filter = {
        ...range,
        ...given('clusters', clusters),
        ...given('level', query.level),
        ...given('status', query.status),
        ...given('isFolded', query.folded && query.folded === 'true'),
        ...(query.at !== undefined && (query.start_date === undefined ? openAt(query.at) : firedBy(query.at, range))),
      };
      const now = deps.clock.now();
      const [{ alerts, total }, active] = await Promise.all([
        deps.storage.alerts.list(actor.owner, filter, query, now),
        deps.storage.silences.active(actor.owner, now),
      ]);
      const silences = new ActiveSilences(active, now);
      const shown = query.at === undefined ? alerts : alerts.map((alert) => alertAsOf(alert, query.at ?? now));
      return { alerts: shown.map((alert) => shapeAlert(alert, silences, query.at ?? now)), total };
    },
  ),
];
