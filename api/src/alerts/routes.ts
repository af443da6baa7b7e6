import { alertsAnswer, type Alert } from '@plimsoll/contract/wire/alerts';
import { ALERT_LEVELS, ALERT_STATUSES } from '@plimsoll/contract/rules/limits';
import { dates, page, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import type { AlertRecord } from './types.ts';
import { given, pastFilter, requireServer, todayOf } from '../series/range.ts';
import { epochSeconds, isoOrNull, rounded } from '../http/units.ts';

const shapeAlert = (alert: AlertRecord): Alert => ({
  alert_id: alert.id,
  server_id: alert.serverId,
  level: alert.level,
  title: alert.title,
  message: alert.message,
  status: alert.status,
  timestamp: epochSeconds(alert.openedAt),
  resolved_at: isoOrNull(alert.resolvedAt),
  metric_name: alert.metric,
  current_value: rounded(alert.value),
  threshold_value: rounded(alert.threshold),
  acknowledged_at: isoOrNull(alert.acknowledgedAt),
  tags: { hostname: alert.hostname, ...(alert.subject !== '' && { subject: alert.subject }) },
});

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
        level: z.enum(ALERT_LEVELS).optional(),
        status: z.enum(ALERT_STATUSES).optional(),
      },
      answer: alertsAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const filter = {
        ...pastFilter(query, todayOf(deps)),
        ...given('level', query.level),
        ...given('status', query.status),
      };
      const { alerts, total } = await deps.storage.alerts.list(actor.owner, filter, query, deps.clock.now());
      return { alerts: alerts.map(shapeAlert), total };
    },
  ),
];
