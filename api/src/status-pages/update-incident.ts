import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireFound, requirePage } from './require-incident.ts';
import { loggedIncident, type StatusIncident, type UpdateDraft } from './types.ts';

type Given = Pick<Deps, 'storage' | 'clock'>;
interface Author {
  owner: Owner;
  by: Actor;
}
interface Place {
  pageId: string;
  id: string;
}

/** Adds an update. `resolved` ends the incident, another state reopens it. Throws `not_found`, `plan_limit`. */
export async function addIncidentUpdate(
  { storage, clock }: Given,
  { owner, by }: Author,
  { pageId, id }: Place,
  update: UpdateDraft & { nextUpdateAt: number | null },
): Promise<StatusIncident> {
  return storage.inTransaction(async ({ statusPages, tenancy }) => {
    const now = clock.now();
    await tenancy.teams.lock(owner);
    const page = await requirePage(statusPages, owner, pageId);
    const known = requireFound(await statusPages.incidents.get(page, id));
    if (known.updates.length >= STATUS_PAGE_LIMITS.updates)
      throw new CodedError('plan_limit', `An incident has at most ${String(STATUS_PAGE_LIMITS.updates)} updates`, {
        remedy: 'Announce a new incident.',
      });
    const made = { by: by.person?.id ?? null, now };
    const incident = requireFound(await statusPages.incidents.addUpdate(page, id, update, made));
    await tenancy.audit.record(by, 'status_incident_updated', loggedIncident(page, incident), now);
    return incident;
  });
}

/** Corrects the words of an update; its time stays. Throws `not_found`. */
export async function correctIncidentUpdate(
  { storage, clock }: Given,
  { owner, by }: Author,
  { pageId, id }: Place,
  update: { id: string; text: string },
): Promise<StatusIncident> {
  return storage.inTransaction(async ({ statusPages, tenancy }) => {
    const now = clock.now();
    const page = await requirePage(statusPages, owner, pageId);
    requireFound(await statusPages.incidents.get(page, id));
    const incident = requireFound(await statusPages.incidents.setText(page, id, update, now), 'Update');
    await tenancy.audit.record(by, 'status_incident_updated', loggedIncident(page, incident), now);
    return incident;
  });
}
