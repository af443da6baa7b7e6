import { activityAnswer, type ActivityEvent } from '@plimsoll/contract/wire/activity';
import { EVENT_SEVERITIES, EVENT_TYPES, LEADING_EVENT_HOURS } from '@plimsoll/contract/rules/limits';
import { dates, page, scope, serverId } from '@plimsoll/contract/wire/query';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import type { ActivityFilter, ActivityRecord } from './types.ts';
import { given, pastFilter, scopedFilter } from '../series/range.ts';
import { requireServer } from '../servers/require-server.ts';
import { epochSeconds } from '../http/units.ts';

const HOUR_MS = 3_600_000;

const shapeEvent = (event: ActivityRecord): ActivityEvent => ({
  id: event.id,
  server_id: event.serverId,
  hostname: event.hostname,
  event_type: event.event_type,
  service_name: event.service_name,
  process_name: event.process_name,
  message: event.message,
  severity: event.severity,
  timestamp: epochSeconds(event.at),
});

export const activityRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/activity',
      actor: 'user',
      summary: 'Lists activity events of your servers, newest first or with the leading ones first',
      tag: 'Activity',
      query: {
        ...page(),
        ...dates,
        server_id: serverId.optional(),
        scope: scope.optional(),
        event_type: z.enum(EVENT_TYPES).optional(),
        service_name: z.string().max(512).optional(),
        severity: z.enum(EVENT_SEVERITIES).optional(),
        process_runs: z
          .enum(['listed', 'folded'])
          .optional()
          .meta({ description: '"folded" counts starts and stops of processes instead of listing them' }),
        order: z.enum(['newest', 'leading']).optional().meta({
          description:
            '"leading" puts crashes, updates and config changes first; without start_date those of the last 24 hours',
        }),
      },
      answer: activityAnswer,
    },
    async ({ actor, query }) => {
      if (query.server_id !== undefined) await requireServer(deps.storage.servers, actor.owner, query.server_id);
      const filter: ActivityFilter = {
        ...(await scopedFilter(deps, actor.owner, query, pastFilter)),
        ...given('eventType', query.event_type),
        ...given('serviceName', query.service_name),
        ...given('severity', query.severity),
        ...given('withoutProcessRuns', query.process_runs === undefined ? undefined : query.process_runs === 'folded'),
      };
      if (query.order === 'leading')
        filter.leadingSince = query.start_date ?? deps.clock.now() - LEADING_EVENT_HOURS * HOUR_MS;
      const { events, total, folded } = await deps.storage.activity.list(actor.owner, filter, query);
      return { events: events.map(shapeEvent), total, folded };
    },
  ),
];
