import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { SecondFactors } from './store.ts';
import type { SecretBox } from './secret-encryption.ts';
import { base32, matchTotp, newTotpSecret, otpauthUrl } from './totp.ts';
import type { PersonId } from '../tenancy/ids.ts';

export interface SecondFactorDeps {
  secondFactors: SecondFactors;
  secretBox: SecretBox;
  clock: Clock;
}

const context = (personId: PersonId): string => `totp:${personId}`;

/** Stores a new secret; one that no code confirmed no longer works. Throws `totp_enabled`. */
export async function beginTotp(
  { secondFactors, secretBox }: SecondFactorDeps,
  account: { id: PersonId; email: string },
): Promise<{ secret: string; url: string }> {
  const secret = newTotpSecret();
  if (!(await secondFactors.begin(account.id, secretBox.seal(secret, context(account.id)))))
    throw new CodedError('totp_enabled', 'The second factor is on already', { remedy: 'Switch it off first.' });
  return { secret: base32(secret), url: otpauthUrl(secret, account.email) };
}

const totpInvalid = (): CodedError =>
  new CodedError('totp_invalid', 'The authenticator code is wrong or was already used', {
    field: 'totp',
    remedy: 'Wait for the next code.',
  });

/** Finds the time step of a code without using it up. Throws `totp_invalid` for a wrong code. */
async function stepOf(
  { secondFactors, secretBox, clock }: SecondFactorDeps,
  personId: PersonId,
  code: string,
): Promise<number> {
  const { secret } = await secondFactors.get(personId);
  const step = secret === null ? null : matchTotp(secretBox.open(secret, context(personId)), code, clock.now());
  if (step === null) throw totpInvalid();
  return step;
}

/** Uses the code of a time step up. Throws `totp_invalid` for one that was used before. */
export async function useStep(
  { secondFactors, clock }: Pick<SecondFactorDeps, 'secondFactors' | 'clock'>,
  personId: PersonId,
  step: number,
): Promise<void> {
  if (!(await secondFactors.settle(personId, step, clock.now()))) throw totpInvalid();
}

/** Uses a code up. Throws `totp_invalid` for a wrong code and for one that was used before. */
export async function settleTotp(deps: SecondFactorDeps, personId: PersonId, code: string): Promise<void> {
  await useStep(deps, personId, await stepOf(deps, personId, code));
}

/**
 * Checks the code at sign-in. Returns its time step, which the sign-in uses up; null without a second factor. Throws
 * `totp_required` when the page must show the field for the code, `totp_invalid`. `takeTry` throws when the account has
 * had too many codes.
 */
export async function requireTotp(
  deps: SecondFactorDeps,
  personId: PersonId,
  code: string | undefined,
  takeTry: () => Promise<void>,
): Promise<number | null> {
  const { confirmed } = await deps.secondFactors.get(personId);
  if (!confirmed) return null;
  if (code === undefined)
    throw new CodedError('totp_required', 'This account requires a code from its authenticator app', { field: 'totp' });
  await takeTry();
  return stepOf(deps, personId, code);
}
