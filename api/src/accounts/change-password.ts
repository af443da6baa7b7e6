import type { Deps } from '../deps.ts';
import { CodedError, notFound } from '../errors.ts';
import type { Stores } from '../storage.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { PersonId } from '../tenancy/ids.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { requireStrongPassword } from './weak-passwords.ts';

/** For this long a session that began by a link or at a provider may do what the password may. */
const RECENT_MS = 10 * 60 * 1000;

interface Caller {
  by: Actor;
  personId: PersonId;
  /** The session that goes on. */
  sessionId: string;
  /** Hash of the device that stays known. */
  device: Buffer | null;
}

/**
 * Stores another password and ends the person's other sessions. An account that signs in by a provider gets its first
 * one. Throws `invalid_parameter` for a wrong current password, for a missing one and for a new one that is easily
 * guessed, `overloaded`, `not_found`.
 */
export async function changePassword(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { by, personId, sessionId, device }: Caller,
  { current, next }: { current: string | null; next: string },
): Promise<void> {
  const account = await storage.accounts.get(personId);
  const stored = account && (await storage.accounts.findByEmail(account.email));
  if (!stored) throw notFound('Account');
  const { passwordHash } = stored;
  if (current === null) {
    if (!(await beganWithoutPassword(storage, { personId, sessionId }, clock.now())))
      throw wrong('is required', 'Send it, or sign in anew with a link or a provider.');
  } else if (!(await verifyPassword(current, passwordHash)))
    throw wrong('is wrong', 'Use the password you signed in with.');
  await requireStrongPassword(next, stored.email, 'new_password');
  const hashed = await hashPassword(next);
  const ended = await storage.inTransaction(async ({ accounts, identity, tenancy }) => {
    const now = clock.now();
    if (!(await accounts.replaceHash(personId, passwordHash, hashed)))
      throw wrong('was changed meanwhile', 'Sign in again with the new one.');
    const others = (await identity.sessionList.list(personId, now)).filter(({ id }) => id !== sessionId);
    for (const { id } of others) await identity.sessionList.revoke(personId, id);
    await identity.devices.forget(personId, device);
    await tenancy.audit.record(by, 'password_changed', {}, now);
    return others;
  });
  for (const { id } of ended) streams.endSession(id);
}

async function beganWithoutPassword(
  { identity }: Pick<Stores, 'identity'>,
  { personId, sessionId }: Pick<Caller, 'personId' | 'sessionId'>,
  now: number,
): Promise<boolean> {
  const session = (await identity.sessionList.list(personId, now)).find(({ id }) => id === sessionId);
  return session?.method === 'code' && now - session.createdAt <= RECENT_MS;
}

const wrong = (what: string, remedy: string): CodedError =>
  new CodedError('invalid_parameter', `current_password: ${what}`, { field: 'current_password', remedy });
