import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { returnPath, safeReturnPath } from './return-path.ts';

describe('safeReturnPath', () => {
  it.each(['/', '/servers?sort=name', '/kubernetes/nodes/a%2Fb'])('keeps %s', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });
  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'servers',
    '/login',
    '/auth/callback',
    '',
    null,
  ])('refuses %s', (path) => {
    expect(safeReturnPath(path)).toBeNull();
  });
});

describe('returnPath', () => {
  const items = new Map<string, string>();
  beforeEach(() => {
    items.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('gives the page back once', () => {
    returnPath.remember('/alerts');
    expect(returnPath.take()).toBe('/alerts');
    expect(returnPath.take()).toBeNull();
  });
  it('forgets an older page when there is none to remember', () => {
    returnPath.remember('/alerts');
    returnPath.remember(undefined);
    expect(returnPath.take()).toBeNull();
  });
  it('lives without storage', () => {
    vi.stubGlobal('sessionStorage', undefined);
    returnPath.remember('/alerts');
    expect(returnPath.take()).toBeNull();
  });
});

it('opens a page whose name only begins like that of the sign-in', () => {
  expect(['/logins', '/authors?x', '/landing-zone'].map(safeReturnPath)).toEqual([
    '/logins',
    '/authors?x',
    '/landing-zone',
  ]);
  expect(['/login', '/login?x', '/auth/callback', '/landing#a'].map(safeReturnPath)).toEqual([null, null, null, null]);
});
