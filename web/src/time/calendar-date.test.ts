import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { dateWords, shortDateWords } from './calendar-date.ts';
import { chosenZone } from './zone.ts';

afterAll(() => chosenZone.set(null));

/** The outermost zones, and one on each side of UTC. */
const ZONES = ['Pacific/Pago_Pago', 'America/New_York', 'UTC', 'Pacific/Auckland', 'Pacific/Kiritimati'];

describe('a date of the API', () => {
  it.each(ZONES)('is the same day for a viewer in %s', (zone) => {
    chosenZone.set(zone);
    expect(dateWords('2027-01-12')).toBe('12 Jan 2027');
    expect(shortDateWords('2026-12-31')).toBe('31 Dec');
  });

  it('keeps its day in every zone, on the days when clocks change too', () => {
    const start = Date.UTC(2026, 0, 1);
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 1500 }), (zone, days) => {
        chosenZone.set(zone);
        const date = new Date(start + days * 86_400_000).toISOString().slice(0, 'yyyy-mm-dd'.length);
        expect(dateWords(date).split(' ')[0]).toBe(String(Number(date.slice(-2))));
        expect(dateWords(date)).toBe(`${shortDateWords(date)} ${date.slice(0, 4)}`);
      }),
    );
  });

  it('that is none stays as it is, so that no reader sees "Invalid Date"', () => {
    expect([dateWords('soon'), shortDateWords('2027-13-45')]).toEqual(['soon', '2027-13-45']);
    expect([dateWords(null), shortDateWords(null)]).toEqual(['', '']);
  });
});
