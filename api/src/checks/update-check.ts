import type { CheckRequest } from '@plimsoll/contract/wire/checks/checks';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { requireDraft } from './require-draft.ts';
import type { Check } from './types.ts';

/**
 * Replaces a check; its history stays, and so do headers and body that are left out. Throws `invalid_parameter` with the
 * field, `not_found`, `role_insufficient`.
 */
export async function updateCheck(
  { storage, clock, secretBox, config }: Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'config'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
  request: CheckRequest,
): Promise<Check> {
  return storage.inTransaction(async ({ servers, checks, tenancy }) => {
    const now = clock.now();
    await tenancy.teams.lock(owner);
    const stored = await checks.get(owner, id);
    if (stored === null) throw notFound('Check');
    const deps = { servers, checks, secretBox, checkNetworks: config.checkNetworks };
    const check = await checks.update(owner, id, await requireDraft(deps, owner, id, request, stored), now);
    if (check === null) throw notFound('Check');
    await checks.bumpConfig(owner);
    await tenancy.audit.record(by, 'check_changed', { id, name: check.name, kind: check.kind }, now);
    return check;
  });
}
