import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { settleTotp } from '../second-factor.ts';

/** Switches the second factor off by a code. Throws `totp_invalid`. */
export async function removeSecondFactor(
  { storage, clock, secretBox }: Pick<Deps, 'storage' | 'clock' | 'secretBox'>,
  { by, personId }: { by: Actor; personId: PersonId },
  code: string,
): Promise<void> {
  await storage.inTransaction(async ({ identity: { secondFactors }, tenancy }) => {
    await settleTotp({ secondFactors, secretBox, clock }, personId, code);
    await secondFactors.remove(personId);
    await tenancy.audit.record(by, 'second_factor_off', {}, clock.now());
  });
}
