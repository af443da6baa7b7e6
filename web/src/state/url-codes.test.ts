import { describe, expect, it } from 'vitest';
import { callbackError, callbackJoined, callbackToken, invitedCode, pastedSetupCode, setupCode } from './url-codes.ts';

describe('codes a link brings along', () => {
  it('finds the first-run code', () => {
    expect(setupCode('#setup=abc')).toBe('abc');
    expect(setupCode('#setup=')).toBeNull();
    expect(setupCode('')).toBeNull();
    expect(setupCode('#access_token=abc')).toBeNull();
  });
  const CODE = 'Zr3_kQ-9pLw2vX7yTn5bC1dF4gH6jK8mN0sR3tU5wY';
  it.each([
    [`Sign in: http://127.0.0.1:8420/login#setup=${CODE}`, CODE],
    [`http://127.0.0.1:8420/login#setup=${CODE} \n`, CODE],
    [`#setup=${CODE}`, CODE],
    [`  ${CODE}\n`, CODE],
    ['http://127.0.0.1:8420/login', null],
    ['my password', null],
    ['short', null],
    ['', null],
  ])('finds the first-run code in the pasted text %j', (text, code) => expect(pastedSetupCode(text)).toBe(code));
  it('takes the fragment before the query', () => {
    expect(callbackToken('#access_token=from-hash', '?token=from-query')).toBe('from-hash');
    expect(callbackToken('', '?token=from-query')).toBe('from-query');
    expect(callbackToken('#access_token=%20', '')).toBeNull();
    expect(callbackToken('', '')).toBeNull();
  });
  it('lets only a code through as the reason', () => {
    expect(callbackError('#error=state_mismatch', '')).toBe('state_mismatch');
    expect(callbackError('', '?error=access_denied')).toBe('access_denied');
    expect(callbackError('#error=Call+0800+now', '')).toBeNull();
  });
});

describe('the code of an invitation', () => {
  it('is read from its own name, and never from a first-run link', () => {
    expect(invitedCode('#code=abc')).toBe('abc');
    expect(invitedCode('#setup=abc')).toBeNull();
    expect(setupCode('#code=abc')).toBeNull();
    expect(invitedCode('#code=%20')).toBeNull();
    expect(invitedCode('')).toBeNull();
  });

  it('is used up only if the sign-in says so', () => {
    expect(callbackJoined('#access_token=t&joined=1')).toBe(true);
    expect(['#joined=0', '#joined=', '#joined=true', '#access_token=t', ''].map(callbackJoined)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
