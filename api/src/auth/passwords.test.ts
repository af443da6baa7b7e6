import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from './passwords.ts';

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
