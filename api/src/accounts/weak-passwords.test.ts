import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requireStrongPassword, weaknessOf } from './weak-passwords.ts';

const EMAIL = 'grace.hopper@example.org';

test.each([
  ['aaaaaaaaaaaa', 'has too few different characters'],
  ['112211221122', 'has too few different characters'],
  ['Sesame1Sesame1', 'repeats one part'],
  ['123456789012', 'follows the keyboard or the alphabet'],
  ['abcdefghijkl', 'follows the keyboard or the alphabet'],
  ['qwertyuiop12', 'follows the keyboard or the alphabet'],
  ['1q2w3e4r5t6y', 'follows the keyboard or the alphabet'],
  ['0987654321ab', 'follows the keyboard or the alphabet'],
  ['Password1234', 'is a frequent password'],
  ['Passwort1234', 'is a frequent word with digits or marks'],
  ['Superuser2026!', 'is a frequent word with digits or marks'],
  ['!!Welcome2026', 'is a frequent word with digits or marks'],
  ['p-a-s-s-w-o-r-d', 'is a frequent word with digits or marks'],
  ['Administrator1!', 'is a frequent word with digits or marks'],
  ['Plimsoll2026!', 'is a frequent word with digits or marks'],
  ['ＰａｓｓＷｏｒｄ１２３４', 'is a frequent password'],
  ['1qaz2wsx3edc', 'is a frequent password'],
  ['SonyEricsson', 'is a frequent password'],
  ['Snowboard!2026', 'is a frequent word with digits or marks'],
  ['GRACE.hopper-7', 'contains the name of the e-mail address'],
])('%s %s', async (password, weakness) => {
  expect(await weaknessOf(password, EMAIL)).toBe(weakness);
});

test.each(['correct horse battery', 'a long password for a test', 'tr0ub4dor&3-x!', 'Lämmchen wollig 7'])(
  '%s may be used',
  async (password) => {
    expect(await weaknessOf(password, EMAIL)).toBeNull();
  },
);

test('a short name is in too many words to be refused', async () => {
  expect(await weaknessOf('correct horse battery', 'ho@example.org')).toBeNull();
});

test('a password of a manager may be used', async () => {
  const random = fc.string({
    unit: fc.constantFrom(...Array.from('abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789')),
    minLength: 20,
    maxLength: 64,
  });
  // Twenty random characters are a pattern once in more runs than this makes.
  await fc.assert(
    fc.asyncProperty(random, async (password) => {
      expect(new Set(password).size <= 8 || (await weaknessOf(password, EMAIL)) === null).toBe(true);
    }),
  );
});

test('the error names the field and the remedy', async () => {
  await expect(requireStrongPassword('Password1234', EMAIL, 'new_password')).rejects.toThrow(
    expect.objectContaining({
      code: 'invalid_parameter',
      message: 'new_password: is a frequent password',
      field: 'new_password',
    }),
  );
});
