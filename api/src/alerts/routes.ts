import { alertsAnswer } from '@plimsoll/contract/wire/alerts';
import { ALERT_LEVELS, ALERT_STATUSES } from '@plimsoll/contract/rules/limits';
import { dates, page, scope, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { clustersInScope } from '../kubernetes/scope.ts';
import { given, pastFilter, requireServer, scopedFilter } from '../series/range.ts';
import { shapeAlert } from './routes/shape-alert.ts';
import { ActiveSilences } from './silence-match.ts';

export const alertRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/notifications',
      actor: 'user',
      summary: 'Lists alerts, newest first; with dates, only alerts that fired in the range',
      tag: 'Alerts',
      query: {
        ...page(),
        ...dates,
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
        clustersInScope(deps.storage, actor.owner, query.scope, deps.clock.now()),
      ]);
      const filter = {
        ...range,
        ...given('clusters', clusters),
        ...given('level', query.level),
        ...given('status', query.status),
        ...given('isFolded', query.folded && query.folded === 'true'),
      };
      const now = deps.clock.now();
      const [{ alerts, total }, active] = await Promise.all([
        deps.storage.alerts.list(actor.owner, filter, query, now),
        deps.storage.silences.active(actor.owner, now),
      ]);
      const silences = new ActiveSilences(active, now);
      return { alerts: alerts.map((alert) => shapeAlert(alert, silences)), total };
    },
  ),
];
