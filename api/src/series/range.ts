import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { MAX_HOURS, RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import { requireHistory, type PlanInForce } from '../accounts/plans.ts';
import type { Retention } from '../accounts/types.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Owner } from '../tenancy/owner.ts';
import { bucketsFor, type Buckets } from './buckets.ts';

export interface AskedRange {
  hours: number;
  start_date?: number | undefined;
  end_date?: number | undefined;
}

/** Limits of a requested range. */
export interface Today {
  now: number;
  plan: PlanInForce;
}
export const todayOf = ({ clock, config }: Pick<Deps, 'clock' | 'config'>): Today => ({
  now: clock.now(),
  plan: config.planLimits,
});

/**
 * `start_date` and `end_date` win over `hours`; an open end is now. Milliseconds. Throws `invalid_parameter`,
 * `plan_limit`.
 */
export function rangeOf(asked: AskedRange, { now, plan }: Today): { from: number; to: number } {
  // Ends are exclusive; a sample of this very millisecond belongs in.
  const to = asked.end_date ?? now + 1;
  const from = asked.start_date ?? to - asked.hours * HOUR_MS;
  if (from >= to)
    throw new CodedError('invalid_parameter', 'start_date: must be before end_date', {
      field: 'start_date',
      remedy: 'Swap them or omit one.',
    });
  if (to - from > MAX_HOURS * HOUR_MS)
    throw new CodedError('invalid_parameter', `start_date: the range is longer than ${String(MAX_HOURS)} hours`, {
      field: 'start_date',
      remedy: 'Request a shorter range.',
    });
  requireHistory(plan, (now - from) / DAY_MS);
  return { from, to };
}

export const bucketRange = (asked: AskedRange & { buckets?: number | undefined }, today: Today): Buckets => {
  const { from, to } = rangeOf(asked, today);
  return bucketsFor(from, to, asked.buckets);
};

/**
 * Checks the moment that a call answers for: it must have come, and its history must still be kept. Throws
 * `invalid_parameter`, `plan_limit`. Epoch ms.
 */
export async function requireMoment(
  { storage, clock, config }: Pick<Deps, 'storage' | 'clock' | 'config'>,
  owner: Owner,
  at: number,
  kind: keyof Pick<Retention, 'metrics' | 'alerts'>,
): Promise<void> {
  const now = clock.now();
  if (at > now)
    throw new CodedError('invalid_parameter', 'at: must be a moment of the past', {
      field: 'at',
      remedy: 'Choose an earlier moment, or omit it for the state of now.',
    });
  const kept = await storage.identity.retention.get(owner);
  const days = Math.min(kept?.[kind] ?? RETENTION_DAYS.oneHour, RETENTION_DAYS.oneHour);
  if (at < now - days * DAY_MS)
    throw new CodedError('invalid_parameter', `at: ${kind} are kept for ${String(days)} days`, {
      field: 'at',
      remedy: `Choose a moment of the last ${String(days)} days.`,
    });
  requireHistory(config.planLimits, (now - at) / DAY_MS);
}
