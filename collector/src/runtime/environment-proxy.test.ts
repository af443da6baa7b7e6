import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { environmentProxy } from './environment-proxy.ts';

const URL_ = 'https://plimsoll.example.com';
const PROXY = 'http://proxy:3128';
const proxyOf = (url: string, environment: Record<string, string>) => environmentProxy(url, environment)?.proxy ?? null;

test.each<[string, Record<string, string>, string | null]>([
  [URL_, { HTTPS_PROXY: PROXY }, PROXY],
  [URL_, { https_proxy: PROXY, HTTPS_PROXY: 'http://other:1' }, PROXY],
  [URL_, { https_proxy: '', HTTPS_PROXY: PROXY }, PROXY],
  [URL_, { HTTPS_PROXY: 'proxy:3128' }, PROXY],
  [URL_, { HTTP_PROXY: PROXY }, null],
  [URL_, { ALL_PROXY: PROXY }, PROXY],
  ['http://10.0.0.5:8420', { HTTP_PROXY: PROXY }, PROXY],
  ['http://10.0.0.5:8420', { HTTPS_PROXY: PROXY }, null],
  ['http://localhost:8420', { HTTP_PROXY: PROXY }, null],
  ['http://127.8.0.1:8420', { HTTP_PROXY: PROXY }, null],
  ['http://[::1]:8420', { HTTP_PROXY: PROXY }, null],
])('%s with %j goes by %s', (url, environment, proxy) => expect(proxyOf(url, environment)).toBe(proxy));

describe('NO_PROXY', () => {
  test.each<[string, string]>([
    ['*', URL_],
    ['example.com', URL_],
    ['.example.com', URL_],
    ['*.example.com', URL_],
    ['PLIMSOLL.example.com', URL_],
    ['a.test, plimsoll.example.com', URL_],
    ['a.test plimsoll.example.com', URL_],
    ['plimsoll.example.com:443', URL_],
    ['10.0.0.0/8', 'https://10.255.0.1'],
    ['10.0.0.5/32', 'https://10.0.0.5'],
    ['0.0.0.0/0', 'https://8.8.8.8'],
    ['[fd00::1]', 'https://[fd00::1]:8420'],
  ])('%s exempts %s', (no_proxy, url) => expect(proxyOf(url, { HTTPS_PROXY: PROXY, NO_PROXY: no_proxy })).toBeNull());

  test.each<[string, string]>([
    ['', URL_],
    ['ample.com', URL_],
    ['plimsoll.example.com:8443', URL_],
    ['plimsoll.example.com.', 'https://com'],
    ['10.0.0.0/8', 'https://11.0.0.1'],
    ['10.0.0.4/31', 'https://10.0.0.6'],
    ['10.0.0.0/33', 'https://10.0.0.0'],
    ['.', URL_],
  ])('%s does not exempt %s', (no_proxy, url) =>
    expect(proxyOf(url, { HTTPS_PROXY: PROXY, NO_PROXY: no_proxy })).toBe(PROXY),
  );

  test('the lower case has the last word, also empty', () =>
    expect(proxyOf(URL_, { HTTPS_PROXY: PROXY, no_proxy: '', NO_PROXY: '*' })).toBe(PROXY));

  test('any text is no error, and a network holds exactly the addresses of its prefix', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        proxyOf(URL_, { HTTPS_PROXY: PROXY, NO_PROXY: text });
      }),
    );
    const address = fc.tuple(...[0, 1, 2, 3].map(() => fc.nat(255)));
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (network, host, bits) => {
        const prefix = (parts: number[]) =>
          parts
            .map((part) => part.toString(2).padStart(8, '0'))
            .join('')
            .slice(0, bits);
        const isIn = prefix(network) === prefix(host) || host[0] === 127;
        const no_proxy = `${network.join('.')}/${String(bits)}`;
        expect(proxyOf(`https://${host.join('.')}`, { HTTPS_PROXY: PROXY, NO_PROXY: no_proxy }) === null).toBe(isIn);
      }),
    );
  });
});
