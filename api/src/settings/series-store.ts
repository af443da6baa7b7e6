import type { EnvironmentReader } from './environment.ts';
import { HTTP, NONE, type Setting } from './setting.ts';

/** In a header of HTTP (RFC 9110). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const URLS = ['WRITE', 'READ', 'DELETE'].map((kind) => `PLIMSOLL_SERIES_${kind}_URL`);

interface SeriesStoreSettings {
  writeUrl: string;
  readUrl: string;
  deleteUrl: string | null;
  tenantHeader: string | null;
  token: string | null;
}

function readUrl(environment: EnvironmentReader, name: string): string | null {
  const url = environment.url(name, HTTP);
  const parsed = url === null ? null : URL.parse(url);
  if (parsed && parsed.username + parsed.password !== '')
    environment.refuse(`${name} holds credentials: set PLIMSOLL_SERIES_TOKEN instead`);
  return url;
}

function read(environment: EnvironmentReader): SeriesStoreSettings | null {
  const [writeUrl, queryUrl, deleteUrl] = URLS.map((name) => readUrl(environment, name));
  const tenantHeader = environment.text('PLIMSOLL_SERIES_TENANT_HEADER');
  const token = environment.secret('PLIMSOLL_SERIES_TOKEN');
  if (tenantHeader !== null && !HEADER_NAME.test(tenantHeader))
    environment.refuse('PLIMSOLL_SERIES_TENANT_HEADER is not the name of a header: write one such as X-Scope-OrgID');
  if (!writeUrl || !queryUrl) {
    if ([writeUrl, queryUrl, deleteUrl, tenantHeader, token].some(Boolean))
      environment.refuse(
        'PLIMSOLL_SERIES_WRITE_URL and PLIMSOLL_SERIES_READ_URL are not both set: set both or neither',
      );
    return null;
  }
  const urls = [writeUrl, queryUrl, ...(deleteUrl ? [deleteUrl] : [])];
  if (new Set(urls.map((url) => url.includes('{tenant}'))).size > 1)
    environment.refuse('PLIMSOLL_SERIES_…_URL: {tenant} is not in all of them: write it in all or in none');
  return { writeUrl, readUrl: queryUrl, deleteUrl: deleteUrl ?? null, tenantHeader, token };
}

/** A Prometheus-compatible store of the raw history; null: none. `{tenant}` in a URL stands for the tenant. */
const seriesStore: Setting<SeriesStoreSettings | null> = {
  rows: [
    {
      names: ['PLIMSOLL_SERIES_WRITE_URL'],
      fallback: NONE,
      meaning:
        'remote write of a Prometheus-compatible store that keeps every raw sample ([scaling.md](scaling.md)), such as `http://victoria-metrics:8428/api/v1/write`; `{tenant}` stands for the tenant',
    },
    {
      names: ['PLIMSOLL_SERIES_READ_URL'],
      fallback: NONE,
      meaning: 'its address before `/api/v1/query`, such as `http://victoria-metrics:8428`; needed with the one above',
    },
    {
      names: ['PLIMSOLL_SERIES_DELETE_URL'],
      fallback: NONE,
      meaning:
        'its call that deletes series, such as `http://victoria-metrics:8428/api/v1/admin/tsdb/delete_series`; without it, samples of a deleted server stay in the store until it drops them by their age',
    },
    {
      names: ['PLIMSOLL_SERIES_TENANT_HEADER'],
      fallback: NONE,
      meaning: 'header that gives the store the tenant, such as `X-Scope-OrgID` of Mimir',
    },
    { names: ['PLIMSOLL_SERIES_TOKEN'], fallback: NONE, meaning: 'bearer token of the store', isSecret: true },
  ],
  read,
};

export const timeSeriesStore = { title: 'Time-series store', settings: { seriesStore } };
