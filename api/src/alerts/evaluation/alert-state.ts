import { FLAPPING_SECONDS } from '@plimsoll/contract/rules/alert-metric';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { AlertTrack } from '../types.ts';

export type Track = AlertTrack;
type Firing = Extract<Track, { phase: 'firing' }>;
type Resting = Exclude<Track, Firing>;

/** The rows of version 0.1.0 hold the word "ok". */
export const INACTIVE: Resting = { phase: 'ok' };

/** A line that fires again within this time of its end is flapping. It then clears only after this time. */
export const FLAPPING_MS = FLAPPING_SECONDS * 1000;

export interface Line {
  threshold: number;
  forMs: number;
  keepFiringForMs: number;
  hysteresisPoints: number;
  intervalMs: number;
}

/**
 * One step of the state machine. A sample stands for the interval before it, so five samples in a row are five minutes.
 * After a gap what was seen before proves nothing about now: pending and clearing begin anew, firing stays. Samples
 * without a value are a gap when they last as long as one.
 */
export function nextState(
  track: Track,
  sample: { at: number; value: number | null; afterGap: boolean },
  line: Line,
): Track {
  const { at, value, afterGap } = sample;
  const state = afterGap || isUnknownTooLong(track, at, line.intervalMs) ? forget(track) : track;
  if (state.phase === 'firing') return value === null ? unknownFrom(at, state) : stepFiring(state, at, value, line);
  const ended = lastEnd(state, at);
  if (value === null) return unknownFrom(at, ended === state.endedAt ? state : withEnd(state, ended));
  if (value < line.threshold) return withEnd(INACTIVE, ended);
  const since = state.phase === 'pending' ? state.since : at;
  if (at - since + line.intervalMs < line.forMs) return withEnd({ phase: 'pending', since }, ended);
  const fired: Track = { phase: 'firing', since: at, clearSince: null, worst: value };
  return ended === undefined ? fired : { ...fired, isFlapping: true };
}

/** The last value came an interval before the first sample without one. */
const isUnknownTooLong = (track: Track, at: number, intervalMs: number): boolean =>
  track.phase !== 'ok' &&
  track.unknownSince !== undefined &&
  at - track.unknownSince + intervalMs > GAP_INTERVALS * intervalMs;

function unknownFrom(at: number, state: Track): Track {
  const isWaiting = state.phase === 'pending' || (state.phase === 'firing' && state.clearSince !== null);
  return isWaiting ? { ...state, unknownSince: state.unknownSince ?? at } : state;
}

/** Returns when the line last fired, while a new alert would make it flap. */
const lastEnd = ({ endedAt }: Resting, at: number): number | undefined =>
  endedAt !== undefined && at - endedAt <= FLAPPING_MS ? endedAt : undefined;

function withEnd(state: Resting, endedAt: number | undefined): Track {
  if (state.phase === 'ok') return endedAt === undefined ? INACTIVE : { phase: 'ok', endedAt };
  const { endedAt: _, ...pending } = state;
  return endedAt === undefined ? pending : { ...pending, endedAt };
}

function forget(track: Track): Track {
  if (track.phase === 'pending') return withEnd(INACTIVE, track.endedAt);
  return track.phase === 'firing' ? notClearing(track) : track;
}

function notClearing(state: Firing): Firing {
  return { ...known(state), clearSince: null };
}

function known(track: Firing): Firing {
  const { unknownSince: _, ...state } = track;
  return state;
}

function stepFiring(track: Firing, at: number, value: number, line: Line): Track {
  const state = known(track);
  if (value >= line.threshold - line.hysteresisPoints)
    return { ...state, clearSince: null, worst: Math.max(state.worst ?? value, value) };
  const clearSince = state.clearSince ?? at;
  const keepMs = state.isFlapping === true ? Math.max(line.keepFiringForMs, FLAPPING_MS) : line.keepFiringForMs;
  return at - clearSince + line.intervalMs >= keepMs ? { phase: 'ok', endedAt: at } : { ...state, clearSince };
}
