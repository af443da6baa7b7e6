import { z } from 'zod';
import { ALERT_LEVELS } from '../../rules/limits.ts';
import { page } from '../query.ts';

const INCIDENT_STATES = ['open', 'resolved'] as const;
/** An incident names at most this many of its alerts. */
export const MOST_INCIDENT_MEMBERS = 1000;

export const incident = z.object({
  incident_id: z.uuid(),
  title: z.string(),
  /** Name of what the leading alert is about: "shop/checkout", "node-3", "web-01". */
  subject: z.string(),
  /** Metric of the alert that leads: the cause of the others (offline, ingest_outage …), else the gravest. */
  cause: z.string(),
  /** The gravest of the open alerts. */
  level: z.enum(ALERT_LEVELS),
  state: z.enum(INCIDENT_STATES),
  opened_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
  /** Null: the incident is about no single server. */
  server_id: z.uuid().nullable(),
  hostname: z.string().nullable(),
  /** Alerts of the incident, also resolved ones. */
  alerts: z.int(),
  /** Alerts that the cause explains: they are not sent by themselves. */
  folded: z.int(),
  /** Alerts by metric. */
  counts: z.record(z.string(), z.int()),
  /** First sentence of GET /api/incidents/{id}/cause; null: no cause is known, or not yet. */
  likely_cause: z.string().nullable(),
});
export const incidentsQuery = { ...page(), state: z.enum(INCIDENT_STATES).optional() };
/** GET /api/incidents: newest first. */
export const incidentsAnswer = z.object({ incidents: z.array(incident), total: z.int() });

const member = z.object({
  alert_id: z.uuid(),
  server_id: z.uuid().nullable(),
  hostname: z.string().nullable(),
  metric_name: z.string(),
  subject: z.string(),
  level: z.enum(ALERT_LEVELS),
  title: z.string(),
  message: z.string(),
  folded: z.boolean(),
  opened_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
});
/** GET /api/incidents/{id}: the leading alert first, at most 1,000 members. */
export const incidentAnswer = z.object({ incident: incident.extend({ members: z.array(member) }) });

export type IncidentView = z.infer<typeof incident>;
export type IncidentAnswer = z.infer<typeof incidentAnswer>;
export type IncidentsAnswer = z.infer<typeof incidentsAnswer>;
