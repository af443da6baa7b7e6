import { expect, test } from 'vitest';
import { TOKEN_TYPES, bearerOf, hashToken, newToken, tokenType } from './tokens.ts';

test.each(TOKEN_TYPES)('a %s token is recognised by its prefix', (type) => {
  const token = newToken(type);
  expect(tokenType(token)).toBe(type);
  expect(token).toHaveLength(`plm_${type}_`.length + 43);
  expect(hashToken(token)).toHaveLength(32);
});

test.each([
  '',
  'plm_session_',
  'plm_session_short',
  `plm_root_${'a'.repeat(43)}`,
  `plm_session_${'a'.repeat(44)}`,
  `plm_session_${'a'.repeat(42)}\n`,
  'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.',
])('%j is no token', (text) => {
  expect(tokenType(text)).toBeNull();
});

test('two tokens differ', () => {
  expect(newToken('api')).not.toBe(newToken('api'));
});

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Basic abc', null],
  ['Bearer a b', null],
  ['Bearer ', null],
  [undefined, null],
])('header %j carries %j', (header, token) => {
  expect(bearerOf(header)).toBe(token);
});
