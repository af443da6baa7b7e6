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

it('unpacks no more than the limit, and refuses what is damaged', async () => {
  const packed = await gzip('a'.repeat(100_000));
  await expect(gunzip(packed, 99_999)).rejects.toThrow('more than 99999 bytes');
  await expect(gunzip(packed.slice(0, -9), 200_000)).rejects.toThrow(TypeError);
  await expect(readCapped(new Blob(['abc']).stream(), 2)).rejects.toThrow('more than 2 bytes');
});
