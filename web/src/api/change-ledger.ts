import type { ChangePlace, ChangeSource } from '@plimsoll/contract/rules/changes';
import type { ChangesAnswer, ChangesBeforeAnswer } from '@plimsoll/contract/wire/changes';
import { endingAt, rangeBounds, type TimeRange } from '../time/range.ts';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { MOMENT, SCOPE_AND_MOMENT, type Ask } from './query.ts';

export interface ChangeFilter extends ChangePlace {
  source?: ChangeSource;
  q?: string;
  limit?: number;
  offset?: number;
}

const hasPlace = ({ server_id: server, cluster_id: cluster }: ChangePlace): boolean =>
  server !== undefined || cluster !== undefined;

/** Changes of a range, newest first. */
export const changesQuery = (range: TimeRange, filter: ChangeFilter): Ask<ChangesAnswer> => ({
  queryKey: ['ledger', 'range', range, filter],
  queryFn: ({ signal }, view) => {
    const isOpen = range.kind === 'relative' && view.at === undefined;
    const { from, to } = rangeBounds(endingAt(range, view.at), Date.now());
    const dates = isOpen ? { start_date: from } : { start_date: from, end_date: to };
    return request('/api/changes', {
      query: { limit: ROWS.changes, ...dates, ...filter, scope: view.scope },
      signal,
    });
  },
  follows: hasPlace(filter) ? MOMENT : SCOPE_AND_MOMENT,
  refetchInterval: POLL.changeLedger,
  placeholderData: (previous) => previous,
});

/** Query for the changes of the half-hour before a moment (epoch seconds), the likeliest to explain it first. */
export const changesBeforeQuery = (place: ChangePlace, until: number): Ask<ChangesBeforeAnswer> => ({
  queryKey: ['ledger', 'before', place, until],
  queryFn: ({ signal }) => request('/api/changes/before', { query: { ...place, until }, signal }),
  refetchInterval: POLL.changeLedger,
});
