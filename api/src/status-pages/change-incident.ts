import type { Deps } from '../deps.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireFound, requireIncidentDraft, requirePage } from './require-incident.ts';
import { loggedIncident, type IncidentDraft, type StatusIncident } from './types.ts';

/** Replaces all of an incident but its updates. Throws `not_found`, `invalid_parameter`. */
export async function changeIncident(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  { pageId, id }: { pageId: string; id: string },
  draft: IncidentDraft,
): Promise<StatusIncident> {
  return storage.inTransaction(async ({ statusPages, tenancy }) => {
    const now = clock.now();
    const page = await requirePage(statusPages, owner, pageId);
    requireIncidentDraft(page, draft, now);
    const incident = requireFound(await statusPages.incidents.update(page, id, draft, now));
    await tenancy.audit.record(by, 'status_incident_changed', loggedIncident(page, incident), now);
    return incident;
  });
}
