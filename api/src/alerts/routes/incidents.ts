import {
  incidentAnswer,
  incidentsAnswer,
  incidentsQuery,
  MOST_INCIDENT_MEMBERS,
  type IncidentAnswer,
  type IncidentView,
} from '@plimsoll/contract/wire/alerts/incidents';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { given } from '@plimsoll/contract/rules/given';
import type { IncidentMember, IncidentRecord } from '../types.ts';

const tag = 'Alerts';

const shapeIncident = (incident: IncidentRecord): IncidentView => ({
  incident_id: incident.id,
  title: incident.title,
  subject: incident.subject,
  cause: incident.cause,
  level: incident.level,
  state: incident.resolvedAt === null ? 'open' : 'resolved',
  opened_at: iso(incident.openedAt),
  resolved_at: isoOrNull(incident.resolvedAt),
  server_id: incident.serverId,
  hostname: incident.hostname,
  alerts: incident.alerts,
  folded: incident.folded,
  counts: { ...incident.counts },
  likely_cause: incident.likelyCause,
});
const shapeMember = (member: IncidentMember): IncidentAnswer['incident']['members'][number] => ({
  alert_id: member.id,
  server_id: member.serverId,
  hostname: member.hostname,
  metric_name: member.metric,
  subject: member.subject,
  level: member.level,
  title: member.title,
  message: member.message,
  folded: member.isFolded,
  opened_at: iso(member.openedAt),
  resolved_at: isoOrNull(member.resolvedAt),
});

export const incidentRoutes = ({ storage }: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/incidents',
      actor: 'user',
      summary: 'Incidents, newest first: each groups the alerts of one cause',
      tag,
      query: incidentsQuery,
      answer: incidentsAnswer,
    },
    async ({ actor, query }) => {
      const { incidents, total } = await storage.incidents.list(actor.owner, given('state', query.state), query);
      return { incidents: incidents.map(shapeIncident), total };
    },
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/incidents/:id',
      actor: 'user',
      summary: 'One incident with its alerts, the leading one first',
      tag,
      params: { id: z.uuid('must be the id of an incident (a UUID)').toLowerCase() },
      answer: incidentAnswer,
    },
    async ({ actor, params }) => {
      const found = await storage.incidents.get(actor.owner, params.id, MOST_INCIDENT_MEMBERS);
      if (found === null) throw notFound('Incident');
      return { incident: { ...shapeIncident(found), members: found.members.map(shapeMember) } };
    },
  ),
];
