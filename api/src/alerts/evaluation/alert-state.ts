import { FLAPPING_SECONDS } from '@plimsoll/contract/rules/alert-metric';
import type { AlertTrack } from '../types.ts';

export type Track = AlertTrack;
type Resting = Exclude<Track, { phase: 'firing' }>;

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
 * After a gap what was seen before proves nothing about now: pending and clearing begin anew, firing stays.
 */
export function nextState(
  track: Track,
  sample: { at: number; value: number | null; afterGap: boolean },
  line: Line,
): Track {
  const { at, value, afterGap } = sample;
  const state = afterGap ? forget(track) : track;
  if (state.phase === 'firing') return value === null ? state : stepFiring(state, at, value, line);
  const ended = lastEnd(state, at);
  if (value === null) return ended === state.endedAt ? state : withEnd(state, ended);
  if (value < line.threshold) return withEnd(INACTIVE, ended);
  const since = state.phase === 'pending' ? state.since : at;
  if (at - since + line.intervalMs < line.forMs) return withEnd({ phase: 'pending', since }, ended);
  const fired: Track = { phase: 'firing', since: at, clearSince: null, worst: value };
  return ended === undefined ? fired : { ...fired, isFlapping: true };
}

/** Returns when the line last fired, while a new alert would make it flap. */
const lastEnd = ({ endedAt }: Resting, at: number): number | undefined =>
  endedAt !== undefined && at - endedAt <= FLAPPING_MS ? endedAt : undefined;

function withEnd(state: Resting, endedAt: number | undefined): Track {
  const bare: Resting = state.phase === 'ok' ? INACTIVE : { phase: 'pending', since: state.since };
  return endedAt === undefined ? bare : { ...bare, endedAt };
}

function forget(track: Track): Track {
  if (track.phase === 'pending') return withEnd(INACTIVE, track.endedAt);
  return track.phase === 'firing' ? { ...track, clearSince: null } : track;
}

function stepFiring(state: Track & { phase: 'firing' }, at: number, value: number, line: Line): Track {
  if (value >= line.threshold - line.hysteresisPoints)
    return { ...state, clearSince: null, worst: Math.max(state.worst ?? value, value) };
  const clearSince = state.clearSince ?? at;
  const keepMs = state.isFlapping === true ? Math.max(line.keepFiringForMs, FLAPPING_MS) : line.keepFiringForMs;
  return at - clearSince + line.intervalMs >= keepMs ? { phase: 'ok', endedAt: at } : { ...state, clearSince };
}
