import { probeRequest } from '@plimsoll/contract/wire/checks/checks';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpRequestOf, readHeaders, requestDraftOf, requestProblems, sendsSecrets } from './request-draft.ts';

const HTTP = probeRequest.parse({ kind: 'http', url: 'https://shop.example/', method: 'POST', ip_version: '6' });
const NONE = { header_names: [], has_body: false };

test('stored headers and a stored body stay, because the request leaves them out', () => {
  const stored = { header_names: ['authorization'], has_body: true };
  const draft = requestDraftOf(HTTP, stored);
  expect(draft).toMatchObject({ method: 'POST', ipVersion: '6', headers: null, body: null });
  const kept = { method: 'POST', follow_redirects: true, ignore_certificate: false };
  expect(httpRequestOf(draft, stored)).toEqual(kept);
  // Nothing is stored, and nothing is written.
  expect(httpRequestOf(requestDraftOf(HTTP, NONE), NONE)).toEqual(kept);
  expect(sendsSecrets(draft)).toBe(true);
});

test('an emptied field removes what is stored, a written one replaces it', () => {
  const draft = { ...requestDraftOf(HTTP, NONE), headers: '', body: '' };
  expect(httpRequestOf(draft, { header_names: ['authorization'], has_body: true })).toMatchObject({
    headers: {},
    body: null,
  });
  expect(sendsSecrets(draft)).toBe(false);
  const written = { ...draft, headers: 'Accept: text/plain\n\nX-Key:  a:b ', body: '{"q":1}' };
  expect(httpRequestOf(written, NONE)).toMatchObject({
    headers: { accept: 'text/plain', 'x-key': 'a:b' },
    body: '{"q":1}',
  });
  expect(sendsSecrets(written)).toBe(true);
});

test.each(['accept', 'a b: c', ': x', 'accept: a\nAccept: b'])('%j is no list of headers', (text) => {
  expect(readHeaders(text)).toBeNull();
  expect(requestProblems({ ...requestDraftOf(HTTP, NONE), headers: text })).toHaveProperty('headers');
});

test('headers that are written are read back, and the API takes them', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
  const value = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/);
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 20 }), (headers) => {
      const text = Object.entries(headers)
        .map(([key, each]) => `${key}: ${each}`)
        .join('\n');
      expect(readHeaders(text)).toEqual({ ...headers });
      expect(probeRequest.safeParse({ kind: 'http', url: 'https://a.example/', headers }).success).toBe(true);
    }),
  );
});
