import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { LinesAnswer } from '@plimsoll/contract/wire/lines';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import { MOMENT, type Ask } from './query.ts';

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

/** Query for the log lines of the last hours of a place. */
export const newestLinesQuery = (place: LinePlace, hours = 1): Ask<LinesAnswer> => ({
  queryKey: ['lines', 'newest', place, hours],
  queryFn: ({ signal }, view) => {
    const to = view.at;
    const from = (to ?? Math.floor(Date.now() / 1000)) - hours * HOUR_SECONDS;
    return request('/api/lines', {
      query: { ...place, from, ...(to === undefined ? {} : { to }) },
      signal,
    });
  },
  follows: MOMENT,
  refetchInterval: POLL.lines,
});
