import { CodedError, notFound } from '../errors.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { StatusPages } from './store.ts';
import type { IncidentDraft, StatusIncident, StatusPage } from './types.ts';

/** Returns a page of the owner. Throws `not_found`. */
export async function requirePage(pages: Pick<StatusPages, 'get'>, owner: Owner, id: string): Promise<StatusPage> {
  const page = await pages.get(owner, id);
  if (page === null) throw notFound('Status page');
  return page;
}

/** Returns the incident that a change found. Throws `not_found`. */
export function requireFound(incident: StatusIncident | null, what = 'Incident'): StatusIncident {
  if (incident === null) throw notFound(what);
  return incident;
}

/** Throws `invalid_parameter` for a server or check that the page does not show, and for a beginning in the future. */
export function requireIncidentDraft(page: StatusPage, draft: IncidentDraft, now: number): void {
  const shown = new Set(page.servers.map(({ serverId }) => serverId));
  if (draft.serverIds.some((id) => !shown.has(id)))
    throw new CodedError('invalid_parameter', 'server_ids: must name servers of this status page', {
      field: 'server_ids',
      remedy: 'Add the server to the page first.',
    });
  const shownChecks = new Set(page.checks.map(({ checkId }) => checkId));
  if (draft.checkIds.some((id) => !shownChecks.has(id)))
    throw new CodedError('invalid_parameter', 'check_ids: must name checks of this status page', {
      field: 'check_ids',
      remedy: 'Add the check to the page first.',
    });
  if (draft.startedAt > now)
    throw new CodedError('invalid_parameter', 'started_at: must not be in the future', {
      field: 'started_at',
      remedy: 'Announce planned work as a silence of its servers.',
    });
}
