import type { GuessedProbe } from '@plimsoll/contract/rules/checks/guess-check';
import type {
  CheckAnswer,
  CheckCreatedAnswer,
  CheckPreviewAnswer,
  CheckRequestInput,
  ChecksAnswer,
  CheckSeriesAnswer,
} from '@plimsoll/contract/wire/checks/checks';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import type { Ask } from './query.ts';

const CHECKS = '/api/checks';
const pathOf = (id: string): string => `${CHECKS}/${encodeURIComponent(id)}`;

export const checksQuery = (): Ask<ChecksAnswer> => ({
  queryKey: ['checks', 'list'],
  queryFn: ({ signal }) => request(CHECKS, { query: { limit: ROWS.checks }, signal }),
  refetchInterval: POLL.checks,
});

/** The worst for the squares of the dashboard: more would be a wall. */
export const worstChecksQuery = (): Ask<ChecksAnswer> => ({
  queryKey: ['checks', 'worst'],
  queryFn: ({ signal }) => request(CHECKS, { query: { limit: ROWS.checkSquares }, signal }),
  refetchInterval: POLL.checks,
});

export const checkQuery = (id: string): Ask<CheckAnswer> => ({
  queryKey: ['checks', 'one', id],
  queryFn: ({ signal }) => request(pathOf(id), { signal }),
  refetchInterval: POLL.checks,
});

export const checkSeriesQuery = (id: string, hours: number): Ask<CheckSeriesAnswer> => ({
  queryKey: ['checks', 'series', id, hours],
  queryFn: ({ signal }) => request(`${pathOf(id)}/series`, { query: { hours }, signal }),
  refetchInterval: POLL.checks,
});

/** Runs a check once before it is saved. */
export const previewCheck = (probe: GuessedProbe) =>
  request<CheckPreviewAnswer>(`${CHECKS}/preview`, { method: 'POST', body: { probe } });
export const createCheck = (body: CheckRequestInput) => request<CheckCreatedAnswer>(CHECKS, { method: 'POST', body });
/** Replaces a check. Headers and body that are left out stay. */
export const updateCheck = (id: string, body: CheckRequestInput) =>
  request<CheckAnswer>(pathOf(id), { method: 'PUT', body });
export const deleteCheck = (id: string) => request<unknown>(pathOf(id), { method: 'DELETE' });
