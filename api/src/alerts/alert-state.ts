import type { AlertTrack } from './types.ts';

export type Track = AlertTrack;

export const OK: Track = { phase: 'ok' };

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
export function step(track: Track, sample: { at: number; value: number | null; afterGap: boolean }, line: Line): Track {
  const { at, value, afterGap } = sample;
  const state = afterGap ? forget(track) : track;
  if (value === null) return state;
  const over = value >= line.threshold;
  if (state.phase === 'firing') return stepFiring(state, at, value, line);
  if (!over) return OK;
  const since = state.phase === 'pending' ? state.since : at;
  const held = at - since + line.intervalMs >= line.forMs;
  return held ? { phase: 'firing', since: at, clearSince: null } : { phase: 'pending', since };
}

function forget(track: Track): Track {
  if (track.phase === 'pending') return OK;
  return track.phase === 'firing' ? { ...track, clearSince: null } : track;
}

function stepFiring(state: Track & { phase: 'firing' }, at: number, value: number, line: Line): Track {
  if (value >= line.threshold - line.hysteresisPoints) return { ...state, clearSince: null };
  const clearSince = state.clearSince ?? at;
  return at - clearSince + line.intervalMs >= line.keepFiringForMs ? OK : { ...state, clearSince };
}
