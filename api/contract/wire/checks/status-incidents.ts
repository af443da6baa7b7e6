import { z } from 'zod';
import { INCIDENT_IMPACTS, INCIDENT_STATES, STATUS_PAGE_LIMITS } from '../../rules/checks/status-page-limits.ts';
import { bodyMoment } from '../alerts/alert-silences.ts';
import { creator } from '../creator.ts';
import { typedName } from '../typed-name.ts';

const { servers, checks, titleCharacters, textCharacters } = STATUS_PAGE_LIMITS;

const text = z.string().trim().min(1, 'must not be empty').max(textCharacters);
/** Null: no time is promised. */
const nextUpdate = bodyMoment.nullable().default(null);

const fields = {
  title: typedName(titleCharacters),
  impact: z.enum(INCIDENT_IMPACTS),
  /** Servers of the page whose parts it affects. */
  server_ids: z
    .array(z.uuid('must be a server id (a UUID)').toLowerCase())
    .max(servers)
    .default([])
    .refine((list) => new Set(list).size === list.length, 'must name each server once'),
  /** Checks of the page whose parts it affects. */
  check_ids: z
    .array(z.uuid('must be a check id (a UUID)').toLowerCase())
    .max(checks)
    .default([])
    .refine((list) => new Set(list).size === list.length, 'must name each check once'),
};

/** POST /api/status-pages/{id}/incidents: an incident with its first update. */
export const incidentRequest = z.strictObject({
  ...fields,
  /** Default: now. */
  started_at: bodyMoment.optional(),
  next_update_at: nextUpdate,
  state: z.enum(INCIDENT_STATES).default('investigating'),
  text,
});
/** PUT /api/status-pages/{id}/incidents/{incident_id}: all but the updates. */
export const incidentChangeRequest = z.strictObject({
  ...fields,
  started_at: bodyMoment,
  next_update_at: nextUpdate,
});
/** POST /api/status-pages/{id}/incidents/{incident_id}/updates. `resolved` ends the incident; another state reopens it. */
export const incidentUpdateRequest = z.strictObject({
  state: z.enum(INCIDENT_STATES),
  text,
  next_update_at: nextUpdate,
});
/** PUT /api/status-pages/{id}/incidents/{incident_id}/updates/{update_id}: corrects the words. */
export const incidentTextRequest = z.strictObject({ text });

export const statusIncident = z.object({
  incident_id: z.uuid(),
  title: z.string(),
  impact: z.enum(INCIDENT_IMPACTS),
  state: z.enum(INCIDENT_STATES),
  server_ids: z.array(z.uuid()),
  check_ids: z.array(z.uuid()),
  started_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
  next_update_at: z.iso.datetime().nullable(),
  /** Newest first. */
  updates: z.array(
    z.object({
      update_id: z.uuid(),
      at: z.iso.datetime(),
      state: z.enum(INCIDENT_STATES),
      text: z.string(),
      created_by: creator,
    }),
  ),
  created_by: creator,
});
/** GET /api/status-pages/{id}/incidents: open ones first, then newest first. */
export const statusIncidentsAnswer = z.object({ incidents: z.array(statusIncident), total: z.int() });
export const statusIncidentAnswer = z.object({ incident: statusIncident });

export type StatusIncidentOnWire = z.infer<typeof statusIncident>;
export type StatusIncidentsAnswer = z.infer<typeof statusIncidentsAnswer>;
