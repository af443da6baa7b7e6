import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';

/** Revokes a token of the caller, and ends its streams. Throws `not_found`. */
export async function revokeApiToken(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { by, personId }: { by: Actor; personId: PersonId },
  tokenId: string,
): Promise<void> {
  await storage.inTransaction(async ({ identity, tenancy }) => {
    const revoked = await identity.apiTokens.revoke(personId, tokenId);
    if (revoked === null) throw notFound('Token');
    await tenancy.audit.record(by, 'token_revoked', { id: tokenId, name: revoked.name }, clock.now());
  });
  streams.endSession(tokenId);
}
