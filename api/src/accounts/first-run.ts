import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { Storage } from '../storage.ts';
import { insertLocalAccount } from './local.ts';
import { hashPassword } from './passwords.ts';
import { requireStrongPassword } from './weak-passwords.ts';
import { hashToken, newToken } from './tokens.ts';

/**
 * Creates the first account without a default password:
 *
 * 1. While there is no account, every start prints `Sign in: ORIGIN/login#setup=CODE` on standard output. CODE is 256
 *    random bits, kept as SHA-256, good once and for 24 hours. The fragment never reaches a server log or a Referer.
 * 2. The page removes it from the address, prompts for e-mail and password and posts `{code, account}` to
 *    /api/auth/exchange.
 * 3. The code is used up, the account created, a session opened. From then on every such code is refused.
 *
 * No browser binding here, unlike the sign-in callback: whoever holds the code read it on the server's own terminal,
 * and what it opens is a new account, so a crafted link cannot pull anyone into somebody else's.
 * PLIMSOLL_ADMIN_EMAIL and PLIMSOLL_ADMIN_PASSWORD create the account at start instead.
 */
const FIRST_RUN_CODE_MS = 24 * 3600 * 1000;

export interface FirstRunDeps {
  storage: Pick<Storage, 'accounts' | 'inTransaction'>;
  clock: Clock;
}

/** The code for the link; null when an account exists (then or made just now from `admin`). */
export async function prepareFirstRun(
  deps: FirstRunDeps,
  admin: { email: string; password: string } | null,
): Promise<string | null> {
  const { storage, clock } = deps;
  if ((await storage.accounts.count()) > 0) return null;
  if (admin !== null) {
    await requireStrongPassword(admin.password, admin.email, 'PLIMSOLL_ADMIN_PASSWORD');
    // Hashing takes a tenth of a second, so it comes before the transaction.
    const passwordHash = await hashPassword(admin.password);
    await storage
      .inTransaction(({ accounts }) => insertLocalAccount({ accounts, clock }, admin, passwordHash))
      .catch(ignoreLostRace);
    return null;
  }
  const code = newToken('code');
  const now = clock.now();
  const codeHash = hashToken(code);
  await storage.inTransaction(({ signInCodes }) =>
    signInCodes.create({ codeHash, personId: null, bindingHash: null, expiresAt: now + FIRST_RUN_CODE_MS }, now),
  );
  return code;
}

/** Two replicas that start at once both try; the one that comes second finds the account there. */
function ignoreLostRace(error: unknown): void {
  if (!(error instanceof CodedError && error.code === 'email_taken')) throw error;
}
