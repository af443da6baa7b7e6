import { execFileSync } from 'node:child_process';
import { assert, asyncProperty, uint8Array } from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tar } from './tar.ts';

const list = (archive: Buffer) =>
  execFileSync('tar', ['-tvf', '-', '--numeric-owner', '--utc'], { input: archive, encoding: 'utf8' })
    .trim()
    .split('\n');

test("the system's tar reads names, modes, owner and time", async () => {
  const archive = await tar([
    { name: 'plimsoll', content: Buffer.alloc(1000, 7), executable: true },
    { name: 'plimsoll.service', content: Buffer.from('[Unit]\n') },
  ]);
  expect(list(archive)).toEqual([
    '-rwxr-xr-x 0/0            1000 1970-01-01 00:00 plimsoll',
    '-rw-r--r-- 0/0               7 1970-01-01 00:00 plimsoll.service',
  ]);
});

test('content of any length comes out as it went in, whole blocks and empty files included', async () => {
  await assert(
    asyncProperty(uint8Array({ maxLength: 1600 }), uint8Array({ maxLength: 600 }), async (first, second) => {
      const archive = await tar([
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

test('a name of any length comes out whole', async () => {
  const name = `plimsoll/${'x'.repeat(200)}/é.yaml`;
  const archive = await tar([{ name, content: Buffer.from('x') }]);
  expect(execFileSync('tar', ['-tf', '-', '--quoting-style=literal'], { input: archive, encoding: 'utf8' })).toBe(
    `${name}\n`,
  );
});

test('the same entries give the same bytes, whatever the time', async () => {
  const entries = [{ name: `${'x'.repeat(150)}/a`, content: Buffer.from('a') }];
  const now = await tar(entries);
  vi.useFakeTimers({ now: 0, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect((await tar(entries)).equals(now)).toBe(true);
});
