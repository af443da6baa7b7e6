import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';

/** Ends a session of the caller, and its streams. `device`: hash of the caller's own device. Throws `not_found`. */
export async function revokeSession(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { by, personId, device }: { by: Actor; personId: PersonId; device: Buffer | null },
  sessionId: string,
): Promise<void> {
  await storage.inTransaction(async ({ identity, tenancy }) => {
    const now = clock.now();
    const session = (await identity.sessionList.list(personId, now)).find(({ id }) => id === sessionId);
    if (!(await identity.sessionList.revoke(personId, sessionId))) throw notFound('Session');
    // Nothing says which device the session was opened on: all but this one are strangers again.
    await identity.devices.forget(personId, device);
    const detail = {
      id: sessionId,
      ...(session?.userAgent != null && { browser: session.userAgent }),
      ...(session?.address != null && { from: session.address }),
    };
    await tenancy.audit.record(by, 'session_revoked', detail, now);
  });
  streams.endSession(sessionId);
}
