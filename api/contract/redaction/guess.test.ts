import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelOf } from './guess.ts';
import { redactCommand } from './redact.ts';
import { redactText } from './text.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'.split('');
const token = fc
  .array(fc.constantFrom(...ALPHABET), { minLength: 24, maxLength: 24 })
  .map((characters) => characters.join(''));

describe('levelOf', () => {
  it.each([
    ['kX9tQmPz4LrVb7', 3],
    ['tQ9mPz4LrVb2NcWsYd7X', 3],
    ['x7kq9mznp3ykrcwb5tdj1ufhoe', 3],
    ['6f2c8ab41d7e90b35c4d8812aa07f3e9', 2],
    ['4b1f0c9e-77d2-4e0a-9f3b-0d2c6a81e5f7', 2],
    ['Pf1ffig&Klein', 2],
    ['Ahorn7blatt', 2],
    ['AB12-CD34-EF56-GH78', 2],
    ['hunter2', 1],
    ['web01', 1],
  ])('of %s is %i', (text, level) => {
    expect(levelOf(text)).toBe(level);
  });

  it.each([
    '2026-11-20T10:15:00Z',
    'v1.31.2+k3s1',
    '10.0.0.7:51822',
    'cart-7c9d8f6b54-x2l9q',
    '/var/lib/postgresql/16/main',
    'https://example.com/a1B2c3',
    'ops@example.com',
    'AuthenticationService',
    'org.elasticsearch.bootstrap.Elasticsearch',
    'java-17-openjdk-amd64',
    'sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ',
    '${HOME}/x1',
    '[redacted]',
  ])('of %s is 0', (text) => {
    expect(levelOf(text)).toBe(0);
  });

  it('of 24 random letters and digits is 3, with at most 4 exceptions of 100', () => {
    const levels = fc.sample(token, { numRuns: 1000, seed: 4 }).map(levelOf);
    expect(levels.filter((level) => level < 3).length).toBeLessThanOrEqual(40);
  });
});

describe('a generated token', () => {
  const likely = token.filter((text) => levelOf(text) === 3);

  it.each([
    ['as an argument', redactCommand, (text: string) => `python3 send.py ops@example.com ${text} hello`],
    ['in the path of a URL', redactCommand, (text: string) => `curl https://h.example/a/${text}/b`],
    ['in a message', redactText, (text: string) => `GET /x/${text}/b HTTP/1.1`],
    ['in a field', redactText, (text: string) => `{"value":"${text}"}`],
  ])('is hidden %s', (_place, redact, lineOf) => {
    fc.assert(
      fc.property(likely, (text) => {
        expect(redact(lineOf(text))).toBe(lineOf('[redacted]'));
      }),
    );
  });
});
