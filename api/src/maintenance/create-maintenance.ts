import { MAINTENANCE_LIMITS } from '@plimsoll/contract/rules/checks/maintenance-limits';
import type { MaintenanceRequest } from '@plimsoll/contract/wire/checks/maintenance';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { recurrenceText } from './maintenance-words.ts';
import { planPeriods } from './plan-periods.ts';
import { requireDraft } from './require-draft.ts';
import type { Maintenance } from './types.ts';

/**
 * Creates recurring maintenance and plans its first periods. Throws `invalid_parameter` with the field, `not_found` for a
 * server, check or cluster, and `plan_limit`.
 */
export async function createMaintenance(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  request: MaintenanceRequest,
): Promise<Maintenance> {
  return storage.inTransaction(async (stores) => {
    const now = clock.now();
    await stores.tenancy.teams.lock(owner);
    const draft = await requireDraft(stores, owner, request, now);
    if ((await stores.maintenances.count(owner)) >= MAINTENANCE_LIMITS.perAccount)
      throw new CodedError(
        'plan_limit',
        `An account has at most ${String(MAINTENANCE_LIMITS.perAccount)} recurring maintenances`,
        { remedy: 'End one, or add its servers to another.' },
      );
    const maintenance = await stores.maintenances.create(owner, draft, by.person?.id ?? null, now);
    await planPeriods(stores.maintenances, maintenance, now);
    const { id, name } = maintenance;
    const detail = { id, name, schedule: recurrenceText(maintenance) };
    await stores.tenancy.audit.record(by, 'maintenance_created', detail, now);
    return maintenance;
  });
}
