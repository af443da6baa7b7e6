import { describe, expect, it } from 'vitest';
import { CHUNK_BYTES, MAGIC, openContainer, prepareSeal, sealContent } from './container.ts';

const ABOUT = { plimsoll: '0.1.0', createdAt: '2026-11-24T03:15:00.000Z' };
/** The real cost takes most of a second, and these tests derive hundreds of keys. */
const CHEAP = { N: 1024, r: 8, p: 1 };
const PASSPHRASE = 'correct horse battery';
const CONTENT = Buffer.alloc(CHUNK_BYTES * 2 + 1000, 'plimsoll ');

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const collect = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
};
const seal = async (content: Buffer, passphrase: string | null, pieces = 10_000): Promise<Buffer> =>
  collect(sealContent(inPieces(content, pieces), await prepareSeal(ABOUT, passphrase, CHEAP)));
const open = async (file: Buffer, passphrase: string | null, pieces = 7777): Promise<Buffer> => {
  const { content } = await openContainer(inPieces(file, pieces), passphrase);
  return collect(content);
};
const codeOf = async (file: Buffer, passphrase: string | null = null): Promise<unknown> =>
  open(file, passphrase).then(
    () => 'opened',
    (error: unknown) => (error as { code?: unknown }).code,
  );
const flipped = (file: Buffer, at: number, bit = 1): Buffer => {
  const changed = Buffer.from(file);
  changed[at] = (changed[at] ?? 0) ^ bit;
  return changed;
};
const headLength = (file: Buffer): number => file.indexOf('\n', MAGIC.length) + 1;

describe.each([
  ['without encryption', null],
  ['encrypted', PASSPHRASE],
])('a container %s', (_, passphrase) => {
  it.each([0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, CONTENT.length])('returns %i bytes as they were', async (size) => {
    const content = CONTENT.subarray(0, size);
    expect((await open(await seal(content, passphrase), passphrase)).equals(content)).toBe(true);
  });

  it('finds where it was cut off, also between two chunks', async () => {
    const file = await seal(CONTENT, passphrase);
    const chunk = 4 + CHUNK_BYTES + (passphrase === null ? 32 : 16);
    const head = headLength(file);
    for (const length of [
      head - 1,
      head,
      head + 2,
      head + chunk,
      head + 2 * chunk,
      head + 2 * chunk + 4,
      file.length - 1,
    ])
      expect([length, await codeOf(file.subarray(0, length), passphrase)]).toEqual([length, 'truncated']);
  });

  it('finds one changed bit anywhere behind the first line', async () => {
    const file = await seal(CONTENT.subarray(0, 3000), passphrase);
    for (let at = MAGIC.length; at < file.length; at += 7)
      expect([at, await codeOf(flipped(file, at, 1 << (at % 8)), passphrase)]).not.toEqual([at, 'opened']);
  });

  it('finds chunks in another order and bytes after the end', async () => {
    const file = await seal(CONTENT, passphrase);
    const head = headLength(file);
    const chunk = 4 + CHUNK_BYTES + (passphrase === null ? 32 : 16);
    const [first, second] = [file.subarray(head, head + chunk), file.subarray(head + chunk, head + 2 * chunk)];
    const moved = Buffer.concat([file.subarray(0, head), second, first, file.subarray(head + 2 * chunk)]);
    expect(await codeOf(moved, passphrase)).toBe('damaged');
    expect(await codeOf(Buffer.concat([file, Buffer.from('x')]), passphrase)).toBe('damaged');
  });
});

describe('an encrypted container', () => {
  it('shows nothing of its content', async () => {
    const file = await seal(CONTENT, PASSPHRASE);
    expect(file.subarray(headLength(file)).includes('plimsoll')).toBe(false);
    expect((await seal(CONTENT, PASSPHRASE)).equals(file)).toBe(false);
  });

  it('names a missing and a wrong passphrase', async () => {
    const file = await seal(CONTENT, PASSPHRASE);
    expect(await codeOf(file)).toBe('passphrase_missing');
    expect(await codeOf(file, `${PASSPHRASE}!`)).toBe('passphrase_wrong');
  });

  it('rejects a header whose key derivation would take all memory', async () => {
    const file = await seal(Buffer.from('x'), PASSPHRASE);
    const greedy = Buffer.from(file.toString('latin1').replace('"N":1024', '"N":4194304'), 'latin1');
    expect(await codeOf(greedy, PASSPHRASE)).toBe('damaged');
  });
});

describe('a file of something else', () => {
  it.each([
    ['not_a_backup', 'PGDMP and more'],
    ['not_a_backup', ''],
    ['damaged', `${MAGIC}no json\n`],
    ['unsupported', `${MAGIC}{"format":2}\n`],
  ])('is %s', async (code, text) => {
    expect(await codeOf(Buffer.from(text))).toBe(code);
  });
});
