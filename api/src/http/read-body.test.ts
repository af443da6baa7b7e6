import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBeginning, readBytes, readJson } from './read-body.ts';

const LIMIT = 8;
const post = (body: string | Uint8Array<ArrayBuffer> | null, headers: Record<string, string> = {}): Request =>
  new Request('http://x.example/', { method: 'POST', body, headers });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'read',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );

test.each([
  ['nothing', null, {}, ''],
  ['a body of the limit', '12345678', {}, '12345678'],
  ['a declared body of the limit', '12345678', { 'content-length': '8' }, '12345678'],
])('%s is read', async (_name, body, headers, wanted) => {
  expect((await readBytes(post(body, headers), LIMIT)).toString()).toBe(wanted);
});

test.each([
  ['one byte over the limit', '123456789', {}],
  ['bytes are counted, not letters', 'äääää', {}],
  ['what declares a byte too many, whatever it sends', '1', { 'content-length': '9' }],
])('%s is refused', async (_name, body, headers) => {
  expect(await codeOf(readBytes(post(body, headers), LIMIT))).toBe('body_too_large');
});

test.each([
  ['nothing', null, '', false],
  ['a body of the limit', '12345678', '12345678', false],
  ['a longer body', '123456789', '12345678', true],
])('the beginning of %s is read', async (_name, body, wanted, isCut) => {
  const read = await readBeginning(post(body), LIMIT);
  expect([read.bytes.toString(), read.isCut]).toEqual([wanted, isCut]);
});

test('an endless body is cut, and cancelled a MiB later', async () => {
  let [given, isCancelled] = [0, false];
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given += 1;
      controller.enqueue(new Uint8Array(2 ** 16));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const request = new Request('http://x.example/', { method: 'POST', body: endless, duplex: 'half' });
  expect((await readBeginning(request, LIMIT)).bytes.length).toBe(LIMIT);
  expect([given < 20, isCancelled]).toEqual([true, true]);
});

test('a body over the limit is read no further', async () => {
  let given = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      given += 1;
      controller.enqueue(new Uint8Array(LIMIT));
    },
  });
  const request = new Request('http://x.example/', { method: 'POST', body: endless, duplex: 'half' });
  expect(await codeOf(readBytes(request, LIMIT))).toBe('body_too_large');
  expect(given).toBeLessThan(5);
});

test.each(['gzip', 'GZIP', ' x-gzip'])('JSON in %s is read', async (encoding) => {
  const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
  expect(await readJson(post(new Uint8Array(gzipSync('{"a":1}')), headers))).toEqual({ a: 1 });
});

test.each([
  ['plain JSON', '{"a":1}', 'application/json', 'read'],
  ['with its encoding', '{"a":1}', 'Application/JSON ; charset=UTF-8', 'read'],
  ['with its encoding in quotes', '{"a":1}', 'application/json; charset="utf-8"', 'read'],
  ['another encoding', '{"a":1}', 'application/json; charset=latin1', 'unsupported_media_type'],
  ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'application/json', 'invalid_json'],
  ['as deep as a report', '['.repeat(8) + ']'.repeat(8), 'application/json', 'read'],
  ['one level deeper', '['.repeat(9) + ']'.repeat(9), 'application/json', 'nesting_too_deep'],
  ['60 KB of arrays', '['.repeat(30_000) + ']'.repeat(30_000), 'application/json', 'nesting_too_deep'],
  ['60 KB of objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), 'application/json', 'nesting_too_deep'],
  ['nothing at all', null, 'application/json', 'invalid_json'],
])('JSON: %s', async (_name, body, type, code) => {
  expect(await codeOf(readJson(post(body, { 'content-type': type })))).toBe(code);
});
