import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failed, status } from '../testing/fake-api.ts';
import { codeOf, judge, type Verdict } from './verdict.ts';

const settled = {
  ack: { upto: 3, also: [5] },
  rejected: [],
  server_time: 1_795_000_000,
  next: { interval: 60, delay: 0 },
  config_rev: 0,
};
/** The table of the protocol: every status that is not named is a failure that passes. */
const TABLE: Record<number, Verdict['do']> = {
  200: 'settle',
  207: 'settle',
  400: 'halve',
  401: 'unauthorized',
  403: 'unauthorized',
  409: 'renew',
  410: 'gone',
  413: 'halve',
  415: 'unspoken',
  422: 'halve',
  426: 'unspoken',
  429: 'wait',
  503: 'wait',
};
const STATUSES = Array.from({ length: 400 }, (_, index) => index + 200);

describe('judge', () => {
  it.each(Object.entries(TABLE))('%s → %s', (code, what) => {
    expect(judge(status(Number(code), settled)).do).toBe(what);
  });

  it('takes every other status for a failure that passes: nothing is lost by one that is new', () => {
    const others = STATUSES.filter((code) => !(code in TABLE));
    expect(others.length).toBe(400 - Object.keys(TABLE).length);
    for (const code of others) expect(judge(status(code, settled))).toEqual({ do: 'retry', code: `http_${code}` });
  });

  it('ends the collector for 410 alone, and throws a report away for no other status', () => {
    const ends = STATUSES.filter((code) => judge(status(code)).do === 'gone');
    const halves = STATUSES.filter((code) => judge(status(code)).do === 'halve');
    expect([ends, halves]).toEqual([[410], [400, 413, 422]]);
  });

  it('hands the answer on as it came', () => {
    expect(judge(status(200, settled))).toEqual({ do: 'settle', answer: settled });
  });

  it.each([null, 0, 7, 30, 3600])('a server that asks for %s s is given them', (seconds) => {
    for (const code of [429, 503]) {
      expect(judge(status(code, { code: 'busy' }, seconds))).toEqual({
        do: 'wait',
        code: 'busy',
        seconds: seconds ?? 30,
      });
    }
  });

  it.each(['ECONNREFUSED', 'timeout', 'redirected', 'answer_too_large'])('no answer (%s) is tried again', (code) => {
    expect(judge(failed(code))).toEqual({ do: 'retry', code });
  });

  it.each([
    ['nothing', null],
    ['a text', 'ok'],
    ['a list', []],
    ['no ack', { ...settled, ack: undefined }],
    ['an ack of text', { ...settled, ack: { upto: '3', also: [] } }],
    ['an ack without a list', { ...settled, ack: { upto: 3 } }],
    ['no list of refused ones', { ...settled, rejected: null }],
    ['no time', { ...settled, server_time: '2026-01-01' }],
    ['no interval', { ...settled, next: { delay: 0 } }],
    ['no delay', { ...settled, next: { interval: 60 } }],
  ])('a success that says %s settles nothing', (_what, body) => {
    for (const code of [200, 207]) {
      expect(judge(status(code, body))).toEqual({ do: 'retry', code: 'answer_unreadable' });
    }
  });

  it('never throws, whatever the answer is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), fc.jsonValue(), (code, body) => {
        const verdict = judge(status(code, body));
        expect(verdict.do === 'settle' || verdict.code.length <= 40).toBe(true);
      }),
    );
  });
});

it.each([
  [{ code: 'server_deleted' }, 'server_deleted'],
  [{ code: 'x'.repeat(500) }, 'x'.repeat(40)],
  [{ code: 7 }, 'http_418'],
  [{}, 'http_418'],
  [null, 'http_418'],
  ['text', 'http_418'],
])('the code of %j is %s', (body, code) => {
  expect(codeOf(status(418, body) as Parameters<typeof codeOf>[0])).toBe(code);
});
