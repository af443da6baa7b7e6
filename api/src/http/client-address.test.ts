import { expect, test } from 'vitest';
import { clientAddressReader } from './client-address.ts';

const read = clientAddressReader(['10.0.0.0/8', '::1']);
test.each([
  ['no proxy in front: the header is the client’s own invention', '203.0.113.9', '1.1.1.1', '203.0.113.9'],
  ['our proxy', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['two of our proxies', '10.0.0.1', '203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['what the client wrote left of it is not believed', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['three of our proxies', '::1', '203.0.113.9, 10.1.1.1, 10.0.0.2', '203.0.113.9'],
  [
    'a proxy that is not ours between two that are',
    '10.0.0.1',
    '1.1.1.1, 10.0.0.3, 203.0.113.9, 10.0.0.2',
    '203.0.113.9',
  ],
  ['a client that claims the address of a proxy', '10.0.0.1', '10.0.0.9, 203.0.113.9', '203.0.113.9'],
  ['all of them our proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['garbage behind a proxy', '10.0.0.1', '203.0.113.9, x, 10.0.0.2', '10.0.0.2'],
  ['an address with a port', '10.0.0.1', '203.0.113.9:1234', '10.0.0.1'],
  ['an empty hop', '10.0.0.1', '203.0.113.9, ', '10.0.0.1'],
  ['IPv6 behind a proxy', '10.0.0.1', '2001:db8::1', '2001:db8::1'],
  ['a dual-stack hop', '10.0.0.1', '1.1.1.1, ::ffff:203.0.113.9', '203.0.113.9'],
  ['garbage', '10.0.0.1', 'x; DROP', '10.0.0.1'],
  ['no header', '::1', undefined, '::1'],
  ['a dual-stack socket', '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
])('%s', (_name, peer, header, address) => {
  expect(read(peer, header, undefined).address).toBe(address);
});

test('https is believed from a proxy only, and of several the nearest counts', () => {
  expect(read('203.0.113.9', undefined, 'https').secure).toBe(false);
  expect(read('10.0.0.1', '1.1.1.1', 'https').secure).toBe(true);
  expect(read('10.0.0.1', '1.1.1.1', 'https, http').secure).toBe(false);
});
