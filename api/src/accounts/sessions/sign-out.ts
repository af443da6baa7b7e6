import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';

/** Ends the session of the caller, and its streams. */
export async function signOut(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { by, personId, sessionId }: { by: Actor; personId: PersonId; sessionId: string },
): Promise<void> {
  await storage.inTransaction(async ({ identity, tenancy }) => {
    if (await identity.sessionList.revoke(personId, sessionId))
      await tenancy.audit.record(by, 'signed_out', {}, clock.now());
  });
  streams.endSession(sessionId);
}
