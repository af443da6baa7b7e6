import { expect, test } from 'vitest';
import { checkIntegrity } from './runtime.ts';
import { targetsNamed } from './targets.ts';

const archive = Buffer.from('an archive');
// openssl dgst -sha512 -binary | base64
const integrity = 'sha512-IbnGw0QBxGZ2nsdeiU1H89XrZWNYroNtxth7d0evaTd/gmaRNCffzQAn5ohzroli+K/ZQ6Kcz6ysq9JxE6mBvg==';

test('an archive the lockfile does not name is refused with both sums', () => {
  expect(() => checkIntegrity('@oven/bun-x', Buffer.from('another'), integrity)).toThrow(
    /checksum mismatch for @oven\/bun-x: expected sha512-IbnGw.*, got sha512-/,
  );
});

test('an archive the lockfile names passes', () => {
  expect(() => checkIntegrity('@oven/bun-x', archive, integrity)).not.toThrow();
});

test('an unknown target is refused with the known ones', () => {
  expect(() => targetsNamed(['linux-x86'])).toThrow(/no target "linux-x86"; there are linux-x64, .*darwin-arm64/);
});
