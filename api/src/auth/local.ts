import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { Account, Accounts, Sessions } from '../storage/ports.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { requireTotp, type SecondFactorDeps } from './second-factor.ts';
import { openSession, type OpenedSession } from './session.ts';

export interface LocalDeps extends SecondFactorDeps {
  accounts: Accounts;
  sessions: Sessions;
  clock: Clock;
}

export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

export async function createLocalAccount(
  { accounts, clock }: Pick<LocalDeps, 'accounts' | 'clock'>,
  account: { email: string; password: string; name?: string | undefined },
): Promise<Account> {
  const email = normaliseEmail(account.email);
  const passwordHash = await hashPassword(account.password);
  const name = account.name?.trim() || (email.split('@')[0] ?? email);
  return accounts.create({ email, name, passwordHash }, clock.now());
}

/** Unknown address, no password set, wrong password: one error, after the same work. */
export async function signInLocally(
  deps: LocalDeps,
  credentials: { email: string; password: string; totp?: string | undefined },
): Promise<OpenedSession & { accountId: string }> {
  const account = await deps.accounts.findByEmail(normaliseEmail(credentials.email));
  const matches = await verifyPassword(credentials.password, account?.passwordHash ?? null);
  if (account === null || !matches || !account.isActive)
    throw new CodedError('credentials_invalid', 'E-mail or password is wrong');
  await requireTotp(deps, account.id, credentials.totp);
  const { id, passwordHash } = account;
  if (passwordHash !== null && isOutdated(passwordHash))
    await deps.accounts.replaceHash(id, passwordHash, await hashPassword(credentials.password));
  await deps.accounts.recordLogin(account.id, deps.clock.now());
  return { ...(await openSession(deps, account.id)), accountId: account.id };
}
