import { APICallError } from 'ai';
import { expect, test } from 'vitest';
import { EgressError } from '../egress.ts';
import { failureOf } from './model-failure.ts';

const answered = (statusCode: number, more: object = {}): APICallError =>
  new APICallError({ message: 'key sk-canary', url: 'https://m.example', requestBodyValues: {}, statusCode, ...more });
const wordsOf = (error: unknown): string => {
  const { message, remedy } = failureOf(error, 'panel');
  return `${message}. ${remedy ?? ''}`;
};

test.each([
  [answered(429), 'The provider limits the rate of questions. Wait a minute and repeat the question.'],
  [answered(429, { responseHeaders: { 'retry-after': '20' } }), 'Wait 20 s and repeat'],
  [answered(429, { responseHeaders: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } }), 'Wait a minute'],
  [answered(429, { responseBody: '{"error":{"code":"insufficient_quota"}}' }), 'The quota of the API key is used up'],
  [answered(529), 'The provider answered with status 529'],
  [{ message: 'sk-canary', type: 'rate_limit_error', code: null }, 'limits the rate of questions'],
  [{ message: 'sk-canary', code: 429 }, 'limits the rate of questions'],
  [{ message: 'sk-canary', code: 'insufficient_quota' }, 'quota'],
  [{ message: 'sk-canary', type: 'overloaded_error' }, 'overloaded'],
  [{ message: 'sk-canary', code: 503 }, 'overloaded'],
  [new TypeError('terminated'), 'The answer of the model broke off'],
  [new Error('x', { cause: new EgressError('no answer in time') }), 'not reachable: no answer in time'],
  [{ message: 'sk-canary' }, 'broke off'],
  [null, 'broke off'],
])('%o has words of its own, without those of the provider', (error, words) => {
  expect(wordsOf(error)).toContain(words);
  expect(wordsOf(error)).not.toContain('canary');
});
