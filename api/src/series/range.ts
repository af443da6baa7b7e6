import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { Scope } from '@plimsoll/contract/rules/scope';
import { serversInScope } from '../servers/scope.ts';
import type { Owner } from '../tenancy/owner.ts';
import { bucketsFor, type Buckets } from './buckets.ts';
import { requireHistory, shownSince, type PlanInForce } from '../accounts/plans.ts';
import { MAX_HOURS, RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { Retention } from '../accounts/types.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { ListFilter } from '../servers/types.ts';

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

/** Omits parameters that the request does not contain, as the type of the filter requires. */
export const given = <K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, T>);

/**
 * Filter of a list of things seen: without dates, the newest of each server. Throws when the dates are swapped, or begin
 * before what the plan in force shows.
 */
export function listFilter(
  query: { server_id?: string | undefined; start_date?: number | undefined; end_date?: number | undefined },
  { now, plan }: Today,
): { serverId?: string; from?: number; to?: number } {
  const { server_id: serverId, start_date: from, end_date: to } = query;
  if (from !== undefined && to !== undefined && from >= to)
    throw new CodedError('invalid_parameter', 'start_date: must be before end_date', {
      field: 'start_date',
      remedy: 'Swap them or omit one.',
    });
  if (from !== undefined) requireHistory(plan, (now - from) / DAY_MS);
  return { ...given('serverId', serverId), ...given('from', from), ...given('to', to) };
}

/** Like `listFilter`, for a list that reaches back to the start of the plan's history when it has no dates. */
export const pastFilter = (query: Parameters<typeof listFilter>[0], today: Today): ReturnType<typeof listFilter> => ({
  ...given('from', shownSince(today.plan, today.now)),
  ...listFilter(query, today),
});

/** Like `listFilter` or `pastFilter` (`of`), with the servers in the scope of the request. */
export async function scopedFilter(
  deps: Pick<Deps, 'clock' | 'config' | 'storage'>,
  owner: Owner,
  query: Parameters<typeof listFilter>[0] & { scope?: Scope | undefined },
  of: typeof listFilter,
): Promise<ListFilter> {
  const filter = of(query, todayOf(deps));
  const within = await serversInScope(deps.storage.servers, owner, query.scope, deps.clock.now());
  return { ...filter, ...given('within', within) };
}

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
