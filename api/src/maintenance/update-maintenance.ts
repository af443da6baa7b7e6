import type { MaintenanceRequest } from '@plimsoll/contract/wire/checks/maintenance';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { recurrenceText } from './maintenance-words.ts';
import { planPeriods } from './plan-periods.ts';
import { requireDraft } from './require-draft.ts';
import type { Maintenance } from './types.ts';

/**
 * Replaces a maintenance from its next period on; a running one and those that are over stay. Throws `invalid_parameter`
 * with the field, and `not_found`.
 */
export async function updateMaintenance(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
  request: MaintenanceRequest,
): Promise<Maintenance> {
  return storage.inTransaction(async (stores) => {
    const now = clock.now();
    await stores.tenancy.teams.lock(owner);
    if ((await stores.maintenances.get(owner, id)) === null) throw notFound('Maintenance');
    const draft = await requireDraft(stores, owner, request, now);
    const maintenance = await stores.maintenances.update(owner, id, draft, now);
    if (maintenance === null) throw notFound('Maintenance');
    await planPeriods(stores.maintenances, maintenance, now);
    const detail = { id, name: maintenance.name, schedule: recurrenceText(maintenance) };
    await stores.tenancy.audit.record(by, 'maintenance_changed', detail, now);
    return maintenance;
  });
}
