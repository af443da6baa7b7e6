import { activityAnswer } from '@plimsoll/contract/wire/activity';
import { alertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { ALERT_LEVELS, ALERT_STATUSES, EVENT_TYPES } from '@plimsoll/contract/rules/limits';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { rangeFrom, rangeInput } from './series.ts';
import { chosenServer } from './named-server.ts';
import { iso, MOST_ROWS, tool } from './tool.ts';

/** Alerts that a filter of the tool itself looks through. */
const MOST_ALERTS = 1000;

export const alertTools: readonly Tool[] = [
  tool({
    name: 'list_alerts',
    description:
      'Lists alerts, newest first unless order is oldest: level, title, message, status (active, resolved, unknown), value and threshold. acknowledged_by: who acknowledged it. Without a range: those that are open now. With one: those that opened in it.',
    input: z.object({
      server: z.string().max(200).optional(),
      level: z.enum(ALERT_LEVELS).optional(),
      status: z.enum(ALERT_STATUSES).optional(),
      cluster_id: z.string().max(64).optional(),
      acknowledged: z.boolean().optional(),
      order: z.enum(['newest', 'oldest']).default('newest'),
      ...rangeInput,
    }),
    async run({ server, level, status, cluster_id: clusterId, acknowledged, order, ...given }, context) {
      // The API has neither the filter nor the order.
      const isChosen = acknowledged !== undefined || order === 'oldest';
      const chosen = await chosenServer(context, server);
      const isRange = [given.minutes, given.from, given.to].some((bound) => bound !== undefined);
      const range = isRange ? rangeFrom(given, context) : null;
      const asked = status ?? (range === null ? 'active' : undefined);
      const { alerts, total } = await context.read('/api/data/notifications', alertsAnswer, {
        query: {
          limit: isChosen ? MOST_ALERTS : MOST_ROWS,
          server_id: chosen?.id,
          scope: clusterId === undefined ? undefined : `cluster:${clusterId}`,
          level,
          status: asked,
          ...(range && { start_date: Math.floor(range.from), end_date: Math.ceil(range.to) }),
        },
      });
      const found = alerts.filter(
        ({ acknowledged_at: at }) => acknowledged === undefined || (at !== null) === acknowledged,
      );
      const ordered = order === 'oldest' ? found.toReversed() : found;
      return {
        content: {
          total: acknowledged === undefined ? total : found.length,
          looked_at: alerts.length,
          of: total,
          alerts: ordered.slice(0, MOST_ROWS).map((alert) => ({
            alert_id: alert.alert_id,
            hostname: alert.tags.hostname,
            level: alert.level,
            title: alert.title,
            message: alert.message,
            status: alert.status,
            metric: alert.metric_name,
            current_value: alert.current_value,
            threshold_value: alert.threshold_value,
            since: iso(alert.timestamp),
            resolved_at: alert.resolved_at,
            acknowledged_at: alert.acknowledged_at,
            acknowledged_by: alert.acknowledged_by,
          })),
        },
        sources: [
          asked === 'active' && range === null
            ? screens.activeAlerts(chosen?.id ?? null)
            : screens.alerts(chosen?.id ?? null, range),
        ],
      };
    },
  }),
  tool({
    name: 'activity',
    description:
      'Lists activity events, newest first: services started, stopped or failed, crashes, updates, config changes.',
    input: z.object({
      server: z.string().max(200).optional(),
      event_type: z.enum(EVENT_TYPES).optional(),
      ...rangeInput,
    }),
    async run({ server, event_type: eventType, ...given }, context) {
      const chosen = await chosenServer(context, server);
      const range = rangeFrom(given, context);
      const { events, total } = await context.read('/api/data/activity', activityAnswer, {
        query: {
          limit: MOST_ROWS,
          server_id: chosen?.id,
          event_type: eventType,
          start_date: Math.floor(range.from),
          end_date: Math.ceil(range.to),
        },
      });
      return {
        content: {
          total,
          events: events.map((event) => ({
            hostname: event.hostname,
            event_type: event.event_type,
            service: event.service_name,
            process: event.process_name,
            message: event.message,
            severity: event.severity,
            at: iso(event.timestamp),
          })),
        },
        sources: [screens.activity(chosen?.id ?? null, range, eventType)],
      };
    },
  }),
];
