import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';

/** A hash as another release with other costs wrote it. */
function hashWith(password: string, N: number, r: number, p: number): string {
  const salt = Buffer.from('0123456789abcdef');
  const key = scryptSync(password, salt, 32, { N, r, p, maxmem: 256 * 1024 * 1024 });
  return `scrypt$${N}$${r}$${p}$${salt.toString('base64')}$${key.toString('base64')}`;
}

test('the right password passes, any other and a missing hash do not', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^scrypt\$32768\$8\$3\$/);
  expect(await verifyPassword('correct horse battery', stored)).toBe(true);
  expect(await verifyPassword('correct horse batterY', stored)).toBe(false);
  expect(await verifyPassword('correct horse battery', null)).toBe(false);
  expect(await verifyPassword('', 'garbage')).toBe(false);
});

test('the same password never gives the same hash', async () => {
  expect(await hashPassword('x')).not.toBe(await hashPassword('x'));
});

test('composed and decomposed letters are one password', async () => {
  expect(await verifyPassword('pa\u0308ssword', await hashPassword('p\u00e4ssword'))).toBe(true);
});

test('more than two at once wait their turn and all end', async () => {
  const stored = await hashPassword('x');
  const results = await Promise.all(Array.from({ length: 6 }, (_, i) => verifyPassword(i % 2 ? 'x' : 'y', stored)));
  expect(results).toEqual([false, true, false, true, false, true]);
});

describe('a hash with other costs', () => {
  test.each([
    [2 ** 14, 8, 1],
    [2 ** 15, 8, 1],
    [2 ** 16, 8, 2],
    [2 ** 10, 16, 1],
  ])('N %d, r %d, p %d: the right password passes, and the hash is outdated', async (N, r, p) => {
    const stored = hashWith('correct horse battery', N, r, p);
    expect(await verifyPassword('correct horse battery', stored)).toBe(true);
    expect(await verifyPassword('correct horse batterY', stored)).toBe(false);
    expect(isOutdated(stored)).toBe(true);
  });

  test('one of today is not outdated', async () => {
    expect(isOutdated(await hashPassword('x'))).toBe(false);
  });

  test.each([
    'scrypt$1073741824$8$1$c2FsdA==$',
    'scrypt$32768$1048576$1$c2FsdA==$',
    'scrypt$32768$8$100000$c2FsdA==$',
    'scrypt$32767$8$1$c2FsdA==$',
    'scrypt$1$8$1$c2FsdA==$',
    'scrypt$-32768$8$1$c2FsdA==$',
    'scrypt$32768.5$8$1$c2FsdA==$',
    'scrypt$$$$c2FsdA==$',
    'bcrypt$32768$8$3$c2FsdA==$',
    'scrypt$32768$8$3$c2FsdA==$$',
    '',
  ])('%s is out of bounds: no password passes, and the work stays that of today', async (stored) => {
    expect(await verifyPassword('', stored)).toBe(false);
    expect(isOutdated(stored)).toBe(true);
  });
});
