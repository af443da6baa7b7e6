import { cutText } from '@plimsoll/contract/rules/printable-text';
import { alertDetailAnswer, type AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { incidentAnswer, incidentsAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import type { Tool } from '../types.ts';
import { iso, MOST_ROWS, tool } from './tool.ts';

const TEXT_CHARACTERS = 200;

type BlackBox = NonNullable<AlertDetailAnswer['black_box']>;

/** The lists that were frozen when the alert opened, without addresses and with short command lines. */
const frozenLists = (box: BlackBox) => ({
  taken_at: box.taken_at,
  processes_total: box.processes?.total ?? null,
  processes: (box.processes?.entries ?? []).slice(0, 10).map((process) => ({
    name: process.name,
    command: cutText(process.command, TEXT_CHARACTERS),
    cpu_percent_of_one_core: process.cpu_usage,
    memory_percent: process.memory_usage,
    memory_kb: process.memory_kb,
  })),
  connections: box.connections?.summary ?? null,
  events: box.events.slice(0, MOST_ROWS).map(({ timestamp, event_type: type, message }) => ({
    at: iso(timestamp),
    event_type: type,
    message: cutText(message, TEXT_CHARACTERS),
  })),
  pods: (box.pods?.entries ?? []).slice(0, MOST_ROWS),
  kubernetes_events: (box.cluster?.events ?? []).map(({ timestamp, message, ...event }) => ({
    ...event,
    at: iso(timestamp),
    message: cutText(message, TEXT_CHARACTERS),
  })),
  nodes: box.cluster?.nodes ?? [],
  terminations: (box.cluster?.terminations ?? []).map(({ message, ...end }) => ({
    ...end,
    message: message === null ? null : cutText(message, TEXT_CHARACTERS),
  })),
});

/** Alerts and incidents with the state that was frozen when they opened. */
export const incidentTools: readonly Tool[] = [
  tool({
    name: 'alert_details',
    description:
      'Returns one alert: its rule in words, the state frozen when it opened (top processes, connections, events, pods), deliveries, and who did what.',
    input: z.object({ alert_id: z.string().max(64).describe('from list_alerts or incident_details') }),
    async run({ alert_id: id }, { read }) {
      const detail = await read('/api/alerts/:id', alertDetailAnswer, { params: { id } });
      const { alert, rule, black_box: box } = detail;
      return {
        content: {
          title: alert.title,
          message: alert.message,
          hostname: alert.tags.hostname,
          level: alert.level,
          status: alert.status,
          current_value: alert.current_value,
          threshold_value: alert.threshold_value,
          opened_at: iso(alert.timestamp),
          resolved_at: alert.resolved_at,
          incident_id: alert.incident?.incident_id ?? null,
          silenced_until: alert.silenced_until,
          rule: rule.text,
          frozen: box === null ? null : frozenLists(box),
          frozen_note: detail.black_box_note,
          deliveries: detail.deliveries.map(({ channel_name: channel, state, at, error }) => ({
            channel,
            state,
            at,
            error,
          })),
          history: detail.history.slice(0, MOST_ROWS),
        },
        sources: [screens.alert(id, alert.title)],
      };
    },
  }),
  tool({
    name: 'list_incidents',
    description:
      'Lists incidents, newest first. An incident groups the alerts of one cause, such as a host that is down with its pods.',
    input: z.object({ state: z.enum(['open', 'resolved']).optional() }),
    async run({ state }, { read }) {
      const { incidents, total } = await read('/api/incidents', incidentsAnswer, {
        query: { state, limit: MOST_ROWS },
      });
      return {
        content: { total, incidents },
        sources: [state === 'open' ? screens.activeAlerts(null) : screens.alerts(null)],
      };
    },
  }),
  tool({
    name: 'incident_details',
    description: 'Returns one incident with its alerts, the leading alert first: it is the cause of the folded ones.',
    input: z.object({ incident_id: z.string().max(64).describe('from list_incidents') }),
    async run({ incident_id: id }, { read }) {
      const { incident } = await read('/api/incidents/:id', incidentAnswer, { params: { id } });
      const { members, ...rest } = incident;
      const [leading] = members;
      return {
        content: { ...rest, shown: Math.min(members.length, MOST_ROWS), members: members.slice(0, MOST_ROWS) },
        sources: leading === undefined ? [screens.alerts(null)] : [screens.alert(leading.alert_id, incident.title)],
      };
    },
  }),
];
