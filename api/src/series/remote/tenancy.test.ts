/** The place of the tenant in each call, for every kind of store that docs/scaling.md names. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { httpStandIn, type HttpStandIn } from '../../testing/http-stand-in.ts';
import { createSeriesStore, type SeriesStoreSettings } from './series-store.ts';
import { SHIPPED_FIGURES } from './shipped-figures.ts';

let store: HttpStandIn;
beforeEach(async () => {
  store = await httpStandIn();
  store.answer(() => ({ status: 200, body: '{"data":{"result":[]}}' }));
});
afterEach(() => store.close());

const SERVER = '7d7a1c2e-0000-4000-8000-000000000001';
const HOUR = 3_600_000;

/** Does everything for tenant 7, and returns each path with the tenant's header. */
async function callsOf(settings: Partial<SeriesStoreSettings>): Promise<[string, string | undefined][]> {
  const urls = { writeUrl: '/write', readUrl: '/read', deleteUrl: '/delete', ...settings };
  const header = settings.tenantHeader ?? null;
  const series = createSeriesStore({
    writeUrl: store.url + urls.writeUrl,
    readUrl: store.url + urls.readUrl,
    deleteUrl: store.url + (urls.deleteUrl ?? ''),
    tenantHeader: header,
    token: null,
  });
  await series.append(7, [{ serverId: SERVER, at: HOUR, tenant: 7, values: SHIPPED_FIGURES.map(() => 1) }]);
  await series.counts(7, HOUR);
  await series.times(7, SERVER, HOUR);
  await series.series('metrics', { tenant: 7, serverId: SERVER }, { from: 0, to: HOUR, bucketSeconds: 60 });
  await series.holds(7, SERVER, HOUR);
  await series.drop?.(7, SERVER);
  const calls = store.received.map(({ path, headers }): [string, string | undefined] => [
    path,
    header === null ? undefined : (headers[header.toLowerCase()] as string | undefined),
  ]);
  expect(calls.length).toBeGreaterThan(6);
  return [...new Map(calls.map((call) => [call.join(), call])).values()];
}

test('a cluster of VictoriaMetrics has it in each path', async () => {
  const calls = await callsOf({
    writeUrl: '/insert/{tenant}/prometheus/api/v1/write',
    readUrl: '/select/{tenant}/prometheus',
    deleteUrl: '/delete/{tenant}/prometheus/api/v1/admin/tsdb/delete_series',
  });
  expect(calls).toEqual([
    ['/insert/7/prometheus/api/v1/write', undefined],
    ['/select/7/prometheus/api/v1/query', undefined],
    ['/select/7/prometheus/api/v1/query_range', undefined],
    ['/delete/7/prometheus/api/v1/admin/tsdb/delete_series', undefined],
  ]);
});

test.each(['X-Scope-OrgID', 'THANOS-TENANT'])('Mimir or Thanos gets it in %s', async (tenantHeader) => {
  const calls = await callsOf({ tenantHeader });
  expect(calls).toEqual([
    ['/write', '7'],
    ['/read/api/v1/query', '7'],
    ['/read/api/v1/query_range', '7'],
    ['/delete', '7'],
  ]);
});

test('a store without tenants gets none', async () => {
  const calls = await callsOf({});
  expect(calls.map(([path]) => path).join()).not.toContain('7');
  const names = new Set(store.received.flatMap(({ headers }) => Object.keys(headers)));
  expect([...names].filter((name) => /tenant|org/i.test(name))).toEqual([]);
});
