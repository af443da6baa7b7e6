import type { PublicStatusPageAnswer, StatusPageOnWire, StatusPagesAnswer } from '@plimsoll/contract/wire/status-pages';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import type { Ask } from './query.ts';

const PAGES = '/api/status-pages';

export const statusPagesQuery = (): Ask<StatusPagesAnswer> => ({
  queryKey: ['account', 'status-pages'],
  queryFn: ({ signal }) => request(PAGES, { signal }),
});

/** Reads a page as a stranger does: by the last part of its address. */
export const publicStatusPageQuery = (slug: string): Ask<PublicStatusPageAnswer> => ({
  queryKey: ['public-status-page', slug],
  queryFn: ({ signal }) => request(`/api/public/status-pages/${encodeURIComponent(slug)}`, { signal }),
  refetchInterval: POLL.statusPage,
});

export interface StatusPageBody {
  title: string;
  message: string;
  servers: readonly { server_id: string; label: string | null }[];
  shows_names: boolean;
  shows_figures: boolean;
  is_indexable: boolean;
  is_published: boolean;
  expires_at: string | null;
}

/** Creates a page, or replaces the one with the id. */
export const saveStatusPage = (id: string | null, body: StatusPageBody) =>
  request<{ status_page: StatusPageOnWire }>(id === null ? PAGES : `${PAGES}/${encodeURIComponent(id)}`, {
    method: id === null ? 'POST' : 'PUT',
    body,
  });
export const deleteStatusPage = (id: string) =>
  request<unknown>(`${PAGES}/${encodeURIComponent(id)}`, { method: 'DELETE' });
