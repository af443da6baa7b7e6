import type { IncidentImpact, IncidentState } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { StatusIncidentsAnswer } from '@plimsoll/contract/wire/checks/status-incidents';
import type { StatusPageOnWire, StatusPagesAnswer } from '@plimsoll/contract/wire/checks/status-pages';
import { request } from './client.ts';
import type { Ask } from './query.ts';

const PAGES = '/api/status-pages';

export const statusPagesQuery = (): Ask<StatusPagesAnswer> => ({
  queryKey: ['account', 'status-pages'],
  queryFn: ({ signal }) => request(PAGES, { signal }),
});

const incidentsOf = (pageId: string): string => `${PAGES}/${encodeURIComponent(pageId)}/incidents`;
const incidentPath = (pageId: string, id: string): string => `${incidentsOf(pageId)}/${encodeURIComponent(id)}`;

export const statusIncidentsQuery = (pageId: string): Ask<StatusIncidentsAnswer> => ({
  queryKey: ['account', 'status-incidents', pageId],
  queryFn: ({ signal }) => request(incidentsOf(pageId), { signal }),
});

export interface IncidentBody {
  title: string;
  impact: IncidentImpact;
  server_ids: readonly string[];
  check_ids: readonly string[];
  next_update_at: string | null;
}
interface UpdateBody {
  state: IncidentState;
  text: string;
  next_update_at: string | null;
}

export const announceIncident = (pageId: string, body: IncidentBody & Omit<UpdateBody, 'next_update_at'>) =>
  request<unknown>(incidentsOf(pageId), { method: 'POST', body });
export const changeIncident = (pageId: string, id: string, body: IncidentBody & { started_at: string }) =>
  request<unknown>(incidentPath(pageId, id), { method: 'PUT', body });
export const deleteIncident = (pageId: string, id: string) =>
  request<unknown>(incidentPath(pageId, id), { method: 'DELETE' });
export const addIncidentUpdate = (pageId: string, id: string, body: UpdateBody) =>
  request<unknown>(`${incidentPath(pageId, id)}/updates`, { method: 'POST', body });
export const correctIncidentUpdate = (pageId: string, id: string, updateId: string, text: string) =>
  request<unknown>(`${incidentPath(pageId, id)}/updates/${encodeURIComponent(updateId)}`, {
    method: 'PUT',
    body: { text },
  });

export interface StatusPageBody {
  title: string;
  message: string;
  servers: readonly { server_id: string; label: string | null; group: string | null }[];
  checks: readonly { check_id: string; label: string | null; group: string | null }[];
  shows_names: boolean;
  shows_figures: boolean;
  shows_maintenance: boolean;
  is_indexable: boolean;
  is_published: boolean;
  expires_at: string | null;
}

/** Creates a page, or replaces the one with the id. */
export const saveStatusPage = (id: string | null, body: StatusPageBody) =>
  request<{ status_page: StatusPageOnWire }>(id === null ? PAGES : `${PAGES}/${encodeURIComponent(id)}`, {
    method: id === null ? 'POST' : 'PUT',
    body,
  });
export const deleteStatusPage = (id: string) =>
  request<unknown>(`${PAGES}/${encodeURIComponent(id)}`, { method: 'DELETE' });
