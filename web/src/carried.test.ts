import { expect, test } from 'vitest';
import { carry, keepCarried } from './carried.ts';

test.each([
  ['/servers', '?scope=tag%3Aprod', '/servers?scope=tag%3Aprod'],
  ['/servers/a?from=1#top', '?range=1&scope=tag%3Aprod', '/servers/a?from=1&scope=tag%3Aprod#top'],
  ['/servers?scope=region%3Afra', '?scope=tag%3Aprod', '/servers?scope=region%3Afra'],
  ['/servers?scope=', '?scope=tag%3Aprod', '/servers?scope='],
  ['/servers', '?range=1', '/servers'],
  ['/login', '?scope=tag%3Aprod', '/login'],
  ['#page', '?scope=tag%3Aprod', '#page'],
  ['https://example.com/', '?scope=tag%3Aprod', 'https://example.com/'],
])('a link to %s from %s leads to %s', (to, search, expected) => {
  expect(carry(to, search)).toBe(expected);
});

test('a page that writes its own parameters keeps the scope', () => {
  const kept = keepCarried(new URLSearchParams('scope=tag:prod&view=table'), new URLSearchParams('view=cards'));
  expect([kept.get('scope'), kept.get('view')]).toEqual(['tag:prod', 'cards']);
});
