import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireIncidentDraft, requirePage } from './require-incident.ts';
import { loggedIncident, type IncidentDraft, type StatusIncident, type UpdateDraft } from './types.ts';

interface Announced extends Omit<IncidentDraft, 'startedAt'> {
  /** Null: now. */
  startedAt: number | null;
}

/** Announces an incident with its first update. Throws `not_found`, `invalid_parameter`, `plan_limit`. */
export async function createIncident(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  pageId: string,
  { incident, first }: { incident: Announced; first: UpdateDraft },
): Promise<StatusIncident> {
  return storage.inTransaction(async ({ statusPages, tenancy }) => {
    const now = clock.now();
    await tenancy.teams.lock(owner);
    const page = await requirePage(statusPages, owner, pageId);
    const draft = { ...incident, startedAt: incident.startedAt ?? now };
    requireIncidentDraft(page, draft, now);
    if ((await statusPages.incidents.count(page)) >= STATUS_PAGE_LIMITS.incidents)
      throw new CodedError('plan_limit', `A page has at most ${String(STATUS_PAGE_LIMITS.incidents)} incidents`, {
        remedy: 'Delete an old incident.',
      });
    const made = { by: by.person?.id ?? null, now };
    const created = await statusPages.incidents.create(page, draft, first, made);
    await tenancy.audit.record(by, 'status_incident_created', loggedIncident(page, created), now);
    return created;
  });
}
