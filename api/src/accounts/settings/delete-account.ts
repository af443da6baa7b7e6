import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import { iso } from '../../http/units.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { purgeAccount } from './purge-account.ts';
import { normaliseEmail } from '../normalise-email.ts';

/**
 * Plans the deletion of the caller's account, or deletes it at once. Returns the time of the deletion, epoch ms. Throws
 * `invalid_parameter` if `email` is not the account's address, `not_found`.
 */
export async function deleteAccount(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { by, personId }: { by: Actor; personId: PersonId },
  { email, inDays }: { email: string; inDays: number },
): Promise<number> {
  const now = clock.now();
  const at = now + inDays * DAY_MS;
  const sessions = await storage.inTransaction(async ({ accounts, identity, tenancy }) => {
    const account = await accounts.get(personId);
    if (account === null) throw notFound('Account');
    if (normaliseEmail(email) !== account.email)
      throw new CodedError('invalid_parameter', 'email: must be the address of this account', {
        field: 'email',
        remedy: 'Send the e-mail address of this account to confirm.',
      });
    await identity.accountDeletion.planDeletion(personId, at);
    await tenancy.audit.record(by, 'deletion_planned', { at: iso(at) }, now);
    return identity.sessionList.list(personId, now);
  });
  if (inDays > 0) return at;
  // One transaction per server, because each is heavy. A deletion that is cut off is due, and the job ends it.
  await purgeAccount(storage, personId, now);
  for (const { id } of sessions) streams.endSession(id);
  return at;
}
