import type { BulkAnswer, BulkRequest } from '@plimsoll/contract/wire/alerts/alert-actions';
import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import type { SilenceOnWire, SilencesAnswer } from '@plimsoll/contract/wire/alerts/alert-silences';
import { request } from './client.ts';
import { POLL, ROWS, STALE } from './polling.ts';
import type { Ask } from './query.ts';

const SILENCES = '/api/alerts/silences';

/** Returns an alert with its rule, black box, deliveries and history. */
export const alertDetailQuery = (id: string): Ask<AlertDetailAnswer> => ({
  queryKey: ['alerts', 'detail', id],
  queryFn: ({ signal }) => request(`/api/alerts/${encodeURIComponent(id)}`, { signal }),
  staleTime: STALE.alerts,
});

/** Acts on several alerts at once, or takes such an operation back. */
export const actOnAlerts = (body: BulkBody) => request<BulkAnswer>('/api/alerts/bulk', { method: 'POST', body });
/** The comment of a silence may be left out. */
export type BulkBody =
  | Exclude<BulkRequest, { action: 'silence' }>
  | { action: 'silence'; alert_ids: readonly string[]; ends_at?: string; duration_seconds?: number; comment?: string };

export const silencesQuery = (): Ask<SilencesAnswer> => ({
  queryKey: ['alerts', 'silences'],
  queryFn: ({ signal }) => request(SILENCES, { query: { limit: ROWS.silences }, signal }),
  refetchInterval: POLL.alerts,
});

/** Creates a silence, or replaces the one with the id. */
export const saveSilence = (id: string | null, body: Readonly<Record<string, unknown>>) =>
  id === null
    ? request<{ silence: SilenceOnWire }>(SILENCES, { method: 'POST', body })
    : request<{ silence: SilenceOnWire }>(`${SILENCES}/${encodeURIComponent(id)}`, { method: 'PUT', body });
/** Ends a silence; alerts that still fire are sent at once. */
export const endSilence = (id: string) =>
  request<unknown>(`${SILENCES}/${encodeURIComponent(id)}`, { method: 'DELETE' });
