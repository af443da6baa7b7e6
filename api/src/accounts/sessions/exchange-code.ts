import type { Clock } from '../../clock.ts';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import type { Stores } from '../../storage.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import { insertLocalAccount, type LocalAccount } from '../local.ts';
import { hashPassword } from '../passwords.ts';
import { hashToken } from '../tokens.ts';
import { requireStrongPassword } from '../weak-passwords.ts';
import { type Browser, startSession, type StartedSession } from './start-session.ts';

interface Exchange {
  code: string;
  /** The account to create with the code of the first-run link. */
  account?: LocalAccount | undefined;
  bindingHash: Buffer | null;
}

/**
 * Exchanges a single-use code for a session of the account that it signs in. Throws `code_invalid` for unknown, used,
 * expired and another browser's codes alike; `first_run_over`, `account_required` and `invalid_parameter` for codes of
 * the first-run link; `overloaded`.
 */
export async function exchangeCode(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { code, account, bindingHash }: Exchange,
  browser: Browser,
): Promise<StartedSession> {
  const codeHash = hashToken(code);
  const seen = await storage.signInCodes.peek(codeHash, clock.now());
  if (seen === null) throw codeInvalid();
  // Before the transaction: it takes long, and a weak password or a full queue must not cost the link.
  const first = seen.personId === null ? await firstAccount(storage, account) : null;
  return storage.inTransaction(async (stores) => {
    const used = await stores.signInCodes.consume(codeHash, first === null ? bindingHash : null, clock.now());
    if (used === null) throw codeInvalid();
    const personId = first === null ? used.personId : await createFirst(stores, clock, first);
    if (personId === null) throw codeInvalid();
    return startSession(stores, clock, { personId, method: 'code' }, browser);
  });
}

interface FirstAccount {
  account: LocalAccount;
  passwordHash: string;
}

async function firstAccount(
  { accounts }: Pick<Stores, 'accounts'>,
  account: LocalAccount | undefined,
): Promise<FirstAccount> {
  if ((await accounts.count()) > 0) throw firstRunOver();
  if (account === undefined)
    throw new CodedError('account_required', 'account: is required with the code of the first-run link', {
      field: 'account',
      remedy: 'Send the e-mail address and password of the account to create.',
    });
  await requireStrongPassword(account.password, account.email, 'account.password');
  return { account, passwordHash: await hashPassword(account.password) };
}

async function createFirst(
  { accounts }: Pick<Stores, 'accounts'>,
  clock: Clock,
  { account, passwordHash }: FirstAccount,
): Promise<PersonId> {
  const { id } = await insertLocalAccount({ accounts, clock }, account, passwordHash);
  // Counted after creating, which lets one transaction at a time create: two links at once make one first account.
  if ((await accounts.count()) > 1) throw firstRunOver();
  return id;
}

const firstRunOver = (): CodedError =>
  new CodedError('first_run_over', 'The first account exists already', { remedy: 'Sign in with it.' });

const codeInvalid = (): CodedError =>
  new CodedError('code_invalid', 'This sign-in link is used, expired or belongs to another browser', {
    remedy: 'Start the sign-in again; before the first account exists, restart Plimsoll for a new link.',
  });
