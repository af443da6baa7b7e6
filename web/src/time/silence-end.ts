import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { zoneOffsetSeconds } from './zone.ts';

const MORNING_MS = 8 * 3_600_000;

/** Returns 08:00 of tomorrow in the zone that the person chose, epoch milliseconds. */
export function tomorrowMorning(now: number): number {
  const local = now + zoneOffsetSeconds(now) * 1000;
  const wanted = Math.floor(local / DAY_MS) * DAY_MS + DAY_MS + MORNING_MS;
  // The offset of that moment, which is another one after a change of the clocks.
  const guess = wanted - zoneOffsetSeconds(now) * 1000;
  return wanted - zoneOffsetSeconds(guess) * 1000;
}

/** "2026-11-24T08:00": a moment as `datetime-local` inputs write it, in the chosen zone. */
export const localText = (ms: number): string =>
  new Date(ms + zoneOffsetSeconds(ms) * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);

/** Returns the moment of such a text; null if it is not one. */
export function readLocal(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null;
  const local = Date.parse(`${text}:00Z`);
  if (!Number.isFinite(local)) return null;
  const guess = local - zoneOffsetSeconds(local) * 1000;
  return local - zoneOffsetSeconds(guess) * 1000;
}
