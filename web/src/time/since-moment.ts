import { clockTime, day, dayAndTime } from './zone.ts';

/** "02:14" for a moment of today, "19 Nov 02:14" for one of another day. */
export const sinceMoment = (atMs: number, nowMs = Date.now()): string =>
  day(atMs) === day(nowMs) ? clockTime(atMs) : dayAndTime(atMs);
