import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { SHORTEST_RANGE_SECONDS } from './range.ts';
import type { TimeRange } from './range.ts';

/** The moment a person looks back at, in epoch seconds; kept in the address beside the range. */
const NAME = 'at';

/** Events and alerts this far around a moment belong to it. */
export const AROUND_SECONDS = 900;

const SECONDS = /^\d{1,11}$/;
const ISO_MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z$/;

/** `?at=2026-11-20T03:12Z`, also with seconds or as epoch seconds; anything else is none. */
export function parseMoment(search: URLSearchParams): number | null {
  const text = search.get(NAME) ?? '';
  if (SECONDS.test(text)) return Number(text);
  const ms = ISO_MINUTE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(ms) ? ms / 1000 : null;
}

/** "2026-11-20T03:12Z"; with seconds where they are not 0. */
export const momentParameter = (at: number): string =>
  new Date(Math.floor(at) * 1000).toISOString().replace(/(?::00)?\.000Z$/, 'Z');

/** A copy of `search` that says the moment, or none. */
export function withMoment(search: URLSearchParams, at: number | null): URLSearchParams {
  const next = new URLSearchParams(search);
  if (at === null) next.delete(NAME);
  else next.set(NAME, momentParameter(at));
  return next;
}

/** Returns true if the moment lies in the range; a relative range ends now. */
export function holdsMoment(range: TimeRange, at: number, nowMs: number): boolean {
  if (range.kind === 'absolute') return range.from <= at && at <= range.to;
  return at >= nowMs / 1000 - range.hours * HOUR_SECONDS;
}

/**
 * The range that shows the moment: the given one when it does, else as long a stretch around it. A link to a moment of
 * "the last 24 hours" still shows it a week later.
 */
export function rangeAround(range: TimeRange, at: number | null, nowMs: number): TimeRange {
  if (at === null || holdsMoment(range, at, nowMs)) return range;
  const length = range.kind === 'absolute' ? range.to - range.from : range.hours * HOUR_SECONDS;
  const half = Math.ceil(Math.max(length, SHORTEST_RANGE_SECONDS) / 2);
  // The future has no figures.
  const to = Math.max(at, Math.min(at + half, Math.floor(nowMs / 1000)));
  return { kind: 'absolute', from: Math.max(0, at - half), to };
}

/** Steps of PageUp and PageDown. */
const LEAP = 10;

/** Returns the next moment from `at` for a key; null if the key does not move. */
export function steppedMoment(moments: readonly number[], at: number, key: string): number | null {
  const last = moments.length - 1;
  if (last < 0) return null;
  const after = moments.findIndex((each) => each > at);
  const next = after < 0 ? last : after;
  const before = moments.findLastIndex((each) => each < at);
  const clamped = (index: number) => moments[Math.min(last, Math.max(0, index))] ?? null;
  if (key === 'ArrowRight') return clamped(next);
  if (key === 'ArrowLeft') return clamped(before);
  if (key === 'PageUp') return clamped(next + LEAP - 1);
  if (key === 'PageDown') return clamped(before - LEAP + 1);
  if (key === 'Home') return clamped(0);
  return key === 'End' ? clamped(last) : null;
}
