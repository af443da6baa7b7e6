import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { SecretBox } from './secret-encryption.ts';

const secretBox = new SecretBox(randomBytes(32));

test('what is sealed opens in its own row only', () => {
  const sealed = secretBox.seal(Buffer.from('secret'), 'row 1');
  expect(secretBox.open(sealed, 'row 1').toString()).toBe('secret');
  expect(() => secretBox.open(sealed, 'row 2')).toThrow('authenticate');
  expect(() => new SecretBox(randomBytes(32)).open(sealed, 'row 1')).toThrow('authenticate');
  sealed[sealed.length - 1]! ^= 1;
  expect(() => secretBox.open(sealed, 'row 1')).toThrow('authenticate');
});

test('the same text never seals the same, and a short key is refused', () => {
  expect(secretBox.seal(Buffer.from('x'), '')).not.toEqual(secretBox.seal(Buffer.from('x'), ''));
  expect(() => new SecretBox(Buffer.alloc(16))).toThrow(RangeError);
});
