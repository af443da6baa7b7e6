import { expect, test } from 'vitest';
import { base32, matchTotp, newTotpSecret, otpauthUrl, totpCode } from './totp.ts';

/** The test vectors of RFC 6238 (SHA-1), last six of their eight digits. */
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %d s the code is %s', (seconds, code) => {
  const secret = Buffer.from('12345678901234567890');
  expect(totpCode(secret, Math.floor(seconds / 30))).toBe(code);
  expect(matchTotp(secret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test('a step early or late passes, two do not', () => {
  const secret = newTotpSecret();
  const code = totpCode(secret, 1000);
  expect([998, 999, 1000, 1001, 1002].map((step) => matchTotp(secret, code, step * 30_000))).toEqual([
    null,
    1000,
    1000,
    1000,
    null,
  ]);
});

test.each(['', '1', '0000000', 'abcdef'])('%j is no code', (code) => {
  expect(matchTotp(Buffer.from('x'), code, 0)).toBeNull();
});

test('the secret is written as RFC 4648 has it', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(otpauthUrl(Buffer.from('foobar'), 'a@b.c')).toBe(
    'otpauth://totp/Plimsoll:a%40b.c?issuer=Plimsoll&secret=MZXW6YTBOI&algorithm=SHA1&digits=6&period=30',
  );
});

test('a secret that is part of a larger buffer is used alone', () => {
  const secret = Buffer.from('__12345678901234567890__').subarray(2, 22);
  expect(totpCode(secret, 1)).toBe('287082');
});
