import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { nameList } from '../../tenancy/name-list.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { AuditAction } from '../../tenancy/types.ts';
import { requireRoomForSilences } from '../silences/require-room.ts';
import { doneOf, type BulkOperation, type BulkResult } from './bulk-operation.ts';

const AUDITED: Record<BulkOperation['action'], AuditAction> = {
  acknowledge: 'alerts_acknowledged',
  unacknowledge: 'alerts_unacknowledged',
  silence: 'alerts_silenced',
};

/** Returns the detail of an audit entry about several alerts. */
export function auditedAlerts(result: BulkResult): Record<string, string> {
  const done = doneOf(result);
  const alerts = nameList(done.flatMap(({ about }) => about ?? []));
  return { id: result.operationId, done: String(done.length), ...(alerts !== '' && { alerts }) };
}

/** Acknowledges, unacknowledges or silences several alerts at once. Throws `plan_limit` when the silences do not fit. */
export async function changeAlerts(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by, personId }: { owner: Owner; by: Actor; personId: PersonId },
  operation: BulkOperation,
): Promise<BulkResult> {
  const result = await storage.inTransaction(async (stores) => {
    const now = clock.now();
    if (operation.action === 'silence') await requireRoomForSilences(stores, owner, operation.alertIds.length, now);
    const changed = await stores.alertActions.run(owner, operation, { personId, now });
    await stores.tenancy.audit.record(by, AUDITED[operation.action], auditedAlerts(changed), now);
    return changed;
  });
  changes.publish(owner.organisationId, { topic: 'alerts', serverId: null });
  return result;
}
