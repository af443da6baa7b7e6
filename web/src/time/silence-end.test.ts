import { afterEach, describe, expect, it } from 'vitest';
import { localText, readLocal, tomorrowMorning } from './silence-end.ts';
import { chosenZone } from './zone.ts';

afterEach(() => chosenZone.set(null));

describe('the end of a silence', () => {
  it.each([
    ['UTC', '2026-11-22T23:30:00Z', '2026-11-23T08:00:00Z'],
    ['UTC', '2026-11-22T03:00:00Z', '2026-11-23T08:00:00Z'],
    ['Asia/Tokyo', '2026-11-22T23:30:00Z', '2026-11-23T23:00:00Z'],
    // The clocks of Berlin go back in the night to 25 October.
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T07:00:00Z'],
  ])('in %s at %s is tomorrow at 08:00: %s', (zone, now, end) => {
    chosenZone.set(zone);
    expect(new Date(tomorrowMorning(Date.parse(now))).toISOString()).toBe(new Date(end).toISOString());
  });

  it.each(['UTC', 'Asia/Tokyo', 'America/New_York'])('reads what it writes in %s', (zone) => {
    chosenZone.set(zone);
    const at = Date.parse('2026-11-22T13:45:00Z');
    expect(readLocal(localText(at))).toBe(at);
    expect(readLocal('')).toBeNull();
  });
});
