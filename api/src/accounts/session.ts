import { memberOf, type Owner } from './owner.ts';
import type { Clock } from '../clock.ts';
import type { Sessions } from './store.ts';
import { hashToken, newToken, tokenType } from './tokens.ts';

/** A session lives this long from sign-in; refresh starts a new one. */
export const SESSION_MS = 24 * 3600 * 1000;

export interface OpenedSession {
  token: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}
export interface KnownSession {
  owner: Owner;
  accountId: string;
  id: string;
  tokenHash: Buffer;
  expiresAt: number;
}

export interface SessionDeps {
  sessions: Sessions;
  clock: Clock;
}

export async function openSession({ sessions, clock }: SessionDeps, accountId: string): Promise<OpenedSession> {
  const token = newToken('session');
  const now = clock.now();
  const expiresAt = now + SESSION_MS;
  await sessions.create({ accountId, tokenHash: hashToken(token), expiresAt }, now);
  return { token, expiresAt };
}

/** Asks the database each time, so that a session is dead the moment it is revoked, on every replica. */
export async function findSession({ sessions, clock }: SessionDeps, token: string): Promise<KnownSession | null> {
  if (tokenType(token) !== 'session') return null;
  const tokenHash = hashToken(token);
  const session = await sessions.find(tokenHash, clock.now());
  if (session === null) return null;
  const { accountId, id, expiresAt, membership } = session;
  return { owner: memberOf(membership), accountId, id, tokenHash, expiresAt };
}
