import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { activityAnswer, type ActivityEvent } from '@plimsoll/contract/wire/activity';
import { EVENT_SEVERITIES, EVENT_TYPES, LEADING_EVENT_HOURS } from '@plimsoll/contract/rules/limits';
import { DEFAULT_TIMELINE_KINDS } from '@plimsoll/contract/rules/timeline';
import { dates, page, scope, serverId, timelineKinds } from '@plimsoll/contract/wire/query';
import { timelineAnswer, type TimelineEntry } from '@plimsoll/contract/wire/timeline';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { defineRoute, type Route } from '../http/define-route.ts';
import { readTimeline } from './read-timeline.ts';
import type { TimelineRow } from './timeline.ts';
import type { ActivityFilter, ActivityRecord } from './types.ts';
import { given } from '@plimsoll/contract/rules/given';
import { pastFilter, scopedFilter } from '../servers/list-filter.ts';
import { requireServer } from '../servers/require-server.ts';
import { epochSeconds } from '../http/units.ts';

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

const shapeRow = (row: TimelineRow): TimelineEntry => ({
  id: row.id,
  kind: row.kind,
  timestamp: epochSeconds(row.at),
  first_at: epochSeconds(row.firstAt),
  count: row.count,
  severity: row.severity,
  type: row.type,
  message: row.message,
  servers: row.servers.map(({ id, hostname }) => ({ server_id: id, hostname })),
  servers_total: row.serversTotal,
  object: row.object && {
    cluster_id: row.object.clusterId,
    namespace: row.object.namespace,
    kind: row.object.kind,
    name: row.object.name,
  },
  objects_total: row.objectsTotal,
  alert_id: row.alert?.id ?? null,
  ended_at: row.alert?.endedAt == null ? null : epochSeconds(row.alert.endedAt),
});

const timelineRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/activity/timeline',
      actor: 'user',
      summary:
        'Lists alerts, Kubernetes warnings and events of your servers together, newest first; equal ones of a burst are one',
      tag: 'Activity',
      query: {
        ...page(),
        ...dates,
        server_id: serverId.optional(),
        scope: scope.optional(),
        kinds: timelineKinds.default(DEFAULT_TIMELINE_KINDS),
        /** Words that an entry must hold, in any order. */
        q: z.string().max(200).default(''),
      },
      answer: timelineAnswer,
    },
    async ({ actor, query }) => {
      const { server_id: id, q, limit, offset, ...asked } = query;
      const server = id === undefined ? null : await requireServer(deps.storage.servers, actor.owner, id);
      const found = await readTimeline(deps, actor.owner, { ...asked, server, search: q.trim() });
      return {
        entries: found.rows.slice(offset, offset + limit).map(shapeRow),
        total: found.rows.length,
        kinds: found.kinds,
        complete_since: found.completeSince === null ? null : epochSeconds(found.completeSince),
      };
    },
  );

export const activityRoutes = (deps: Deps): Route[] => [
  timelineRoute(deps),
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
