import { SILENCE_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import { CodedError } from '../../errors.ts';

/** Times are epoch milliseconds. */
export interface AskedPeriod {
  startsAt: number | undefined;
  endsAt: number | undefined;
  durationSeconds: number | undefined;
}

/** A clock that is a little behind is not an error. */
const PAST_MS = 300_000;
const LONGEST_MS = SILENCE_LIMITS.longestSeconds * 1000;
const FURTHEST_MS = SILENCE_LIMITS.furthestStartSeconds * 1000;

const refuse = (field: string, problem: string, remedy: string): CodedError =>
  new CodedError('invalid_parameter', `${field}: ${problem}`, { field, remedy });

/** Returns start and end of a silence. `storedStart` null: a new one. Throws `invalid_parameter`. */
export function silencePeriod(
  asked: AskedPeriod,
  now: number,
  storedStart: number | null = null,
): { startsAt: number; endsAt: number } {
  const startsAt = asked.startsAt ?? storedStart ?? now;
  if (startsAt > now + FURTHEST_MS)
    throw refuse('starts_at', 'must be at most 90 days ahead', 'Create the silence later.');
  if (startsAt < now - PAST_MS && startsAt !== storedStart)
    throw refuse('starts_at', 'must not be in the past', 'Use a later time, or leave it out to start now.');
  const endsAt = asked.endsAt ?? (asked.startsAt ?? now) + (asked.durationSeconds ?? 0) * 1000;
  if (endsAt <= startsAt) throw refuse('ends_at', 'must be after starts_at', 'Choose a later end.');
  if (endsAt <= now) throw refuse('ends_at', 'must be in the future', 'Choose a later end, or delete the silence.');
  if (endsAt - Math.max(startsAt, now) > LONGEST_MS)
    throw refuse(
      'ends_at',
      'must be at most 90 days after the start',
      'Choose an earlier end. Extend the silence later.',
    );
  return { startsAt, endsAt };
}
