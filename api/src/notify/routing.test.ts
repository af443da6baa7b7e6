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
