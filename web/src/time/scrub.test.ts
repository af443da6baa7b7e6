import { describe, expect, it } from 'vitest';
import { movedMoment, snapAfter, snapMoment, storedStep, trackHours } from './scrub.ts';

const HOUR = 3600;
const DAY = 86_400;
/** On a whole hour. */
const NOW = 1_769_853_600;
const FROM = NOW - DAY;

describe('the stored past', () => {
  it('is a report a minute for a week, then rollups', () => {
    expect([1, 8, 91].map((days) => storedStep(NOW - days * DAY, NOW))).toEqual([60, 300, 3600]);
  });

  it('snaps a moment to the state that was known then, and never into the future', () => {
    expect(snapMoment(NOW - 3601, FROM, NOW)).toBe(NOW - 3660);
    expect(snapMoment(NOW - 29, FROM, NOW)).toBeNull();
    expect(snapMoment(NOW + DAY, FROM, NOW)).toBeNull();
    expect(snapMoment(NOW - 8 * DAY - 1, NOW - 30 * DAY, NOW)).toBe(NOW - 8 * DAY - 300);
  });

  it('never leaves the track on its left', () => {
    expect(snapMoment(FROM - 10, FROM, NOW)).toBe(FROM);
    expect(snapMoment(FROM + 10, FROM + 5, NOW)).toBe(FROM + 60);
  });

  it('shows what an event did, not the state before it', () => {
    expect(snapAfter(NOW - HOUR + 1, FROM, NOW)).toBe(NOW - HOUR + 60);
    expect(snapAfter(NOW - HOUR, FROM, NOW)).toBe(NOW - HOUR);
  });

  it('has a track as long as the moment needs', () => {
    expect(trackHours(24, null, NOW)).toBe(24);
    expect(trackHours(24, NOW - 25 * HOUR, NOW)).toBe(168);
    expect(trackHours(168, NOW - HOUR, NOW)).toBe(168);
    expect(trackHours(24, 0, NOW)).toBe(8760);
  });
});

describe('the keys of the scrubber', () => {
  const track = { from: FROM, now: NOW, marks: [NOW - 2 * HOUR + 5, NOW - HOUR] };
  const press = (key: string, at: number | null, shiftKey = false) => movedMoment({ key, shiftKey }, at, track);

  it.each([
    ['ArrowLeft', null, NOW - 60],
    ['ArrowLeft', NOW - 600, NOW - 660],
    ['ArrowRight', NOW - 600, NOW - 540],
    ['ArrowRight', NOW - 60, null],
    ['PageDown', NOW - 600, NOW - 600 - HOUR],
    ['PageUp', NOW - 600, null],
    ['Home', null, FROM],
    ['ArrowLeft', FROM, FROM],
    ['End', FROM, null],
    ['a', FROM, undefined],
  ])('%s from %s leads to %s', (key, at, expected) => {
    expect(press(key, at)).toBe(expected);
  });

  it('jump from mark to mark with Shift, and to now after the last', () => {
    expect(press('ArrowLeft', null, true)).toBe(NOW - HOUR);
    expect(press('ArrowLeft', NOW - HOUR, true)).toBe(NOW - 2 * HOUR + 60);
    expect(press('ArrowLeft', NOW - 2 * HOUR + 60, true)).toBeUndefined();
    expect(press('ArrowRight', NOW - 2 * HOUR, true)).toBe(NOW - 2 * HOUR + 60);
    expect(press('ArrowRight', NOW - HOUR, true)).toBeNull();
  });
});

it('reads a report a minute until the day on which they are pruned, and rollups from then on', () => {
  expect(storedStep(NOW - 7 * DAY + 1, NOW)).toBe(60);
  expect(storedStep(NOW - 7 * DAY, NOW)).toBe(300);
  expect(storedStep(NOW - 90 * DAY + 1, NOW)).toBe(300);
  expect(storedStep(NOW - 90 * DAY, NOW)).toBe(3600);
});
