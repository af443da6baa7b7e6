import { describe, expect, it } from 'vitest';
import { serviceAccountOf } from './service-account.ts';

const token = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.signature`;

describe('serviceAccountOf', () => {
  it('reads namespace and name out of the token the pod mounts', () => {
    expect(serviceAccountOf(token({ sub: 'system:serviceaccount:plimsoll-system:collector', aud: ['é?>'] }))).toBe(
      'plimsoll-system:collector',
    );
  });

  it.each([
    ['no token', null],
    ['an opaque token', 'abcdef'],
    ['a token of a person', token({ sub: 'alice' })],
    ['a subject that is no name', token({ sub: 'system:serviceaccount:a;reboot:b' })],
    ['a payload that is no JSON', 'a.b.c'],
    ['a payload without a subject', token({})],
  ])('gives nothing for %s', (_, text) => {
    expect(serviceAccountOf(text)).toBeNull();
  });
});
