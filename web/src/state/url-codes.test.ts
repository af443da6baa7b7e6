import { describe, expect, it } from 'vitest';
import { callbackError, callbackToken, setupCode } from './url-codes.ts';

describe('codes a link brings along', () => {
  it('finds the first-run code', () => {
    expect(setupCode('#setup=abc')).toBe('abc');
    expect(setupCode('#setup=')).toBeNull();
    expect(setupCode('')).toBeNull();
    expect(setupCode('#access_token=abc')).toBeNull();
  });
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
