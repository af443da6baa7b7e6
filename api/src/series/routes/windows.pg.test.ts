/** Checks both ends of a range to the millisecond: a sample belongs to its start and never to its end. */
import { beforeEach, expect, test } from 'vitest';
import type { ActivityAnswer } from '@plimsoll/contract/wire/activity';
import type { LatestMetricsAnswer, TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { NetworkMetricsAnswer } from '@plimsoll/contract/wire/network';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const HOUR = 3600;
const DAY = 86_400;
let app: TestApp;
let user: TestUser;
/** Epoch seconds, on a whole minute. */
let start: number;
beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = Math.floor(app.clock.ms / 60_000) * 60_000;
  start = app.clock.now() / 1000;
  user = await app.newUser();
});

const report = async (agent: TestAgent, seq: number, parts: object = {}): Promise<void> => {
  const up = 100_000 + seq * 60;
  const body = reportsBody(agent, app.clock.now(), [{ seq, up, ...parts }], { up_now: up });
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
};
const get = async <T>(path: string): Promise<T> => {
  const answer = await app.call('GET', path, user);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json.data as T;
};
const refusal = async (path: string) => {
  const { status, json } = await app.call('GET', path, user);
  return [status, json.code, json.field];
};

test('the latest of each server: only within the dates, page by page, in the order they enrolled', async () => {
  const agents = [await app.newAgent(user), await app.newAgent(user), await app.newAgent(user)];
  const ids = agents.map(({ serverId }) => serverId);
  for (const agent of agents) {
    await report(agent, 1);
    app.clock.pass(60);
  }
  const ask = async (list: string, query: string) => {
    const { metrics, total } = await get<LatestMetricsAnswer | NetworkMetricsAnswer>(`/api/data/${list}?${query}`);
    return [metrics.map((one) => one.server_id), total];
  };
  for (const list of ['metrics', 'network/metrics']) {
    expect([list, await ask(list, `start_date=${start}&end_date=${start + 120}`)]).toEqual([
      list,
      [ids.slice(0, 2), 2],
    ]);
    expect([list, await ask(list, `start_date=${start + 60}`)]).toEqual([list, [ids.slice(1), 2]]);
    expect([list, await ask(list, 'limit=1&offset=1')]).toEqual([list, [ids.slice(1, 2), 3]]);
    expect([list, await ask(list, 'limit=2&offset=2')]).toEqual([list, [ids.slice(2), 3]]);
    expect([list, await ask(list, 'offset=3')]).toEqual([list, [[], 3]]);
  }
});

test('a range without an end takes in this very millisecond, one without a start reaches back from its end', async () => {
  const agent = await app.newAgent(user);
  await report(agent, 1);
  const times = async (query: string) => {
    const asked = `server_id=${agent.serverId}&${query}`;
    const { metrics } = await get<NetworkMetricsAnswer>(`/api/data/network/metrics?${asked}`);
    return metrics.map(({ timestamp }) => timestamp);
  };
  expect(await times('')).toEqual([start]);
  expect(await times(`start_date=${start}`)).toEqual([start]);
  expect(await times(`end_date=${start}`)).toEqual([]);
  expect(await times(`end_date=${start + 60}`)).toEqual([start]);
  app.clock.pass(5 * HOUR);
  const series = await get<TimeseriesAnswer>(`/api/data/metrics/timeseries?hours=2&end_date=${start + HOUR}`);
  expect([series.from, series.to]).toEqual([start - HOUR, start + HOUR]);
});

test('an end alone is an end for what is listed, too', async () => {
  const agent = await app.newAgent(user);
  const event = { event_type: 'service_stop', service_name: 'nginx', process_name: null, severity: 'info' };
  const events = [start - 60, start].map((ts) => ({ ...event, id: String(ts), message: String(ts), ts }));
  await report(agent, 1, { events });
  const told = async (query: string) =>
    (await get<ActivityAnswer>(`/api/data/activity?${query}`)).events.map((one) => one.timestamp);
  expect(await told(`end_date=${start}`)).toEqual([start - 60]);
  expect(await told(`start_date=${start}`)).toEqual([start]);
});

test.each(['metrics/timeseries', 'network/timeseries', 'network/connections', 'processes', 'activity'])(
  '%s: a range of no length is refused by name',
  async (call) => {
    const none = `/api/data/${call}?start_date=${start}&end_date=${start}`;
    expect(await refusal(none)).toEqual([400, 'invalid_parameter', 'start_date']);
  },
);

test('a range is at most a year, and that is given, by hours too', async () => {
  const series = (from: number): string => `/api/data/metrics/timeseries?start_date=${from}&end_date=${start}`;
  expect((await get<TimeseriesAnswer>(series(start - 90 * DAY))).bucket_seconds).toBe(21_600);
  expect((await get<TimeseriesAnswer>(series(start - 365 * DAY))).bucket_seconds).toBe(86_400);
  expect((await get<TimeseriesAnswer>('/api/data/metrics/timeseries?hours=8760')).bucket_seconds).toBe(86_400);
  expect(await refusal(series(start - 365 * DAY - 1))).toEqual([400, 'invalid_parameter', 'start_date']);
  expect(await refusal('/api/data/metrics/timeseries?hours=8761')).toEqual([400, 'invalid_parameter', 'hours']);
});
