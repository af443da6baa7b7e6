import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { chosenMoment, chosenRange, momentOf, momentText } from './moment-input.ts';
import { chosenZone } from './zone.ts';

afterEach(() => chosenZone.set(null));

describe('moments as inputs', () => {
  it('are said in the chosen zone', () => {
    chosenZone.set('Asia/Kolkata');
    expect(momentText(0)).toBe('1970-01-01T05:30');
    expect(momentOf('1970-01-01T05:30')).toBe(0);
    expect(momentOf('')).toBeNull();
  });

  it.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])('come back in %s', (zone) => {
    chosenZone.set(zone);
    fc.assert(
      fc.property(fc.integer({ min: 20_000_000, max: 30_000_000 }), (minute) => {
        // The hour a clock is put back over has two moments for one text: the text comes back all the same.
        const text = momentText(minute * 60);
        expect(momentText(momentOf(text) ?? Number.NaN)).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

describe('chosenRange', () => {
  const now = Date.parse('2026-11-19T21:00:00Z');
  it('is the stretch between the two', () => {
    chosenZone.set('UTC');
    expect(chosenRange('2026-11-19T08:00', '2026-11-19T09:00', now).range).toEqual({
      kind: 'absolute',
      from: Date.parse('2026-11-19T08:00:00Z') / 1000,
      to: Date.parse('2026-11-19T09:00:00Z') / 1000,
    });
  });

  it.each([
    ['', '2026-11-19T09:00', 'Must have a start and an end. Enter both.'],
    ['2026-11-19T09:00', '2026-11-19T09:00', 'at least one minute'],
    ['2026-11-20T09:00', '2026-11-20T10:00', 'in the past'],
    ['2025-01-01T00:00', '2026-11-01T00:00', 'at most 365 days'],
  ])('says what is wrong with %s to %s', (from, to, words) => {
    chosenZone.set('UTC');
    expect(chosenRange(from, to, now).problem).toContain(words);
  });
});

describe('the bounds of chosenRange', () => {
  const now = Date.parse('2026-11-19T21:00:00Z');
  it.each([
    ['2026-11-19T08:00', '2026-11-19T08:01', 'it is good'],
    ['2026-11-19T21:00', '2026-11-19T21:01', 'it is good'],
    ['2026-11-19T21:01', '2026-11-19T21:02', 'in the past'],
    ['2025-11-19T21:00', '2026-11-19T21:00', 'it is good'],
    ['2025-11-19T20:59', '2026-11-19T21:00', 'at most 365 days'],
  ])('%s to %s: %s', (from, to, words) => {
    chosenZone.set('UTC');
    expect(chosenRange(from, to, now).problem ?? 'it is good').toContain(words);
  });
  it.each([
    ['2026-11-19T21:00', null],
    ['2026-11-05T21:00', null],
    ['2026-11-05T20:59', 'Must be in the last 14 days. Choose a later time.'],
  ])('a moment at %s: %s', (text, problem) => {
    chosenZone.set('UTC');
    expect(chosenMoment(text, now, 14).problem).toBe(problem);
  });
});

describe('chosenMoment', () => {
  const now = Date.parse('2026-11-19T21:00:00Z');
  it.each([
    ['', 'Must be a day and a time. Enter both.'],
    ['2026-11-19T21:01', 'Must be in the past. Choose an earlier time.'],
    ['2026-11-05T20:59', 'Must be in the last 14 days. Choose a later time.'],
  ])('says what is wrong with %s', (text, problem) => {
    chosenZone.set('UTC');
    expect(chosenMoment(text, now, 14)).toEqual({ at: null, problem });
  });

  it('is a minute in the chosen zone', () => {
    chosenZone.set('Asia/Tokyo');
    expect(chosenMoment('2026-11-20T03:12', now, 14).at).toBe(Date.parse('2026-11-19T18:12:00Z') / 1000);
    chosenZone.set('UTC');
  });
});
