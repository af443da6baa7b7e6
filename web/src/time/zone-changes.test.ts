import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { momentOf, momentText } from './moment-input.ts';
import {
  chosenZone,
  clockSeconds,
  clockTime,
  dayAndTime,
  fullMoment,
  shortDay,
  zoneName,
  zoneOffsetSeconds,
} from './zone.ts';

const HOUR = 3_600_000;
const at = (iso: string) => Date.parse(iso);

afterEach(() => chosenZone.set(null));

describe('the night a clock is put forward', () => {
  // Berlin, 29 March 2026: 01:59:59 CET is followed by 03:00:00 CEST.
  const change = at('2026-03-29T01:00:00Z');

  it('jumps over an hour and names the zone on either side', () => {
    chosenZone.set('Europe/Berlin');
    expect([clockSeconds(change - 1000), clockSeconds(change)]).toEqual(['01:59:59', '03:00:00']);
    expect([zoneOffsetSeconds(change - 1000), zoneOffsetSeconds(change)]).toEqual([3600, 7200]);
    expect(fullMoment(change - 1000)).toContain('CET');
    expect(fullMoment(change)).toContain('CEST');
  });

  it('takes what nobody’s clock showed for a moment beside it', () => {
    chosenZone.set('Europe/Berlin');
    const read = (momentOf('2026-03-29T02:30') ?? 0) * 1000;
    expect(Math.abs(read - change)).toBeLessThanOrEqual(HOUR);
  });
});

describe('the night a clock is put back', () => {
  // New York, 1 November 2026: 01:30 comes twice.
  const first = at('2026-11-01T05:30:00Z');

  it('says which of the two it was', () => {
    chosenZone.set('America/New_York');
    expect(clockTime(first)).toBe(clockTime(first + HOUR));
    expect(zoneName(first)).not.toBe(zoneName(first + HOUR));
    expect(fullMoment(first)).not.toBe(fullMoment(first + HOUR));
    expect(zoneOffsetSeconds(first) - zoneOffsetSeconds(first + HOUR)).toBe(3600);
  });

  it('reads the text as one of the two', () => {
    chosenZone.set('America/New_York');
    expect([first / 1000, (first + HOUR) / 1000]).toContain(momentOf('2026-11-01T01:30'));
  });
});

it('knows a change of half an hour', () => {
  chosenZone.set('Australia/Lord_Howe');
  expect(zoneOffsetSeconds(at('2026-01-15T00:00:00Z'))).toBe(11 * 3600);
  expect(zoneOffsetSeconds(at('2026-07-15T00:00:00Z'))).toBe(10.5 * 3600);
});

it('puts a moment on the day of the zone, not of UTC', () => {
  const midnight = at('2026-12-31T23:30:00Z');
  chosenZone.set('UTC');
  expect(dayAndTime(midnight)).toBe('31 Dec 23:30');
  chosenZone.set('Asia/Tokyo');
  expect(shortDay(midnight)).toBe('1 Jan');
  chosenZone.set('Pacific/Honolulu');
  expect(dayAndTime(midnight)).toBe('31 Dec 13:30');
});

it('changes what every formatter says when the zone is chosen anew', () => {
  const noon = at('2026-06-01T12:00:00Z');
  const said = ['UTC', 'Asia/Kathmandu', 'America/St_Johns'].map((zone) => {
    chosenZone.set(zone);
    return [clockTime(noon), clockSeconds(noon), dayAndTime(noon), fullMoment(noon), momentText(noon / 1000)];
  });
  expect(said.map(([clock]) => clock)).toEqual(['12:00', '17:45', '09:30']);
  for (const column of [0, 1, 2, 3, 4]) expect(new Set(said.map((row) => row[column])).size).toBe(3);
});

it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'Africa/Casablanca'])(
  'is as far from UTC in %s as the zone can be, at any moment',
  (zone) => {
    chosenZone.set(zone);
    fc.assert(
      fc.property(fc.integer({ min: at('2000-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') }), (ms) => {
        const offset = zoneOffsetSeconds(ms);
        expect(Number.isInteger(offset / 900)).toBe(true);
        expect(Math.abs(offset)).toBeLessThanOrEqual(14 * 3600);
        const utcMinutes = Math.floor(ms / 60_000);
        const local = new Date((utcMinutes * 60 + offset) * 1000).toISOString().slice(11, 16);
        expect(clockTime(ms)).toBe(local);
      }),
      { numRuns: 100 },
    );
  },
);
