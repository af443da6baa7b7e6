import type { Clock } from '../clock.ts';
import { CodedError, notFound } from '../errors.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { requireStrongPassword } from './weak-passwords.ts';
import type { Accounts, SessionList } from './store.ts';
import type { Owner } from './owner.ts';

/** For this long a session that began by a link or at a provider may do what the password may. */
const RECENT_MS = 10 * 60 * 1000;

export interface ChangePasswordDeps {
  accounts: Pick<Accounts, 'get' | 'findByEmail' | 'replaceHash'>;
  sessionList: Pick<SessionList, 'list'>;
  clock: Clock;
}

interface Change {
  self: Owner;
  sessionId: string;
  current: string | null;
  next: string;
}

/**
 * Stores another password. An account that signs in by a provider gets its first one. Throws `invalid_parameter` for a
 * wrong current password, for a missing one and for a new one that is easily guessed, `overloaded`.
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  { self, sessionId, current, next }: Change,
): Promise<void> {
  const { accounts } = deps;
  const account = await accounts.get(self.accountId);
  const stored = account && (await accounts.findByEmail(account.email));
  if (!stored) throw notFound('Account');
  const { passwordHash } = stored;
  if (current === null) {
    if (!(await beganWithoutPassword(deps, self, sessionId)))
      throw wrong('is required', 'Send it, or sign in anew with a link or a provider.');
  } else if (!(await verifyPassword(current, passwordHash)))
    throw wrong('is wrong', 'Use the password you signed in with.');
  await requireStrongPassword(next, stored.email, 'new_password');
  if (!(await accounts.replaceHash(stored.id, passwordHash, await hashPassword(next))))
    throw wrong('was changed meanwhile', 'Sign in again with the new one.');
}

async function beganWithoutPassword(
  { sessionList, clock }: ChangePasswordDeps,
  self: Owner,
  sessionId: string,
): Promise<boolean> {
  const now = clock.now();
  const session = (await sessionList.list(self, now)).find(({ id }) => id === sessionId);
  return session?.method === 'code' && now - session.createdAt <= RECENT_MS;
}

const wrong = (what: string, remedy: string): CodedError =>
  new CodedError('invalid_parameter', `current_password: ${what}`, { field: 'current_password', remedy });
