import { putInForce } from '../alerts/rules/put-in-force.ts';
import type { Deps } from '../deps.ts';
import type { Owner } from '../tenancy/owner.ts';

export type HidingDeps = Pick<Deps, 'storage' | 'clock' | 'changes' | 'alertRules' | 'hiddenMounts'>;

/** Puts a committed change into force: open alerts of hidden parts are resolved, and screens load the server again. */
export async function applyHidden(deps: HidingDeps, owner: Owner, serverId: string): Promise<void> {
  await deps.hiddenMounts.refresh();
  await putInForce(deps, owner.organisationId);
  deps.changes.publish(owner.organisationId, { topic: 'servers', serverId });
}
