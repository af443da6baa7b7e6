import { afterEach, describe, expect, it } from 'vitest';
import { chosenZone, clockTime, day, dayAndTime, fullMoment, zoneName, zoneOffsetSeconds } from './zone.ts';

const MOMENT = Date.parse('2026-11-19T21:08:14Z');

describe('moments in the chosen zone', () => {
  afterEach(() => chosenZone.set(null));

  it('writes UTC', () => {
    chosenZone.set('UTC');
    expect(clockTime(MOMENT)).toBe('21:08');
    expect(dayAndTime(MOMENT)).toBe('19 Nov 21:08');
    expect(day(MOMENT)).toBe('19 Nov 2026');
    expect(zoneName(MOMENT)).toBe('UTC');
    expect(zoneOffsetSeconds(MOMENT)).toBe(0);
  });

  it('follows a chosen zone', () => {
    chosenZone.set('Asia/Kolkata');
    expect(clockTime(MOMENT)).toBe('02:38');
    expect(zoneOffsetSeconds(MOMENT)).toBe(19_800);
  });

  it('says Unknown for what is no moment', () => {
    expect([clockTime(Number.NaN), fullMoment(Number.POSITIVE_INFINITY)]).toEqual(['Unknown', 'Unknown']);
  });
});
