import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { Accounts, SignInCodes } from './store.ts';
import { createLocalAccount, insertLocalAccount, type LocalAccount } from './local.ts';
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
  accounts: Accounts;
  signInCodes: SignInCodes;
  clock: Clock;
}

/** The code for the link; null when an account exists (then or made just now from `admin`). */
export async function prepareFirstRun(
  deps: FirstRunDeps,
  admin: { email: string; password: string } | null,
): Promise<string | null> {
  if ((await deps.accounts.count()) > 0) return null;
  if (admin !== null) {
    await requireStrongPassword(admin.password, admin.email, 'PLIMSOLL_ADMIN_PASSWORD');
    await createLocalAccount(deps, admin).catch(ignoreLostRace);
    return null;
  }
  const code = newToken('code');
  const now = deps.clock.now();
  const codeHash = hashToken(code);
  await deps.signInCodes.create(
    { codeHash, accountId: null, bindingHash: null, expiresAt: now + FIRST_RUN_CODE_MS },
    now,
  );
  return code;
}

/** Two replicas that start at once both try; the one that comes second finds the account there. */
function ignoreLostRace(error: unknown): void {
  if (!(error instanceof CodedError && error.code === 'email_taken')) throw error;
}

/**
 * Settles a single-use code to the account it signs in. Throws `code_invalid` for unknown, used, expired and another
 * browser's codes alike; `first_run_over` and `account_required` for codes of the first-run link.
 */
export async function redeemCode(
  deps: FirstRunDeps,
  request: { code: string; account?: LocalAccount | undefined; bindingHash: Buffer | null },
): Promise<string> {
  const codeHash = hashToken(request.code);
  const now = deps.clock.now();
  const seen = await deps.signInCodes.peek(codeHash, now);
  if (seen === null) throw codeInvalid();
  if (seen.accountId === null) return createFirst(deps, codeHash, request.account);
  const used = await deps.signInCodes.consume(codeHash, request.bindingHash, now);
  if (used?.accountId == null) throw codeInvalid();
  return used.accountId;
}

async function createFirst(deps: FirstRunDeps, codeHash: Buffer, account: LocalAccount | undefined): Promise<string> {
  if ((await deps.accounts.count()) > 0)
    throw new CodedError('first_run_over', 'The first account exists already', { remedy: 'Sign in with it.' });
  if (account === undefined)
    throw new CodedError('account_required', 'account: is required with the code of the first-run link', {
      field: 'account',
      remedy: 'Send the e-mail address and password of the account to create.',
    });
  // Before the code is used up: a weak password or a full queue must not cost the link.
  await requireStrongPassword(account.password, account.email, 'account.password');
  const passwordHash = await hashPassword(account.password);
  if ((await deps.signInCodes.consume(codeHash, null, deps.clock.now())) === null) throw codeInvalid();
  return (await insertLocalAccount(deps, account, passwordHash)).id;
}

const codeInvalid = (): CodedError =>
  new CodedError('code_invalid', 'This sign-in link is used, expired or belongs to another browser', {
    remedy: 'Start the sign-in again; before the first account exists, restart Plimsoll for a new link.',
  });
