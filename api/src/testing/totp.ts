const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the bytes of a secret as an authenticator app receives them. */
export function totpSecretOf(text: string): Buffer {
  const bits = Array.from(text)
    .map((c) => BASE32.indexOf(c).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}
