import { execFileSync } from 'node:child_process';
import { assert, property, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { tar } from './tar.ts';

const list = (archive: Buffer) =>
  execFileSync('tar', ['-tvf', '-', '--numeric-owner', '--utc'], { input: archive, encoding: 'utf8' })
    .trim()
    .split('\n');

test("the system's tar reads names, modes, owner and time", () => {
  const archive = tar([
    { name: 'plimsoll', content: Buffer.alloc(1000, 7), executable: true },
    { name: 'plimsoll.service', content: Buffer.from('[Unit]\n') },
  ]);
  expect(list(archive)).toEqual([
    '-rwxr-xr-x 0/0            1000 1970-01-01 00:00 plimsoll',
    '-rw-r--r-- 0/0               7 1970-01-01 00:00 plimsoll.service',
  ]);
});

test('content of any length comes out as it went in, whole blocks and empty files included', () => {
  assert(
    property(uint8Array({ maxLength: 1600 }), uint8Array({ maxLength: 600 }), (first, second) => {
      const archive = tar([
        { name: 'first', content: Buffer.from(first) },
        { name: 'second', content: Buffer.from(second) },
      ]);
      const out = execFileSync('tar', ['-xOf', '-', 'second'], { input: archive });
      expect(archive.length % 512).toBe(0);
      expect(out.equals(Buffer.from(second))).toBe(true);
    }),
    { numRuns: 25 },
  );
});

test('a name that would be cut short is refused', () => {
  expect(() => tar([{ name: 'x'.repeat(100), content: Buffer.alloc(0) }])).toThrow('name too long');
});
