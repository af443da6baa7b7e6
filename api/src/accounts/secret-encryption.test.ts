import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { Sealer } from './secret-encryption.ts';

const sealer = new Sealer(randomBytes(32));

test('what is sealed opens in its own row only', () => {
  const sealed = sealer.seal(Buffer.from('secret'), 'row 1');
  expect(sealer.open(sealed, 'row 1').toString()).toBe('secret');
  expect(() => sealer.open(sealed, 'row 2')).toThrow('authenticate');
  expect(() => new Sealer(randomBytes(32)).open(sealed, 'row 1')).toThrow('authenticate');
  sealed[sealed.length - 1]! ^= 1;
  expect(() => sealer.open(sealed, 'row 1')).toThrow('authenticate');
});

test('the same text never seals the same, and a short key is refused', () => {
  expect(sealer.seal(Buffer.from('x'), '')).not.toEqual(sealer.seal(Buffer.from('x'), ''));
  expect(() => new Sealer(Buffer.alloc(16))).toThrow(RangeError);
});
