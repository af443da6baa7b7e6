import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { signInOrigin } from './sign-in-origin.ts';

const asked = (url: string, secure = false) => ({ url, secure });

test.each([
  ['http://localhost:8420/x', 'http://localhost:8420'],
  ['http://LOCALHOST/', 'http://localhost'],
  ['http://plimsoll.localhost:8420/', 'http://plimsoll.localhost:8420'],
  ['http://127.0.0.1:8420/', 'http://127.0.0.1:8420'],
  ['http://127.1.2.3/', 'http://127.1.2.3'],
  ['http://[::1]:8420/', 'http://[::1]:8420'],
  ['http://192.168.1.10:8420/', null],
  ['http://plimsoll.example.com/', null],
  ['http://127.0.0.1.evil.example/', null],
  ['http://localhost.evil.example/', null],
  ['http://evil-localhost/', null],
  ['http://0.0.0.0:8420/', null],
  ['http://[::]/', null],
])('without the setting %s gives %s', (url, origin) => {
  expect(signInOrigin(null, asked(url))).toBe(origin);
});

test('the setting counts whatever the browser called', () => {
  fc.assert(
    fc.property(fc.webUrl(), (url) => {
      expect(signInOrigin('https://plimsoll.example', asked(url))).toBe('https://plimsoll.example');
    }),
  );
  expect(signInOrigin(null, asked('http://localhost/', true))).toBe('https://localhost');
});
