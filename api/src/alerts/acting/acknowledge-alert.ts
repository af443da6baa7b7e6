import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { AlertRecord } from '../types.ts';

/**
 * Acknowledges one alert, or takes that back. An alert that already is so stays as it is, without an entry in the audit
 * log. Throws `not_found`, `alert_resolved`.
 */
export async function acknowledgeAlert(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by, personId }: { owner: Owner; by: Actor; personId: PersonId },
  alertId: string,
  operation: { action: 'acknowledge'; note: string | null } | { action: 'unacknowledge' },
): Promise<AlertRecord> {
  const { alert, isChanged } = await storage.inTransaction(async ({ alerts, alertActions, tenancy }) => {
    const now = clock.now();
    const { outcomes } = await alertActions.run(owner, { ...operation, alertIds: [alertId] }, { personId, now });
    const outcome = outcomes[0]?.outcome;
    if (outcome === 'not_found') throw notFound('Alert');
    if (outcome === 'resolved')
      throw new CodedError('alert_resolved', 'The alert is resolved', { remedy: 'Reload the list of alerts.' });
    const found = await alerts.get(owner, alertId, now);
    if (found === null) throw notFound('Alert');
    if (outcome === 'done') {
      const action = operation.action === 'acknowledge' ? 'alert_acknowledged' : 'alert_unacknowledged';
      const { hostname, title } = found;
      await tenancy.audit.record(by, action, { id: alertId, hostname, title }, now);
    }
    return { alert: found, isChanged: outcome === 'done' };
  });
  if (isChanged) changes.publish(owner.organisationId, { topic: 'alerts', serverId: alert.serverId });
  return alert;
}
