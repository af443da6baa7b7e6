import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { beginTotp } from '../second-factor.ts';

/** Creates the secret for an authenticator app, which a first code must confirm. Throws `totp_enabled`, `not_found`. */
export async function beginSecondFactor(
  { storage, clock, secretBox }: Pick<Deps, 'storage' | 'clock' | 'secretBox'>,
  { personId }: { personId: PersonId },
): Promise<{ secret: string; url: string }> {
  return storage.inTransaction(async ({ accounts, identity: { secondFactors } }) => {
    const account = await accounts.get(personId);
    if (account === null) throw notFound('Account');
    return beginTotp({ secondFactors, secretBox, clock }, account);
  });
}
