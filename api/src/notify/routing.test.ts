import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quietUntil } from './routing.ts';

const night = (timeZone: string) => ({ from: '22:00', to: '07:00', timeZone, criticalPasses: true });
const at = (text: string): number => Date.parse(text);

test.each([
  ['2026-02-01T21:59:00Z', null],
  ['2026-02-01T22:00:00Z', '2026-02-02T07:00:00Z'],
  ['2026-02-02T03:30:30Z', '2026-02-02T07:00:00Z'],
  ['2026-02-02T07:00:00Z', null],
])('quiet hours over midnight at %s end at %s', (now, until) => {
  expect(quietUntil(night('UTC'), at(now))).toBe(until === null ? null : at(until));
});

test('quiet hours follow the clock of their zone, also in the night it changes', () => {
  const berlin = night('Europe/Berlin');
  expect(quietUntil(berlin, at('2026-03-28T21:30:00Z'))).toBe(at('2026-03-29T05:00:00Z'));
  expect(quietUntil(berlin, at('2026-10-24T20:30:00Z'))).toBe(at('2026-10-25T06:00:00Z'));
});

test.each([
  ['2026-02-01T11:59:59.999Z', null],
  ['2026-02-01T12:00:00Z', '2026-02-01T14:00:00Z'],
  ['2026-02-01T13:59:59.999Z', '2026-02-01T14:00:00Z'],
  ['2026-02-01T14:00:00Z', null],
  ['2026-02-01T14:00:59Z', null],
])('quiet hours within a day at %s end at %s', (now, until) => {
  const midday = { from: '12:00', to: '14:00', timeZone: 'UTC', criticalPasses: true };
  expect(quietUntil(midday, at(now))).toBe(until === null ? null : at(until));
});

test('quiet hours over midnight begin and end to the minute', () => {
  expect(quietUntil(night('UTC'), at('2026-02-02T06:59:59.999Z'))).toBe(at('2026-02-02T07:00:00Z'));
  expect(quietUntil(night('UTC'), at('2026-02-02T07:00:59Z'))).toBeNull();
  expect(quietUntil(night('UTC'), at('2026-02-01T21:59:59.999Z'))).toBeNull();
  expect(quietUntil(night('UTC'), at('2026-02-02T00:00:00Z'))).toBe(at('2026-02-02T07:00:00Z'));
});

test('quiet hours end at their last minute, however long they are', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const text = (of: number): string =>
    `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
  fc.assert(
    fc.property(minute, minute, fc.integer({ min: 0, max: 86_399_999 }), (from, to, ms) => {
      fc.pre(from !== to);
      const day = at('2026-02-02T00:00:00Z');
      const now = day + ms;
      const hours = { from: text(from), to: text(to), timeZone: 'UTC', criticalPasses: false };
      const length = ((to - from + 1440) % 1440) * 60_000;
      const since = (ms - from * 60_000 + 86_400_000) % 86_400_000;
      expect(quietUntil(hours, now)).toBe(since < length ? now - since + length : null);
    }),
  );
});
