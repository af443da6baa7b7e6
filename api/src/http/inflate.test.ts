import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { inflateBody, inflatedBytes, Inflater } from './inflate.ts';

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

test('large bodies inflate into one memory, each whole, whatever came before', async () => {
  const inflater = new Inflater(MiB);
  const bodies = [MiB, 0, 65_536, 65_537, 131_072, 5, MiB].map((length, index) =>
    noise(length + index).subarray(index),
  );
  for (const body of bodies) {
    const half = Math.floor(body.length / 2);
    // Two members are one body (RFC 1952).
    const joined = Buffer.concat([gzipSync(body.subarray(0, half)), gzipSync(body.subarray(half))]);
    for (const wire of [gzipSync(body), gzipSync(body, { level: 0 }), joined])
      expect(Buffer.from(await inflater.bodyOf(wire, true)).equals(body)).toBe(true);
    expect(await inflater.bodyOf(body, false)).toBe(body);
  }
});

test('a large body beyond the limit, cut off or broken is refused, and the next one is read', async () => {
  const inflater = new Inflater(MiB);
  const whole = gzipSync(noise(MiB));
  const lying = gzipSync(Buffer.alloc(2 * MiB));
  lying.writeUInt32LE(1, lying.length - 4);
  for (const [wire, code] of [
    [gzipSync(Buffer.alloc(MiB + 1)), 'body_too_large'],
    [gzipSync(Buffer.alloc(40 * MiB)), 'body_too_large'],
    [lying, 'body_too_large'],
    [whole.subarray(0, -9), 'invalid_gzip'],
    [whole.subarray(0, 20), 'invalid_gzip'],
    [Buffer.alloc(0), 'invalid_gzip'],
    [Buffer.from('plain'), 'invalid_gzip'],
  ] as const) {
    await expect(inflater.bodyOf(wire, true)).rejects.toMatchObject({ code });
    expect(Buffer.from(await inflater.bodyOf(whole, true)).equals(noise(MiB))).toBe(true);
  }
});
