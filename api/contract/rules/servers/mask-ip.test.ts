import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskIp } from './mask-ip.ts';

describe('maskIp', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['255.255.255.255', '255.255.255.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['::FFFF:cb00:714d', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8::1', '2001:db8::'],
    ['fe80::1%eth0', 'fe80::'],
    ['[2001:DB8:0:1::9]', '2001:db8:0:1::'],
    ['::1', '::'],
    ['2001:0:0:5:6::', '2001:0:0:5::'],
    ['64:ff9b::203.0.113.77', '64:ff9b::'],
  ])('%s becomes %s', (address, masked) => {
    expect(maskIp(address)).toBe(masked);
  });

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '300.1.1.1',
    '1:2',
    ':::',
    '1::2::3',
    '12345::',
    'g::',
    '1:2:3:4:5:6:7:8:9',
  ])('refuses %j', (text) => {
    expect(maskIp(text)).toBe('');
  });

  it('is idempotent and keeps no host bits, for any address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const masked = maskIp(address);
        expect(masked).not.toBe('');
        expect(maskIp(masked)).toBe(masked);
        expect(masked.endsWith('.0') || masked.endsWith('::')).toBe(true);
      }),
    );
  });
});
