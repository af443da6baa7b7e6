import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { auditedAlerts } from './change-alerts.ts';
import type { BulkResult } from './bulk-operation.ts';

/**
 * Undoes an operation on several alerts, except what somebody changed afterwards. Throws `not_found`,
 * `operation_undone`, `undo_expired`.
 */
export async function undoOperation(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by, personId }: { owner: Owner; by: Actor; personId: PersonId },
  operationId: string,
): Promise<BulkResult> {
  const result = await storage.inTransaction(async ({ alertActions, tenancy }) => {
    const now = clock.now();
    const undone = await alertActions.undo(owner, operationId, { personId, now });
    if (undone === 'not_found') throw notFound('Operation');
    if (undone === 'undone') throw new CodedError('operation_undone', 'The operation is already undone');
    if (undone === 'expired')
      throw new CodedError('undo_expired', 'An operation can be undone for 10 minutes', {
        remedy: 'Change the alerts or delete the silences.',
      });
    await tenancy.audit.record(by, 'alerts_undone', { ...auditedAlerts(undone), action: undone.action }, now);
    return undone;
  });
  changes.publish(owner.organisationId, { topic: 'alerts', serverId: null });
  return result;
}
