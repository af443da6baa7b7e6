import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { openSession, type OpenedSession } from '../session.ts';
import type { Browser } from './start-session.ts';

/** Replaces a session by a new one. Throws `unauthenticated` if it ended meanwhile: no ended session lives on in another. */
export async function refreshSession(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { personId, sessionId }: { personId: PersonId; sessionId: string },
  browser: Browser,
): Promise<OpenedSession> {
  const opened = await storage.inTransaction(async ({ sessions, identity }) => {
    if (!(await identity.sessionList.revoke(personId, sessionId)))
      throw new CodedError('unauthenticated', 'Not signed in, or the session has ended', { remedy: 'Sign in again.' });
    return openSession({ sessions, clock }, personId, { ...browser, method: 'refresh' });
  });
  streams.endSession(sessionId);
  return opened;
}
