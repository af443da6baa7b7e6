import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 with what every authenticator app takes for granted: SHA-1, 30 s, 6 digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** One step either way for clocks that differ. */
const WINDOW = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES);

export function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(held >> bits) & 31] ?? '';
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + (BASE32[(held << (5 - bits)) & 31] ?? '') : text;
}

/** The code of a step (30 s since the epoch). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step whose code this is, null when none near `now` (milliseconds) is. The caller must not take a step twice. */
export function matchTotp(secret: Uint8Array, code: string, now: number): number | null {
  const current = Math.floor(now / 1000 / STEP_SECONDS);
  if (!/^\d{6}$/.test(code)) return null;
  const given = Buffer.from(code);
  let match: number | null = null;
  for (let step = current - WINDOW; step <= current + WINDOW; step += 1)
    if (step >= 0 && timingSafeEqual(given, Buffer.from(totpCode(secret, step)))) match = step;
  return match;
}

/** What an authenticator app scans. */
export const otpauthUrl = (secret: Uint8Array, account: string): string =>
  `otpauth://totp/${encodeURIComponent(`Plimsoll:${account}`)}?secret=${base32(secret)}&issuer=Plimsoll`;
