import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireFound, requirePage } from './require-incident.ts';
import { loggedIncident } from './types.ts';

/** Deletes an incident with its updates, from the page and from its feed. Throws `not_found`. */
export async function deleteIncident(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  { pageId, id }: { pageId: string; id: string },
): Promise<void> {
  await storage.inTransaction(async ({ statusPages, tenancy }) => {
    const now = clock.now();
    const page = await requirePage(statusPages, owner, pageId);
    const incident = requireFound(await statusPages.incidents.get(page, id));
    if (!(await statusPages.incidents.delete(page, id, now))) throw notFound('Incident');
    await tenancy.audit.record(by, 'status_incident_deleted', loggedIncident(page, incident), now);
  });
}
