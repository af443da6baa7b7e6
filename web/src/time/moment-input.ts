import { MAX_HOURS } from '@plimsoll/contract/rules/limits';
import { SHORTEST_RANGE_SECONDS } from './range.ts';
import type { TimeRange } from './range.ts';
import { zoneOffsetSeconds } from './zone.ts';

/** Formats "2026-11-19T21:08" in the chosen zone for an input of the type datetime-local. */
export function momentText(at: number): string {
  const local = at + zoneOffsetSeconds(at * 1000);
  return new Date(local * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

/** Epoch seconds of such a text in the chosen zone; null when it is none. */
export function momentOf(text: string): number | null {
  const asUtc = Date.parse(`${text}Z`) / 1000;
  if (!Number.isFinite(asUtc)) return null;
  // Twice, for the offset may change between the guess and the moment.
  const guess = asUtc - zoneOffsetSeconds(asUtc * 1000);
  return asUtc - zoneOffsetSeconds(guess * 1000);
}

type Chosen = { range: TimeRange; problem: null } | { range: null; problem: string };

/** The stretch two texts name, or what is wrong with them in words for the person who typed them. */
export function chosenRange(fromText: string, toText: string, nowMs: number): Chosen {
  const from = momentOf(fromText);
  const to = momentOf(toText);
  const wrong = (problem: string): Chosen => ({ range: null, problem });
  if (from === null || to === null) return wrong('Must have a start and an end. Enter both.');
  if (to - from < SHORTEST_RANGE_SECONDS) return wrong('Must be at least one minute long. Choose a later end.');
  if (from > nowMs / 1000) return wrong('Must be in the past. Choose an earlier time.');
  if (to - from > MAX_HOURS * 3600) return wrong(`Must be at most ${MAX_HOURS / 24} days long. Choose a later start.`);
  return { range: { kind: 'absolute', from, to }, problem: null };
}

type ChosenMoment = { at: number; problem: null } | { at: null; problem: string };

/** The moment a text names, or what is wrong with it in words for the person who typed it. */
export function chosenMoment(text: string, nowMs: number, days: number): ChosenMoment {
  const at = momentOf(text);
  const wrong = (problem: string): ChosenMoment => ({ at: null, problem });
  if (at === null) return wrong('Must be a day and a time. Enter both.');
  if (at > nowMs / 1000) return wrong('Must be in the past. Choose an earlier time.');
  if (at < nowMs / 1000 - days * 86_400) return wrong(`Must be in the last ${days} days. Choose a later time.`);
  return { at, problem: null };
}
