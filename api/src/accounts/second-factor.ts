import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { SecondFactors } from './store.ts';
import type { SecretBox } from './secret-encryption.ts';
import { base32, matchTotp, newTotpSecret, otpauthUrl } from './totp.ts';

export interface SecondFactorDeps {
  secondFactors: SecondFactors;
  secretBox: SecretBox;
  clock: Clock;
}

const context = (accountId: string): string => `totp:${accountId}`;

/** A new secret; the old one, if any, no longer works. It counts once `settle` saw a first code. */
export async function beginTotp(
  { secondFactors, secretBox }: SecondFactorDeps,
  account: { id: string; email: string },
): Promise<{ secret: string; url: string }> {
  const { confirmed } = await secondFactors.get(account.id);
  if (confirmed)
    throw new CodedError('totp_enabled', 'The second factor is on already', { remedy: 'Switch it off first.' });
  const secret = newTotpSecret();
  await secondFactors.begin(account.id, secretBox.seal(secret, context(account.id)));
  return { secret: base32(secret), url: otpauthUrl(secret, account.email) };
}

/** Throws `totp_invalid` for a wrong code and for one that was used before. */
export async function settleTotp(deps: SecondFactorDeps, accountId: string, code: string): Promise<void> {
  const { secondFactors, secretBox, clock } = deps;
  const { secret } = await secondFactors.get(accountId);
  const now = clock.now();
  const step = secret === null ? null : matchTotp(secretBox.open(secret, context(accountId)), code, now);
  if (step === null || !(await secondFactors.settle(accountId, step, now)))
    throw new CodedError('totp_invalid', 'The authenticator code is wrong or was already used', {
      field: 'totp',
      remedy: 'Wait for the next code.',
    });
}

/**
 * Checks the code at sign-in. Without a second factor there is nothing to check. Throws `totp_required` when the page must
 * show the field for the code. `takeTry` throws when the account has had too many codes.
 */
export async function requireTotp(
  deps: SecondFactorDeps,
  accountId: string,
  code: string | undefined,
  takeTry: () => Promise<void>,
): Promise<void> {
  const { confirmed } = await deps.secondFactors.get(accountId);
  if (!confirmed) return;
  if (code === undefined)
    throw new CodedError('totp_required', 'This account requires a code from its authenticator app', { field: 'totp' });
  await takeTry();
  await settleTotp(deps, accountId, code);
}
