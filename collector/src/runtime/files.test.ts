import { closeSync, ftruncateSync, openSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { filesUnder } from './files.ts';

const linesOf = (root: string, name: string): string[] => {
  const lines: string[] = [];
  filesUnder(root).lines(name, (bytes, from, to) => lines.push(bytes.toString('latin1', from, to)));
  return lines;
};

describe('filesUnder', () => {
  it('hands out the lines of any file as a split would, wherever a read ends', () => {
    const root = temporaryFolder();
    const line = fc.oneof(
      fc.constant(''),
      fc.integer({ min: 1, max: 300 }).map((length) => 'x'.repeat(length)),
      fc.integer({ min: 3000, max: 70_000 }).map((length) => 'y'.repeat(length)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, ended) => {
        writeFileSync(join(root, 'f'), lines.join('\n') + (ended ? '\n' : ''));
        expect(linesOf(root, 'f')).toEqual(lines.filter((one) => one !== ''));
      }),
      { numRuns: 50 },
    );
  });

  it.each([3583, 3584, 3585, 4095, 4096, 65_535, 65_536, 65_537, 131_072])(
    'reads a table of %d bytes to its last line',
    (bytes) => {
      const root = temporaryFolder();
      const row = `${'z'.repeat(99)}\n`;
      const text = row.repeat(Math.ceil(bytes / row.length)).slice(0, bytes - 1);
      writeFileSync(join(root, 'f'), `${text}\n`);
      expect(linesOf(root, 'f').join('\n')).toBe(text.trimEnd());
    },
  );

  it('reads a table of the kernel as its text says', () => {
    const proc = filesUnder('/proc');
    const lines: string[] = [];
    proc.lines('self/limits', (bytes, from, to) => lines.push(bytes.toString('latin1', from, to)));
    expect(lines).toEqual(proc.text('self/limits').split('\n').slice(0, -1));
    expect(lines.length).toBeGreaterThan(10);
  });

  it('refuses a file that is larger than anything it should read whole', () => {
    const root = temporaryFolder();
    const file = openSync(join(root, 'huge'), 'w');
    ftruncateSync(file, 16 * 1_048_576 + 1);
    closeSync(file);
    expect(() => filesUnder(root).text('huge')).toThrow('file is larger than 16777216 bytes');
    expect(filesUnder(root).optional('huge')).toBeNull();
    expect(filesUnder(root).tail('huge', 10)).toBe('\0'.repeat(10));
    expect(filesUnder(root).bytes('huge')).toHaveLength(65_536);
  });

  it.each([
    [0, '', true],
    [3, 'abc', true],
    [4, 'abcd', false],
    [9, 'abcd', false],
  ])('reads at most 4 bytes of a file of %d', (length, text, whole) => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'f'), 'abcdefghi'.slice(0, length));
    expect(filesUnder(root).head('f', 4)).toEqual({ text, whole });
    expect(filesUnder(root).head('x', 4)).toBeNull();
  });

  it('gives the end of a file that is shorter than asked for as it is', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'f'), 'abc');
    expect([0, 1, 3, 9].map((bytes) => filesUnder(root).tail('f', bytes))).toEqual(['', 'c', 'abc', 'abc']);
  });

  it('tells owner, size and time of change, and where a link leads', () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'f'), '12345');
    utimesSync(join(root, 'f'), 1000, 2000);
    symlinkSync('somewhere', join(root, 'l'));
    expect(filesUnder(root).stat('f')).toEqual({
      uid: process.getuid?.() ?? -1,
      bytes: 5,
      changedMs: 2_000_000,
      inode: expect.any(Number),
    });
    expect([filesUnder(root).link('l'), filesUnder(root).link('f')]).toEqual(['somewhere', null]);
    expect(filesUnder(`${root}/`).list('').toSorted()).toEqual(['f', 'l']);
  });

  it('a folder in the place of a file is an error that says so, or nothing', () => {
    const root = temporaryFolder();
    expect(() => filesUnder(root).text('')).toThrow('EISDIR');
    expect([filesUnder(root).optional(''), filesUnder(root).tail('', 5)]).toEqual([null, null]);
  });
});
