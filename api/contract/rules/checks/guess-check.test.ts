import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { probeRequest } from '../../wire/checks/checks.ts';
import { guessCheck } from './guess-check.ts';

test.each([
  ['https://shop.example.net/health', { kind: 'http', url: 'https://shop.example.net/health' }],
  ['  HTTP://shop.example.net ', { kind: 'http', url: 'http://shop.example.net/' }],
  ['shop.example.net', { kind: 'http', url: 'https://shop.example.net/' }],
  ['shop.example.net/health?x=1', { kind: 'http', url: 'https://shop.example.net/health?x=1' }],
  ['shop.example.net:8080', { kind: 'http', url: 'http://shop.example.net:8080/' }],
  ['shop.example.net:8443', { kind: 'http', url: 'https://shop.example.net:8443/' }],
  ['db.example.net:5432', { kind: 'tcp', host: 'db.example.net', port: 5432 }],
  ['mail.example.net:993', { kind: 'tls', host: 'mail.example.net', port: 993 }],
  ['tcp://db.example.net:80', { kind: 'tcp', host: 'db.example.net', port: 80 }],
  ['tls:shop.example.net', { kind: 'tls', host: 'shop.example.net', port: 443 }],
  ['dns:example.net', { kind: 'dns', host: 'example.net' }],
  ['[2001:db8::1]:22', { kind: 'tcp', host: '2001:db8::1', port: 22 }],
  ['10.1.2.3:22', { kind: 'tcp', host: '10.1.2.3', port: 22 }],
  ['localhost:9100', { kind: 'tcp', host: 'localhost', port: 9100 }],
])('%s', (text, probe) => {
  expect(guessCheck(text)?.probe).toEqual(probe);
});

test.each([
  '',
  ' ',
  'two words',
  'https://',
  'https://user:pass@host/',
  'tcp://db',
  'host:99999',
  'a:b:c',
  '::',
  '/path',
])('%j is no address', (text) => {
  expect(guessCheck(text)).toBeNull();
});

test('whatever is typed, a guess is one that the API takes', () => {
  const part = fc.constantFrom(
    'https://',
    'tcp://',
    'dns:',
    'shop',
    '.example',
    ':443',
    ':x',
    '/a',
    '?',
    '[::1]',
    ' ',
    '_',
    '-',
  );
  const typed = fc.oneof(
    fc.string(),
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(typed, (text) => {
      const guess = guessCheck(text);
      expect(guess === null || probeRequest.safeParse(guess.probe).success).toBe(true);
    }),
  );
});
