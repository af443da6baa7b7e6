import { memberOf, type Owner } from '../tenancy/owner.ts';
import type { Clock } from '../clock.ts';
import type { SessionOrigin, Sessions } from './store.ts';
import { hashToken, newToken, tokenType } from './tokens.ts';
import type { PersonId } from '../tenancy/ids.ts';

/** A session lives this long from sign-in; refresh starts a new one. */
export const SESSION_MS = 24 * 3600 * 1000;

export interface OpenedSession {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}
export interface KnownSession {
  owner: Owner;
  personId: PersonId;
  personName: string;
  id: string;
  tokenHash: Buffer;
  expiresAt: number;
}

export interface SessionDeps {
  sessions: Sessions;
  clock: Clock;
}

/** Opens a session. `from`: the client that opens it. */
export async function openSession(
  { sessions, clock }: SessionDeps,
  personId: PersonId,
  from?: SessionOrigin,
): Promise<OpenedSession> {
  const token = newToken('session');
  const now = clock.now();
  const expiresAt = now + SESSION_MS;
  await sessions.create({ personId, tokenHash: hashToken(token), expiresAt, from }, now);
  return { token, expiresAt };
}

/** Asks the database each time, so that a session is dead the moment it is revoked, on every replica. */
export async function findSession({ sessions, clock }: SessionDeps, token: string): Promise<KnownSession | null> {
  if (tokenType(token) !== 'session') return null;
  const tokenHash = hashToken(token);
  const session = await sessions.find(tokenHash, clock.now());
  if (session === null) return null;
  const { personId, personName, id, expiresAt, membership } = session;
  return { owner: memberOf(membership), personId, personName, id, tokenHash, expiresAt };
}
