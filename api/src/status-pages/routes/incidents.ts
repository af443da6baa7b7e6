import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import {
  incidentChangeRequest,
  incidentRequest,
  incidentTextRequest,
  incidentUpdateRequest,
  statusIncidentAnswer,
  statusIncidentsAnswer,
  type StatusIncidentOnWire,
} from '@plimsoll/contract/wire/checks/status-incidents';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import { shapeCreator } from '../../tenancy/creator.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { changeIncident } from '../change-incident.ts';
import { createIncident } from '../create-incident.ts';
import { deleteIncident } from '../delete-incident.ts';
import { requirePage } from '../require-incident.ts';
import { incidentState, type StatusIncident } from '../types.ts';
import { addIncidentUpdate, correctIncidentUpdate } from '../update-incident.ts';

const tag = 'Status pages';
const path = '/api/status-pages/:id/incidents';
const page = { id: z.uuid('must be the id of a status page (a UUID)').toLowerCase() };
const one = { ...page, incident_id: z.uuid('must be the id of an incident (a UUID)').toLowerCase() };
const { bodyBytes } = STATUS_PAGE_LIMITS;

type People = ReadonlyMap<string, string>;

const shapeIncident = (incident: StatusIncident, people: People): StatusIncidentOnWire => ({
  incident_id: incident.id,
  title: incident.title,
  impact: incident.impact,
  state: incidentState(incident),
  server_ids: incident.serverIds,
  check_ids: incident.checkIds,
  started_at: iso(incident.startedAt),
  resolved_at: isoOrNull(incident.resolvedAt),
  next_update_at: isoOrNull(incident.nextUpdateAt),
  updates: incident.updates.map((update) => ({
    update_id: update.id,
    at: iso(update.at),
    state: update.state,
    text: update.text,
    created_by: shapeCreator(update.createdBy, people),
  })),
  created_by: shapeCreator(incident.createdBy, people),
});

const writersOf = (incidents: readonly StatusIncident[]): PersonId[] => [
  ...new Set(
    incidents
      .flatMap(({ createdBy, updates }) => [createdBy, ...updates.map((update) => update.createdBy)])
      .filter((id) => id !== null),
  ),
];

async function shapeAll({ storage }: Deps, incidents: readonly StatusIncident[]): Promise<StatusIncidentOnWire[]> {
  const people = await storage.tenancy.teams.findNames(writersOf(incidents));
  return incidents.map((incident) => shapeIncident(incident, people));
}

const answerOf = async (deps: Deps, incident: StatusIncident): Promise<{ incident: StatusIncidentOnWire }> => {
  const [shaped] = await shapeAll(deps, [incident]);
  if (shaped === undefined) throw new Error('the incident was not shaped');
  return { incident: shaped };
};

type IncidentBody = z.output<typeof incidentRequest> | z.output<typeof incidentChangeRequest>;
/** Returns what both bodies say of an incident. */
const incidentOf = ({ title, impact, server_ids, check_ids, next_update_at }: IncidentBody) => ({
  title,
  impact,
  serverIds: server_ids,
  checkIds: check_ids,
  nextUpdateAt: next_update_at,
});

export const statusIncidentRoutes = (deps: Deps): Route[] => [
  listIncidents(deps),
  createRoute(deps),
  changeRoute(deps),
  deleteRoute(deps),
  addUpdateRoute(deps),
  correctUpdateRoute(deps),
];

const listIncidents = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Lists the incidents of a status page: open ones first, then newest first',
      tag,
      params: page,
      answer: statusIncidentsAnswer,
    },
    async ({ actor, params: { id } }) => {
      const { statusPages } = deps.storage;
      const of = await requirePage(statusPages, actor.owner, id);
      const found = await statusPages.incidents.list(of, STATUS_PAGE_LIMITS.incidents);
      return { incidents: await shapeAll(deps, found), total: found.length };
    },
  );

const createRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path,
      actor: 'user',
      summary: 'Announces an incident on a status page, with its first update',
      audit: 'status_incident_created',
      tag,
      params: page,
      body: incidentRequest,
      bodyBytes,
      answer: statusIncidentAnswer,
    },
    async ({ actor, params: { id }, body }) => {
      const incident = { ...incidentOf(body), startedAt: body.started_at ?? null };
      const first = { state: body.state, text: body.text };
      return answerOf(deps, await createIncident(deps, actor, id, { incident, first }));
    },
  );

const changeRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:incident_id`,
      actor: 'user',
      summary: 'Replaces title, effect, parts and times of an incident; its updates stay',
      audit: 'status_incident_changed',
      tag,
      params: one,
      body: incidentChangeRequest,
      bodyBytes,
      answer: statusIncidentAnswer,
    },
    async ({ actor, params: { id: pageId, incident_id: id }, body }) => {
      const draft = { ...incidentOf(body), startedAt: body.started_at };
      return answerOf(deps, await changeIncident(deps, actor, { pageId, id }, draft));
    },
  );

const deleteRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'DELETE',
      path: `${path}/:incident_id`,
      actor: 'user',
      summary: 'Deletes an incident with its updates, from the page and from its feed',
      audit: 'status_incident_deleted',
      tag,
      params: one,
      answer: z.object({}),
    },
    async ({ actor, params: { id: pageId, incident_id: id } }) => {
      await deleteIncident(deps, actor, { pageId, id });
      return {};
    },
  );

const addUpdateRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'POST',
      path: `${path}/:incident_id/updates`,
      actor: 'user',
      summary: 'Adds an update to an incident: `resolved` ends it, another state reopens it',
      audit: 'status_incident_updated',
      tag,
      params: one,
      body: incidentUpdateRequest,
      answer: statusIncidentAnswer,
    },
    async ({ actor, params: { id: pageId, incident_id: id }, body }) => {
      const { state, text, next_update_at: nextUpdateAt } = body;
      return answerOf(deps, await addIncidentUpdate(deps, actor, { pageId, id }, { state, text, nextUpdateAt }));
    },
  );

const correctUpdateRoute = (deps: Deps): Route =>
  defineRoute(
    {
      method: 'PUT',
      path: `${path}/:incident_id/updates/:update_id`,
      actor: 'user',
      summary: 'Corrects the words of an update; its time stays',
      audit: 'status_incident_updated',
      tag,
      params: { ...one, update_id: z.uuid('must be the id of an update (a UUID)').toLowerCase() },
      body: incidentTextRequest,
      answer: statusIncidentAnswer,
    },
    async ({ actor, params: { id: pageId, incident_id: id, update_id: updateId }, body }) =>
      answerOf(deps, await correctIncidentUpdate(deps, actor, { pageId, id }, { id: updateId, text: body.text })),
  );
