import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';
import { LONGEST_TIMER_MS, timerMs } from './timer.ts';

const nowMs = Date.UTC(2026, 9, 21, 7, 28);
const parse = (text: string | null | undefined): number | null => retryAfterSeconds(text, { nowMs, mostSeconds: 60 });

test.each([
  ['5', 5],
  [' 5 ', 5],
  ['1.5', 1.5],
  ['0', 0],
  ['3600', 60],
  ['1000000000000', 60],
  ['9'.repeat(400), 60],
  ['1e12', null],
  ['0x10', null],
  ['-3', null],
  ['NaN', null],
  ['Infinity', null],
  ['', null],
  ['soon', null],
  ['5, 7', null],
  [null, null],
  [undefined, null],
  ['Wed, 21 Oct 2026 07:28:07 GMT', 7],
  ['Wednesday, 21-Oct-26 07:28:07 GMT', 7],
  ['Wed Oct 21 07:28:07 2026 GMT', 7],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 60],
  ['Fri, 99 Nov 9999 99:99:99 GMT', null],
  ['Mon, nothing that is a date', null],
])('Retry-After %j is %s s', (text, seconds) => {
  expect(parse(text)).toBe(seconds);
});

const date = fc.date({ noInvalidDate: true }).map((day) => day.toUTCString());
const header = fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String), date);

test('no header whatever exceeds the limit, is negative or is not a number', () => {
  fc.assert(
    fc.property(header, fc.nat(86_400), (text, mostSeconds) => {
      const seconds = retryAfterSeconds(text, { nowMs, mostSeconds });
      expect(seconds === null || (seconds >= 0 && seconds <= mostSeconds)).toBe(true);
    }),
  );
});

test('no timer is longer than Node allows, and only one of no length fires at once', () => {
  expect(timerMs(2 ** 31)).toBe(LONGEST_TIMER_MS);
  expect(timerMs(Infinity)).toBe(LONGEST_TIMER_MS);
  fc.assert(
    fc.property(fc.double(), (ms) => {
      const length = timerMs(ms);
      expect(length >= 0 && length <= LONGEST_TIMER_MS).toBe(true);
      expect(length === 0).toBe(ms <= 0);
      const isKept = ms > 0 && ms <= LONGEST_TIMER_MS;
      expect(!isKept || length === ms).toBe(true);
    }),
  );
});
