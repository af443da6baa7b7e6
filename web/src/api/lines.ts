import type { LinesAnswer } from '@plimsoll/contract/wire/lines';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import { DATED, momentOf, type Ask } from './query.ts';

export interface LinePlace {
  server_id?: string;
  cluster_id?: string;
  namespace?: string;
  pod?: string;
}

/** Query for the log lines of a place between two moments, epoch seconds. */
export const linesBetweenQuery = (place: LinePlace, from: number, to: number): Ask<LinesAnswer> => ({
  queryKey: ['lines', 'between', place, from, to],
  queryFn: ({ signal }) => request('/api/lines', { query: { ...place, from, to }, signal }),
  refetchInterval: POLL.lines,
});

const HOUR_SECONDS = 3600;

/** Query for the log lines of the last hour of a place. */
export const newestLinesQuery = (place: LinePlace): Ask<LinesAnswer> => ({
  queryKey: ['lines', 'newest', place],
  queryFn: (context) => {
    const { at } = momentOf(context);
    const dates = at === undefined ? {} : { from: at - HOUR_SECONDS, to: at };
    return request('/api/lines', { query: { ...place, ...dates }, signal: context.signal });
  },
  meta: DATED,
  refetchInterval: POLL.lines,
});
