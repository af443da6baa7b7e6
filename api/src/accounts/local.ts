import type { Clock } from '../clock.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { PersonId } from '../tenancy/ids.ts';
import { normaliseEmail } from './normalise-email.ts';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';
import { deviceHashOf } from './remembered-device.ts';
import { requireTotp, useStep } from './second-factor.ts';
import { type Browser, startSession, type StartedSession } from './sessions/start-session.ts';
import type { Accounts } from './store.ts';
import type { Account } from './types.ts';

/**
 * Tries are counted per network and account, so that strangers elsewhere do not use up the owner's, and in a wider count
 * per account over all networks. Those of a remembered device are counted nowhere else. Only the right password leads to the count of codes.
 */
type Limits = Pick<Deps['rates'], 'signInNetwork' | 'signInAccount' | 'signInEverywhere' | 'device' | 'totp'>;

export type LocalDeps = Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'failedSignIns'> & { rates: Limits };

interface NewAccountDeps {
  accounts: Pick<Accounts, 'create'>;
  clock: Clock;
}

export interface SignInAttempt extends Browser {
  email: string;
  password: string;
  totp?: string | undefined;
  /** Secret of the device cookie. */
  device?: string | undefined;
  /** The counted part of the address: all of IPv4, the first 64 bits of IPv6. */
  network: string;
}

export interface LocalAccount {
  email: string;
  password: string;
  name?: string | undefined;
}

export async function createLocalAccount(deps: NewAccountDeps, account: LocalAccount): Promise<Account> {
  return insertLocalAccount(deps, account, await hashPassword(account.password));
}

export function insertLocalAccount(
  { accounts, clock }: NewAccountDeps,
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
 * Signs in with e-mail and password. Returns the same error after the same work for an unknown address, an account without
 * a password and a wrong one. Limits and queries do not depend on the account's existence either. Throws
 * `credentials_invalid`, `totp_required`, `totp_invalid`, `too_many_requests`, `overloaded`.
 */
export async function signInLocally(deps: LocalDeps, attempt: SignInAttempt): Promise<StartedSession> {
  const { storage, failedSignIns, clock } = deps;
  const email = normaliseEmail(attempt.email);
  const account = await storage.accounts.findByEmail(email);
  const isRemembered = await takeTry(deps, attempt, email, account?.id);
  const matches = await verifyPassword(attempt.password, account?.passwordHash ?? null, isRemembered);
  if (account !== null && !matches) failedSignIns.note(account.id, 'password', attempt.address, clock.now());
  if (account?.passwordHash == null || !matches || !account.isActive) throw credentialsInvalid();
  const { id, passwordHash } = account;
  try {
    return await enter(deps, { id, passwordHash, isRemembered }, attempt);
  } catch (error) {
    if (error instanceof CodedError && error.code === 'totp_invalid')
      failedSignIns.note(id, 'code', attempt.address, clock.now());
    throw error;
  }
}

interface Verified {
  id: PersonId;
  passwordHash: string;
  isRemembered: boolean;
}

/** Starts the session of an account whose password was right, once its second factor is too. */
async function enter(
  { storage, rates, secretBox, clock }: LocalDeps,
  { id, passwordHash, isRemembered }: Verified,
  attempt: SignInAttempt,
): Promise<StartedSession> {
  const { secondFactors } = storage.identity;
  const step = await requireTotp({ secondFactors, secretBox, clock }, id, attempt.totp, async () => {
    if (!isRemembered) await rates.totp.require(id, clock.now());
  });
  const kept = isOutdated(passwordHash) ? await hashPassword(attempt.password) : passwordHash;
  return storage.inTransaction(async (stores) => {
    // Locks the account: a password that changes meanwhile ends either this session or this sign-in.
    if (!(await stores.accounts.replaceHash(id, passwordHash, kept))) throw credentialsInvalid();
    if (step !== null) await useStep({ secondFactors: stores.identity.secondFactors, clock }, id, step);
    return startSession(stores, clock, { personId: id, method: 'local' }, attempt);
  });
}

const credentialsInvalid = (): CodedError => new CodedError('credentials_invalid', 'E-mail or password is wrong');

/** Takes one try and returns true if the browser signed in to this account before. Throws `too_many_requests`. */
async function takeTry(
  { storage, rates, clock }: LocalDeps,
  { device, network }: SignInAttempt,
  email: string,
  personId: PersonId | undefined,
): Promise<boolean> {
  const now = clock.now();
  const hash = deviceHashOf(device);
  const owner = hash === null ? null : await storage.identity.devices.find(hash, now);
  if (hash !== null && owner !== null && owner === personId) {
    await rates.device.require(hash.toString('hex'), now);
    return true;
  }
  await rates.signInNetwork.require(network, now);
  await rates.signInAccount.require(`${network} ${email}`, now);
  // Last: a try that another count refuses is none.
  await rates.signInEverywhere.require(email, now);
  return false;
}
