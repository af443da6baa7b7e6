import { expect, test } from 'vitest';
import { checkSignature, signAdHoc } from './code-signature.ts';

const CONTENT_BYTES = 3 * 4096 + 1000;

/** The least a signer looks at: header, __TEXT, __LINKEDIT, LC_CODE_SIGNATURE and bytes that differ from page to page. */
function machO(): Buffer {
  const file = Buffer.alloc(CONTENT_BYTES + 64);
  for (let at = 0; at < CONTENT_BYTES; at++) file[at] = (at * 31 + Math.floor(at / 4096)) % 251;
  file.fill(0, 0, 32 + 72 + 72 + 16);
  file.writeUInt32LE(0xfeedfacf, 0);
  file.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, offset: number, size: number) => {
    file.writeUInt32LE(0x19, at);
    file.writeUInt32LE(72, at + 4);
    file.write(name, at + 8, 'latin1');
    file.writeBigUInt64LE(BigInt(offset), at + 40);
    file.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, '__TEXT', 0, 8192);
  segment(104, '__LINKEDIT', 8192, CONTENT_BYTES + 64 - 8192);
  [0x1d, 16, CONTENT_BYTES, 64].forEach((word, index) => file.writeUInt32LE(word, 176 + index * 4));
  return file;
}

test('every page is covered, the last one by the bytes it has', () => {
  expect(checkSignature(signAdHoc(machO(), 'plimsoll'))).toEqual({ pages: 4, stale: [] });
});

test('load commands name the new signature, and __LINKEDIT ends with the file', () => {
  const signed = signAdHoc(machO(), 'plimsoll');
  expect(signed.readUInt32LE(176 + 8)).toBe(CONTENT_BYTES);
  expect(CONTENT_BYTES + signed.readUInt32LE(176 + 12)).toBe(signed.length);
  expect(8192n + signed.readBigUInt64LE(104 + 48)).toBe(BigInt(signed.length));
});

test.each([0, 4096, CONTENT_BYTES - 1])('a byte flipped at %i makes its page stale', (at) => {
  const signed = signAdHoc(machO(), 'plimsoll');
  // The first bytes are the magic number, without which nothing is read at all.
  const place = at === 0 ? 2000 : at;
  signed[place] = signed[place]! ^ 1;
  expect(checkSignature(signed).stale).toEqual([Math.floor(place / 4096)]);
});

test('signing again changes nothing', () => {
  const once = signAdHoc(machO(), 'plimsoll');
  expect(signAdHoc(once, 'plimsoll').equals(once)).toBe(true);
});

test('the file that goes in stays as it was', () => {
  const file = machO();
  signAdHoc(file, 'plimsoll');
  expect(file.equals(machO())).toBe(true);
});

test.each([
  ['an ELF file', Buffer.from('\x7fELF'.padEnd(64, '\0'), 'latin1'), 'not a thin 64-bit Mach-O'],
  ['an empty file', Buffer.alloc(0), 'not a thin 64-bit Mach-O'],
])('%s is refused', (_what, file, message) => {
  expect(() => signAdHoc(file, 'plimsoll')).toThrow(message);
});

test('a Mach-O file without a signature is refused', () => {
  const file = machO();
  file.writeUInt32LE(2, 16);
  expect(() => signAdHoc(file, 'plimsoll')).toThrow('no LC_CODE_SIGNATURE');
});
