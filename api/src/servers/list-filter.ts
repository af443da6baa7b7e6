import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { Scope } from '@plimsoll/contract/rules/scope';
import { requireHistory, shownSince } from '../accounts/plans.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import { given } from '@plimsoll/contract/rules/given';
import { type Today, todayOf } from '../series/range.ts';
import type { Owner } from '../tenancy/owner.ts';
import { serversInScope } from './scope.ts';
import type { ListFilter } from './types.ts';

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
