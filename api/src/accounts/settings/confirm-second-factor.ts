import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { settleTotp } from '../second-factor.ts';

/** Switches the second factor on by a first code. Throws `totp_invalid`. */
export async function confirmSecondFactor(
  { storage, clock, secretBox }: Pick<Deps, 'storage' | 'clock' | 'secretBox'>,
  { by, personId }: { by: Actor; personId: PersonId },
  code: string,
): Promise<void> {
  await storage.inTransaction(async ({ identity: { secondFactors }, tenancy }) => {
    await settleTotp({ secondFactors, secretBox, clock }, personId, code);
    await tenancy.audit.record(by, 'second_factor_on', {}, clock.now());
  });
}
