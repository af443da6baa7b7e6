import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { gunzip, gzip, readCapped } from './gzip.ts';

const TEXT = JSON.stringify({ name: 'Überlauf', values: Array.from({ length: 500 }, (_, index) => index) });

it('packs the same text with the web streams and with the shipped runtime’s own call', async () => {
  const bun = { gzipSync: (text: string) => new Uint8Array(gzipSync(text)) };
  for (const packed of [await gzip(TEXT), await gzip(TEXT, bun)]) {
    expect(gunzipSync(packed).toString()).toBe(TEXT);
    expect(await gunzip(packed, 10_000)).toBe(TEXT);
  }
});

it('unpacks with the shipped runtime’s own call, and asks the packed text for its length first', async () => {
  const bun = { gunzipSync: (bytes: Uint8Array) => new Uint8Array(gunzipSync(bytes)) };
  const packed = new Uint8Array(gzipSync(TEXT));
  expect(await gunzip(packed, 10_000, bun)).toBe(TEXT);
  await expect(gunzip(packed, TEXT.length, bun)).rejects.toThrow(`more than ${TEXT.length} bytes`);
  await expect(gunzip(packed.slice(0, 7), 10_000, bun)).rejects.toThrow('unexpected end of file');
  const amidOthers = new Uint8Array([1, 2, 3, ...packed]).subarray(3);
  expect(await gunzip(amidOthers, 10_000, bun)).toBe(TEXT);
});

it('unpacks no more than the limit, and refuses what is damaged', async () => {
  const packed = await gzip('a'.repeat(100_000));
  await expect(gunzip(packed, 99_999)).rejects.toThrow('more than 99999 bytes');
  await expect(gunzip(packed.slice(0, -9), 200_000)).rejects.toThrow(TypeError);
  await expect(readCapped(new Blob(['abc']).stream(), 2)).rejects.toThrow('more than 2 bytes');
});
