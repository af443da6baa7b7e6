import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { inflateBody, inflatedBytes } from './inflate.ts';

const streamOf = (bytes: Uint8Array, chunk = 1000): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunk) controller.enqueue(bytes.slice(at, at + chunk));
      controller.close();
    },
  });
const MiB = 1024 * 1024;
const noise = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 251));

test.each([
  ['a small body', 5000],
  ['one that inflates to much', 2 * MiB],
  ['an empty one', 0],
])('%s comes out as it went in', async (_name, length) => {
  const body = noise(length);
  expect((await inflateBody(streamOf(gzipSync(body)), 'gzip')).equals(body)).toBe(true);
  expect((await inflateBody(streamOf(body.subarray(0, MiB)), null)).equals(body.subarray(0, MiB))).toBe(true);
});

test('a bomb stops at the inflated limit, whatever its size on the wire', async () => {
  const bomb = gzipSync(Buffer.alloc(40 * MiB));
  expect(bomb.length).toBeGreaterThan(32 * 1024);
  for (const body of [bomb, gzipSync(Buffer.alloc(9 * MiB))]) {
    await expect(inflateBody(streamOf(body), 'gzip')).rejects.toMatchObject({ code: 'body_too_large' });
  }
});

test('a small limit of the caller holds for a small body too', async () => {
  const limits = { wireBytes: 1000, inflatedBytes: 2000 };
  await expect(inflateBody(streamOf(gzipSync(Buffer.alloc(3000))), 'gzip', limits)).rejects.toMatchObject({
    code: 'body_too_large',
  });
});

test('too much on the wire is refused before it is inflated', async () => {
  await expect(inflateBody(streamOf(Buffer.alloc(MiB + 1)), 'gzip')).rejects.toMatchObject({ code: 'body_too_large' });
});

test('what is no gzip, or is cut off, is named so', async () => {
  const whole = gzipSync(noise(5000));
  for (const body of [Buffer.from('plain'), whole.subarray(0, whole.length - 9)]) {
    await expect(inflateBody(streamOf(body), 'gzip')).rejects.toMatchObject({ code: 'invalid_gzip' });
  }
  await expect(inflateBody(streamOf(whole), 'br')).rejects.toMatchObject({ code: 'unsupported_media_type' });
});

test('a body of exactly the limits is taken, as a stream and in one piece; one byte more is not', async () => {
  const limits = { wireBytes: 1000, inflatedBytes: 1000 };
  const bytes = noise(1001);
  const inOnePiece = (body: Buffer) => () => Promise.resolve(Uint8Array.from(body).buffer);
  const [full, over] = [bytes.subarray(0, 1000), bytes];
  for (const [body, tooLong] of [
    [streamOf(full), streamOf(over)],
    [inOnePiece(full), inOnePiece(over)],
  ] as const) {
    expect((await inflateBody(body, 'identity', limits)).equals(full)).toBe(true);
    await expect(inflateBody(tooLong, 'identity', limits)).rejects.toMatchObject({ code: 'body_too_large' });
  }
  expect((await inflateBody(streamOf(gzipSync(full)), 'gzip', { ...limits, wireBytes: 5000 })).equals(full)).toBe(true);
  const inflates = inflateBody(streamOf(gzipSync(over)), 'gzip', { ...limits, wireBytes: 5000 });
  await expect(inflates).rejects.toMatchObject({ code: 'body_too_large' });
});

test('the inflated size is told by the end of what is packed, and by the length of what is not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 900 }), (bytes) => {
      expect(inflatedBytes(gzipSync(bytes), true, 1000)).toBe(bytes.length);
      expect(inflatedBytes(Buffer.from(bytes), false, 1000)).toBe(bytes.length);
    }),
  );
});

test('the inflated size is no more than may be inflated, whatever the end says', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 900 }), (bytes) => {
      expect(inflatedBytes(Buffer.from(bytes), true, 1000)).toBeLessThanOrEqual(1000);
    }),
  );
});
