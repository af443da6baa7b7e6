import { expect, test } from 'vitest';
import type { LatestMetricsAnswer, TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { NetworkMetricsAnswer, NetworkTimeseriesAnswer } from '@plimsoll/contract/wire/network';
import { reportsBody, testApp, TestClock, type TestAgent, type TestApp } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();

const sample = (percent: number, receive = 100) => ({
  cpu: { percent, io_wait_percent: null, steal_percent: 0, user_percent: 0, system_percent: 0, per_core_percent: [] },
  interfaces: [
    {
      name: 'eth0',
      receive_bytes_per_second: receive,
      transmit_bytes_per_second: 10,
      receive_errors_per_second: null,
      transmit_errors_per_second: null,
      receive_drops_per_second: null,
      transmit_drops_per_second: null,
      up: true,
    },
  ],
});

/** One report a minute for each of `percents`; null is a minute without one. */
async function feed(app: TestApp, agent: TestAgent, percents: (number | null)[], more: object = {}): Promise<void> {
  let seq = 0;
  for (const percent of percents) {
    app.clock.pass(60);
    if (percent === null) continue;
    seq += 1;
    const up = 100_000 + app.clock.now() / 1000 - 1_700_000_000;
    const body = reportsBody(agent, app.clock.now(), [{ seq, up, ...sample(percent), ...more }], { up_now: up });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    expect(answer.status).toBe(200);
  }
}

/** On a whole hour, recent enough for today's partitions. */
const onTheHour = (): TestClock => new TestClock(Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000);

function hourApp(): TestApp {
  const app = testApp(db.storage());
  app.clock.ms = onTheHour().ms;
  return app;
}

test('a series has every bucket of the range, null where nothing came, with the gap and its reason', async () => {
  const app = hourApp();
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const start = app.clock.now() / 1000;
  await feed(app, agent, [10, 20, 30, ...Array.from({ length: 10 }, () => null), 40]);
  const query = `server_id=${agent.serverId}&start_date=${start}&end_date=${start + 900}`;
  const series = (await app.call('GET', `/api/data/metrics/timeseries?${query}`, user)).json
    .data as unknown as TimeseriesAnswer;
  expect(series).toMatchObject({ bucket_seconds: 60, from: start, to: start + 900, aggregated: false });
  expect(series.timeseries).toHaveLength(15);
  expect(series.timeseries.map((p) => p.cpu)).toEqual([
    null,
    10,
    20,
    30,
    ...Array.from({ length: 10 }, () => null),
    40,
  ]);
  expect(series.timeseries[1]).toMatchObject({
    timestamp: start + 60,
    bands: { cpu: { avg: 10, min: 10, max: 10 }, io_wait: { avg: null } },
    count: 1,
  });
  expect(series.gaps[0]).toMatchObject({ from: start + 180, to: start + 840, reason: 'agent_stopped' });
});

test('without a server the per cents are averaged and the rates summed over the caller’s servers only', async () => {
  const app = hourApp();
  const [user, other] = [await app.newUser(), await app.newUser()];
  const start = app.clock.now();
  for (const [owner, percent] of [
    [user, 10],
    [user, 30],
    [other, 90],
  ] as const) {
    app.clock.ms = start;
    await feed(app, await app.newAgent(owner), [percent]);
  }
  const series = (await app.call('GET', '/api/data/metrics/timeseries?hours=1', user)).json
    .data as unknown as TimeseriesAnswer;
  expect(series.aggregated).toBe(true);
  expect(series.timeseries.filter((p) => p.cpu !== null).map((p) => p.cpu)).toEqual([20]);
  const network = (await app.call('GET', '/api/data/network/timeseries?hours=1', user)).json
    .data as unknown as NetworkTimeseriesAnswer;
  expect(network.timeseries.filter((p) => p.inbound_bytes_per_sec !== null)).toMatchObject([
    { inbound_bytes_per_sec: 200, outbound_bytes_per_sec: 20 },
  ]);
});

test('a sum over servers leaves out the bucket just begun until all have reported in it', async () => {
  const app = hourApp();
  const user = await app.newUser();
  const start = app.clock.now();
  const disk = { read_operations_per_second: 7, write_operations_per_second: 0 };
  const rest = { read_bytes_per_second: null, write_bytes_per_second: null, busy_percent: null };
  const disks = [{ device: 'sda', ...disk, ...rest }];
  await feed(app, await app.newAgent(user), [10, 10, 10], { disks });
  // The other one has not reported in the bucket that the first one's third report began.
  app.clock.ms = start;
  await feed(app, await app.newAgent(user), [30, 30], { disks });
  app.clock.ms = start + 185_000;
  const ends = async () => {
    const read = (path: string) => app.call('GET', `/api/data/${path}?hours=1`, user);
    const network = (await read('network/timeseries')).json.data as unknown as NetworkTimeseriesAnswer;
    const host = (await read('metrics/timeseries')).json.data as unknown as TimeseriesAnswer;
    const inbound = network.timeseries.map((p) => p.inbound_bytes_per_sec);
    return [inbound, host.timeseries.map((p) => p.bands.iops.avg), host.timeseries.map((p) => p.cpu)].map((figures) =>
      figures.slice(-4),
    );
  };
  expect(await ends()).toEqual([
    [null, 200, 200, null],
    [null, 14, 14, null],
    [null, 20, 20, 10],
  ]);
  const servers = async (path: string) => {
    const { timeseries } = (await app.call('GET', `/api/data/${path}/timeseries?hours=1`, user)).json
      .data as unknown as TimeseriesAnswer;
    return timeseries.slice(-4).map((p) => [p.servers_reported, p.servers_installed]);
  };
  const early = [
    [0, 2],
    [2, 2],
    [2, 2],
    [null, null],
  ];
  expect([await servers('metrics'), await servers('network')]).toEqual([early, early]);
  // A minute later what is missing is history.
  app.clock.pass(60);
  expect((await servers('network')).slice(0, 3)).toEqual([
    [2, 2],
    [2, 2],
    [1, 2],
  ]);
  expect(await ends()).toEqual([
    [200, 200, 100, null],
    [14, 14, 7, null],
    [20, 20, 10, null],
  ]);
});

test('latest figures: each with a value or the reason it is missing', async () => {
  const app = hourApp();
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await app.newAgent(user, 'silent');
  await feed(app, agent, [10, 20]);
  app.clock.pass(5);
  const one = (await app.call('GET', `/api/data/metrics?server_id=${agent.serverId}`, user)).json
    .data as unknown as LatestMetricsAnswer;
  expect(one.total).toBe(1);
  expect(one.metrics[0]).toMatchObject({
    age_seconds: 5,
    metrics: {
      cpu_usage: { value: 20, reason: null },
      memory_usage: { value: null, reason: 'Not in the last report' },
    },
  });
  const all = (await app.call('GET', '/api/data/metrics', user)).json.data as unknown as LatestMetricsAnswer;
  expect(all.metrics.map((m) => m.timestamp === null)).toContain(true);
  const dated = `/api/data/metrics?server_id=${agent.serverId}&start_date=0&end_date=${app.clock.now() / 1000}`;
  const long = await app.call('GET', dated, user);
  expect([long.status, long.json.field]).toEqual([400, 'start_date']);
  const since = new Date(app.clock.now() - 3_600_000).toISOString();
  const history = await app.call(
    'GET',
    `/api/data/metrics?server_id=${agent.serverId}&start_date=${since}&limit=1`,
    user,
  );
  expect(history.json.data as unknown as LatestMetricsAnswer).toMatchObject({
    total: 2,
    metrics: [{ metrics: { cpu_usage: { value: 20 } } }],
  });
  const network = await app.call('GET', `/api/data/network/metrics?server_id=${agent.serverId}`, user);
  expect(network.json.data as unknown as NetworkMetricsAnswer).toMatchObject({
    total: 2,
    metrics: [{ inbound_bytes_per_sec: 100 }, {}],
  });
});

test('a missing figure says why: no report, what the source said, what macOS lacks', async () => {
  const app = hourApp();
  const user = await app.newUser();
  const [mac, linux, silent] = [await app.newAgent(user), await app.newAgent(user), await app.newAgent(user)];
  const sources = { memory: { ok: false, duration_ms: 1, error: 'vm_stat: permission denied' } };
  for (const [agent, platform] of [
    [mac, 'darwin'],
    [linux, 'linux'],
  ] as const) {
    const {
      memory: _,
      system,
      agent: told,
      ...rest
    } = fullReport('x', app.clock.now() / 1000) as Record<'memory' | 'system' | 'agent', object>;
    const item = { ...rest, ...sample(10), system: { ...system, platform }, agent: { ...told, sources } };
    const body = reportsBody(agent, app.clock.now(), [item]);
    expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  }
  const reasons = async ({ serverId }: TestAgent) => {
    const answer = await app.call('GET', `/api/data/metrics?server_id=${serverId}`, user);
    const [one] = (answer.json.data as unknown as LatestMetricsAnswer).metrics;
    return [one?.metrics.io_wait.reason, one?.metrics.memory_usage.reason];
  };
  expect(await reasons(mac)).toEqual(['Not available on macOS', 'vm_stat: permission denied']);
  expect(await reasons(linux)).toEqual(['Not in the last report', 'vm_stat: permission denied']);
  expect(await reasons(silent)).toEqual(['No report yet', 'No report yet']);
  // One call for the whole fleet says the same of each.
  const fleet = (await app.call('GET', '/api/data/metrics', user)).json.data as unknown as LatestMetricsAnswer;
  const ofFleet = fleet.metrics.map(({ server_id: id, metrics }) => [id, metrics.memory_usage.reason]);
  const denied = 'vm_stat: permission denied';
  expect(Object.fromEntries(ofFleet)).toEqual({
    [mac.serverId]: denied,
    [linux.serverId]: denied,
    [silent.serverId]: 'No report yet',
  });
});

test.each([
  ['hours=0', 'hours'],
  ['hours=8761', 'hours'],
  ['hours=1.5', 'hours'],
  ['buckets=9', 'buckets'],
  ['server_id=1', 'server_id'],
  ['start_date=yesterday', 'start_date'],
  ['start_date=2026-01-31T10:00:00', 'start_date'],
  ['start_date=200&end_date=100', 'start_date'],
])('timeseries?%s is 400 naming the parameter', async (query, field) => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  for (const path of ['/api/data/metrics/timeseries', '/api/data/network/timeseries']) {
    const answer = await app.call('GET', `${path}?${query}`, user);
    expect([answer.status, answer.json.field]).toEqual([400, field]);
  }
});

test('a series names the moment of its highest value, of one server and of all, before and after it is rolled up', async () => {
  const app = hourApp();
  const user = await app.newUser();
  const [calm, busy] = [await app.newAgent(user, 'calm'), await app.newAgent(user, 'busy')];
  const start = app.clock.now() / 1000;
  const minutes = Array.from({ length: 40 }, (_, minute) => (minute === 16 ? 97.5 : 20));
  await feed(app, busy, minutes);
  app.clock.ms = start * 1000;
  await feed(
    app,
    calm,
    minutes.map(() => 30),
  );
  const ask = async (query: string) =>
    (
      await app.call(
        'GET',
        `/api/data/metrics/timeseries?start_date=${start}&end_date=${start + 3600}&buckets=10&${query}`,
        user,
      )
    ).json.data as unknown as TimeseriesAnswer;
  // Buckets of ten minutes begin at :10, and the spike is at :17.
  const spike = { timestamp: start + 17 * 60, value: 97.5, server_id: busy.serverId, step_seconds: 0 };
  const [one, all] = [await ask(`server_id=${busy.serverId}`), await ask('')];
  expect([one.bucket_seconds, one.peaks?.cpu, all.peaks?.cpu]).toEqual([600, spike, spike]);
  expect(one.peaks?.disk).toBeNull();
  app.clock.pass(7200);
  await db.storage().rollups.rollUp(app.clock.now());
  await db.sql('DELETE FROM host_sample WHERE server_key = (SELECT key FROM server WHERE id = $1)', [busy.serverId]);
  const rolled = (await ask(`server_id=${busy.serverId}`)).peaks?.cpu;
  expect(rolled).toEqual({ ...spike, timestamp: start + 15 * 60, step_seconds: 300 });
  expect((await ask(`server_id=${calm.serverId}`)).peaks?.cpu).toMatchObject({ value: 30, server_id: calm.serverId });
});
