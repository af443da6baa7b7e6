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
  ['2001:db8::1', { kind: 'http', url: 'https://[2001:db8::1]/' }],
  ['::1', { kind: 'http', url: 'https://[::1]/' }],
  ['shop.example.net?x=1', { kind: 'http', url: 'https://shop.example.net/?x=1' }],
  ['müller.example', { kind: 'http', url: 'https://xn--mller-kva.example/' }],
  ['müller.example:22', { kind: 'tcp', host: 'xn--mller-kva.example', port: 22 }],
  ['dns:bücher.example', { kind: 'dns', host: 'xn--bcher-kva.example' }],
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
  '[:::]:22',
  '/path',
])('%j is no address', (text) => {
  expect(guessCheck(text)).toBeNull();
});

test.each([
  ['db.example.net', 'db.example.net'],
  ['müller.example', 'xn--mller-kva.example'],
  ['2001:db8::1', '2001:db8::1'],
  ['_sip._tcp.example.net.', '_sip._tcp.example.net.'],
  ['db.example.net:5432', null],
  ['10.1.2.3:22', null],
  ['fe80::1%eth0', null],
  ['[::1]', null],
  ['a/b', null],
])('the host %s is stored as %s', (host, stored) => {
  const parsed = probeRequest.safeParse({ kind: 'tcp', host, port: 22 });
  expect(parsed.data?.kind === 'tcp' ? parsed.data.host : null).toBe(stored);
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
