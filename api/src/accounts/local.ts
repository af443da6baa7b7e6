import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { RememberedDevices } from './store.ts';
import type { Account, Accounts, Sessions } from './store.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { deviceHashOf } from './remembered-device.ts';
import { requireTotp, type SecondFactorDeps } from './second-factor.ts';
import { openSession, type OpenedSession } from './session.ts';

/** Takes one try of a key or throws `too_many_requests`. */
interface Limit {
  require(key: string, now: number): Promise<void>;
}
/** Tries are counted per network and account, so that strangers elsewhere do not use up the owner's. */
interface SignInLimits {
  signInNetwork: Limit;
  /** Per account and network. */
  signInAccount: Limit;
  /** Per remembered device, which is counted nowhere else. */
  device: Limit;
  /** Codes per account, from devices that are not remembered. Only the right password leads here. */
  totp: Limit;
}

export interface LocalDeps extends SecondFactorDeps {
  accounts: Accounts;
  sessions: Sessions;
  devices: RememberedDevices;
  limits: SignInLimits;
  failures: FailedSignIns;
  clock: Clock;
}

export interface SignInAttempt {
  email: string;
  password: string;
  totp?: string | undefined;
  /** Secret of the device cookie. */
  device?: string | undefined;
  address: string;
  /** The counted part of the address: all of IPv4, the first 64 bits of IPv6. */
  network: string;
}

export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

export interface LocalAccount {
  email: string;
  password: string;
  name?: string | undefined;
}

export async function createLocalAccount(
  deps: Pick<LocalDeps, 'accounts' | 'clock'>,
  account: LocalAccount,
): Promise<Account> {
  return insertLocalAccount(deps, account, await hashPassword(account.password));
}

export function insertLocalAccount(
  { accounts, clock }: Pick<LocalDeps, 'accounts' | 'clock'>,
  account: Omit<LocalAccount, 'password'>,
  passwordHash: string,
): Promise<Account> {
  return accounts.create({ ...localAccountOf(account), passwordHash }, clock.now());
}

/** Returns address and name as they are stored. Without a name it is the first part of the address. */
export function localAccountOf(account: Omit<LocalAccount, 'password'>): { email: string; name: string } {
  const email = normaliseEmail(account.email);
  return { email, name: account.name?.trim() || (email.split('@')[0] ?? email) };
}

/**
 * Returns the same error after the same work for an unknown address, an account without a password and a wrong one.
 * Limits and queries do not depend on the account's existence either.
 */
export async function signInLocally(
  deps: LocalDeps,
  attempt: SignInAttempt,
): Promise<OpenedSession & { accountId: string }> {
  const { accounts, limits, failures, clock } = deps;
  const email = normaliseEmail(attempt.email);
  const account = await accounts.findByEmail(email);
  const isRemembered = await takeTry(deps, attempt, email, account?.id);
  const matches = await verifyPassword(attempt.password, account?.passwordHash ?? null, isRemembered);
  if (account !== null && !matches) failures.note(account.id, 'password', attempt.address, clock.now());
  if (account === null || !matches || !account.isActive)
    throw new CodedError('credentials_invalid', 'E-mail or password is wrong');
  try {
    await requireTotp(deps, account.id, attempt.totp, async () => {
      if (!isRemembered) await limits.totp.require(account.id, clock.now());
    });
  } catch (error) {
    if (error instanceof CodedError && error.code === 'totp_invalid')
      failures.note(account.id, 'code', attempt.address, clock.now());
    throw error;
  }
  const { id, passwordHash } = account;
  if (passwordHash !== null && isOutdated(passwordHash))
    await accounts.replaceHash(id, passwordHash, await hashPassword(attempt.password));
  return { ...(await openSession(deps, account.id)), accountId: account.id };
}

/** Takes one try and returns true if the browser signed in to this account before. Throws `too_many_requests`. */
async function takeTry(
  { devices, limits, clock }: LocalDeps,
  { device, network }: SignInAttempt,
  email: string,
  accountId: string | undefined,
): Promise<boolean> {
  const now = clock.now();
  const hash = deviceHashOf(device);
  const owner = hash === null ? null : await devices.find(hash, now);
  if (hash !== null && owner !== null && owner === accountId) {
    await limits.device.require(hash.toString('hex'), now);
    return true;
  }
  await limits.signInNetwork.require(network, now);
  await limits.signInAccount.require(`${network} ${email}`, now);
  return false;
}
