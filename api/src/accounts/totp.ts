import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the values every authenticator app uses: SHA-1, 30 s, 6 digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** One step either way for clocks that differ. */
const WINDOW = 1;

const totpOf = (secret: Uint8Array, account = ''): TOTP =>
  new TOTP({
    issuer: 'Plimsoll',
    label: account,
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SECONDS,
    // A Buffer may be a part of a larger one; `Secret` takes the whole of its memory.
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** Returns the secret in the alphabet of RFC 4648, as an authenticator app takes it. */
export const base32 = (secret: Uint8Array): string => totpOf(secret).secret.base32;

/** Returns the code of a step (30 s since the epoch). */
export const totpCode = (secret: Uint8Array, step: number): string =>
  totpOf(secret).generate({ timestamp: step * STEP_SECONDS * 1000 });

/** Returns the step of this code, or null if no step near `now` (milliseconds) has it. A caller accepts a step once. */
export function matchTotp(secret: Uint8Array, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? null : Math.floor(now / 1000 / STEP_SECONDS) + delta;
}

/** Returns the URL that an authenticator app scans. */
export const otpauthUrl = (secret: Uint8Array, account: string): string => totpOf(secret, account).toString();
