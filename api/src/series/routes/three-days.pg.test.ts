/**
 * Three days of two servers through the real accept path, with a clock in hand: what the calls answer is compared with
 * figures worked out here from the same minutes, by means of nothing of the product.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ActivityAnswer } from '@plimsoll/contract/wire/activity';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { LatestMetricsAnswer, TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { NetworkTimeseriesAnswer } from '@plimsoll/contract/wire/network';
import type { ProcessesAnswer } from '@plimsoll/contract/wire/processes';
import { markSilentJob } from '../../alerts/jobs.ts';
import { openSession } from '../../accounts/session.ts';
import { ALWAYS_RECEIVING } from '../../testing/ingest-watch.ts';
import { createPostgresStorage } from '../../postgres-storage.ts';
import type { Storage } from '../../storage.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const MINUTES = 3 * 1440;
const START = Math.floor(Date.now() / DAY) * DAY - 3 * DAY;
const at = (minute: number): number => START + minute * MINUTE;

/** Gap of the first server, in minutes since the start. */
const SILENT = { from: 1000, to: 1120 };
const REBOOT = { from: 2000, to: 2003 };
const HOT = { from: 2500, to: 2530 };
/** A rule fires and clears after five minutes; a sample stands for the minute before it, so with the fifth one. */
const HELD = 5;
/** Taken on time, sent twenty hours later; it was hot then, too, which is no news any more. */
const LATE = { from: 3000, to: 3060, sent: 4204 };
/** Minutes each server sends at once; five are not yet late. */
const BATCH = [5, 10] as const;
const SENDING_MS = 2000;
/** Its own clock is an hour ahead; nobody should notice. */
const WRONG_CLOCK_SECONDS = 3600;

const within = (minute: number, { from, to }: { from: number; to: number }): boolean => minute >= from && minute < to;
const isDown = (minute: number): boolean => within(minute, SILENT) || within(minute, REBOOT);
interface Minute {
  server: 0 | 1;
  minute: number;
  cpu: number;
  memory: number;
  receive: number;
  established: number;
}
const minuteOf = (server: 0 | 1, minute: number): Minute => {
  const hot = server === 0 && (within(minute, HOT) || within(minute, LATE));
  return {
    server,
    minute,
    cpu: hot ? 97 : (minute * (7 + server)) % 50,
    memory: 20 + (minute % 31),
    receive: 1000 + (minute % 100) * 10 + server,
    established: (minute + server) % 30,
  };
};
const ALL: Minute[] = ([0, 1] as const).flatMap((server) =>
  Array.from({ length: MINUTES }, (_, minute) => minuteOf(server, minute)).filter(
    ({ minute }) => server === 1 || !isDown(minute),
  ),
);
const isLate = ({ server, minute }: Minute): boolean => server === 0 && within(minute, LATE);

const quarterOf = (minute: number): number => minute / 15;
const process = (pid: number, cpu: number) => ({
  pid,
  name: 'job',
  command: `/usr/bin/job --n ${String(pid)}`,
  user: 'ada',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: pid * 1024,
  threads: 1,
  started_at: START / 1000,
});
/** One that stays, one of each quarter of an hour. */
const processesAt = (minute: number) => [
  process(1, 50),
  process(1000 + quarterOf(minute), (quarterOf(minute) % 40) + 1),
];

const event = (id: string, ts: number, type: string) => ({
  id,
  event_type: type,
  service_name: 'nginx',
  process_name: null,
  message: `nginx: ${id}`,
  severity: 'info',
  ts,
});
const EVENTS = [
  { minute: 100, id: 'restart', type: 'service_restart' },
  { minute: 3010, id: 'late stop', type: 'service_stop' },
  { minute: 4000, id: 'start', type: 'service_start' },
];
/** Before the report that carries it. */
const EVENT_AGE_MS = 30_000;

const bootOf = (server: number, minute: number): string => (server === 0 && minute >= REBOOT.to ? 'boot-2' : 'boot-1');
const BOOTED_BEFORE_SECONDS = 20;
const upOf = (server: number, minute: number): number =>
  bootOf(server, minute) === 'boot-2' ? (minute - REBOOT.to) * 60 + BOOTED_BEFORE_SECONDS : 50_000 + minute * 60;

const itemOf = (one: Minute, seq: number) => {
  const { server, minute, cpu, memory, receive, established } = one;
  const ts = at(minute) / 1000 + WRONG_CLOCK_SECONDS;
  const events = server === 0 ? EVENTS.filter((known) => known.minute === minute) : [];
  const none = { time_wait: 0, close_wait: 0, syn_sent: 0, syn_recv: 0 };
  return {
    seq,
    ts,
    up: upOf(server, minute),
    cpu: {
      percent: cpu,
      io_wait_percent: 0,
      steal_percent: 0,
      user_percent: 0,
      system_percent: 0,
      per_core_percent: [],
    },
    memory: {
      total_bytes: 100,
      available_bytes: 100 - memory,
      used_bytes: memory,
      swap_total_bytes: 0,
      swap_used_bytes: 0,
    },
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
    connection_counts: { total: established + 2, established, listen: 2, ...none },
    ...(server === 0 && minute % 15 === 0 && { processes: processesAt(minute) }),
    ...(events.length > 0 && { events: events.map(({ id, type }) => event(id, ts - EVENT_AGE_MS / 1000, type)) }),
  };
};

describeEachPostgres('three days', (db) => {
  let storage: Storage;
  let app: TestApp;
  let user: TestUser;
  let agents: [TestAgent, TestAgent];
  const seqs = new Map<Minute, number>();

  const send = async (server: 0 | 1, minutes: Minute[], sentMinute: number): Promise<void> => {
    app.clock.ms = at(sentMinute) + SENDING_MS;
    const items = minutes.map((one) => itemOf(one, seqs.get(one) ?? 0));
    const answer = await app.call('POST', '/api/agent/v1/reports', {
      token: agents[server].token,
      body: reportsBody(agents[server], app.clock.now(), items, {
        boot_id: bootOf(server, sentMinute),
        up_now: upOf(server, sentMinute) + SENDING_MS / 1000,
        sent_at: app.clock.now() / 1000 + WRONG_CLOCK_SECONDS,
      }),
    });
    expect(answer.json).toMatchObject({ rejected: [] });
  };
  const live = async (): Promise<void> => {
    const silent = markSilentJob({
      ...storage,
      ...app.deps,
      ingestWatch: ALWAYS_RECEIVING,
      reportIntervalSeconds: 60,
    });
    for (let last = 0; last < MINUTES; last += 1) {
      for (const server of [1, 0] as const) {
        if (last % BATCH[server] !== BATCH[server] - 1) continue;
        const batch = { from: last + 1 - BATCH[server], to: last + 1 };
        const due = ALL.filter((one) => one.server === server && within(one.minute, batch));
        const taken = due.filter((one) => !isLate(one));
        if (taken.length > 0) await send(server, taken, last);
      }
      if (last === LATE.sent) await send(0, ALL.filter(isLate), last);
      if (last === 1009) await silent.run(app.clock.now());
      if (last % 60 === 59) await storage.rollups.rollUp(app.clock.now());
    }
    app.clock.ms = at(MINUTES - 1) + SENDING_MS;
    await storage.rollups.rollUp(app.clock.now());
  };

  beforeAll(async () => {
    storage = createPostgresStorage({ connection: db.connection(), clock: { now: () => app.clock.now() } });
    app = testApp(storage);
    app.clock.ms = START;
    for (const server of [0, 1] as const)
      ALL.filter((one) => one.server === server).forEach((one, index) => seqs.set(one, index + 1));
    await storage.maintenance.makePartitions(START);
    user = await app.newUser();
    agents = [await app.newAgent(user, 'a'), await app.newAgent(user, 'b')];
    await live();
    const session = await openSession({ sessions: storage.sessions, clock: app.clock }, user.personId);
    user = { ...user, token: session.token };
  });

  afterAll(() => storage.close());

  const get = async <T>(path: string): Promise<T> => {
    const answer = await app.call('GET', path, user);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json.data as T;
  };
  const range = (from: number, to: number): string => `start_date=${at(from) / 1000}&end_date=${at(to) / 1000}`;

  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  /** Returns one value a bucket over the requested servers; null where no minute is. */
  const buckets = <T>(
    of: readonly number[],
    from: number,
    to: number,
    seconds: number,
    figure: (servers: Minute[][]) => T,
  ): (T | null)[] => {
    const found: (T | null)[] = [];
    for (let begin = from; begin < to; begin += seconds / 60) {
      const servers = of
        .map((server) =>
          ALL.filter((one) => one.server === server && within(one.minute, { from: begin, to: begin + seconds / 60 })),
        )
        .filter((minutes) => minutes.length > 0);
      found.push(servers.length === 0 ? null : figure(servers));
    }
    return found;
  };
  const round = (value: number): number => Math.round(value * 100) / 100;
  const percents = (servers: Minute[][], of: 'cpu' | 'memory') => ({
    avg: round(mean(servers.map((minutes) => mean(minutes.map((one) => one[of]))))),
    min: Math.min(...servers.flat().map((one) => one[of])),
    max: Math.max(...servers.flat().map((one) => one[of])),
  });

  /** Picks what is not the figure of its bucket, by more than `most`; where none is wanted, any figure. */
  const isFarFrom =
    (wanted: readonly (number | null)[], most: number) =>
    (value: number | null | undefined, index: number): boolean => {
      const figure = wanted[index] ?? null;
      return figure === null ? value !== null : !(Math.abs((value ?? Number.NaN) - figure) <= most);
    };

  /** Whole buckets only; the range's own widths, the last one by `buckets=`. */
  const RANGES = [
    { name: 'the silence, by the minute', from: 900, to: 1200, seconds: 60, more: '' },
    { name: 'the late hour, by the minute', from: 2900, to: 3200, seconds: 60, more: '' },
    { name: 'one day', from: 1440, to: 2880, seconds: 300, more: '' },
    { name: 'all three days', from: 0, to: 4320, seconds: 900, more: '' },
    { name: 'all three days, coarsely', from: 0, to: 4320, seconds: 21_600, more: '&buckets=24' },
  ];

  it.each(RANGES)('metrics over time: $name', async ({ from, to, seconds, more }) => {
    for (const of of [[0], [1], [0, 1]]) {
      const one = of.length === 1 ? `&server_id=${agents[of[0] ?? 0]?.serverId ?? ''}` : '';
      const series = await get<TimeseriesAnswer>(`/api/data/metrics/timeseries?${range(from, to)}${more}${one}`);
      expect(series).toMatchObject({ bucket_seconds: seconds, from: at(from) / 1000, to: at(to) / 1000 });
      for (const name of ['cpu', 'memory'] as const) {
        const wanted = buckets(of, from, to, seconds, (servers) => percents(servers, name));
        const none = { avg: null, min: null, max: null };
        expect(series.timeseries.map(({ bands }) => bands[name])).toEqual(wanted.map((band) => band ?? none));
      }
      const counts = buckets(of, from, to, seconds, (servers) => servers.flat().length);
      expect(series.timeseries.map(({ count }) => count)).toEqual(counts.map((count) => count ?? 0));
    }
  });

  it.each(RANGES)('network over time: $name', async ({ from, to, seconds, more }) => {
    for (const of of [[0], [1], [0, 1]]) {
      const one = of.length === 1 ? `&server_id=${agents[of[0] ?? 0]?.serverId ?? ''}` : '';
      const series = await get<NetworkTimeseriesAnswer>(`/api/data/network/timeseries?${range(from, to)}${more}${one}`);
      const sum = (pick: (minutes: Minute[]) => number) =>
        buckets(of, from, to, seconds, (servers) => servers.map(pick).reduce((a, b) => a + b, 0));
      const receive = (minutes: Minute[]) => minutes.map((minute) => minute.receive);
      const averages = sum((minutes) => mean(receive(minutes)));
      expect(series.timeseries.map((point) => point.inbound_bytes_per_sec).filter(isFarFrom(averages, 0.05))).toEqual(
        [],
      );
      expect(series.timeseries.map((point) => point.inbound_max)).toEqual(
        sum((minutes) => Math.max(...receive(minutes))),
      );
      // Whole connections: each server's mean is rounded, and the mean of a rollup before it.
      const established = sum((minutes) => mean(minutes.map((minute) => minute.established)));
      expect(
        series.timeseries
          .map((point) => point.connections_established)
          .filter(isFarFrom(established, 0.51 * of.length)),
      ).toEqual([]);
    }
  });

  it('the gaps have their reasons, and the late hour is none', async () => {
    const { gaps } = await get<TimeseriesAnswer>(
      `/api/data/metrics/timeseries?${range(0, MINUTES)}&server_id=${agents[0].serverId}`,
    );
    expect(gaps.map(({ from, to, reason }) => ({ from, to, reason }))).toEqual([
      { from: at(SILENT.from - 1) / 1000, to: at(SILENT.to) / 1000, reason: 'agent_stopped' },
      { from: at(REBOOT.from - 1) / 1000, to: at(REBOOT.to) / 1000, reason: 'rebooted' },
    ]);
  });

  it('metrics: the latest of each server, and samples of a range, newest first', async () => {
    const latest = await get<LatestMetricsAnswer>('/api/data/metrics');
    const last = new Map(latest.metrics.map((one) => [one.server_id, one]));
    for (const [server, agent] of agents.entries()) {
      const { cpu, memory } = minuteOf(server as 0 | 1, MINUTES - 1);
      expect(last.get(agent.serverId)).toMatchObject({
        timestamp: at(MINUTES - 1) / 1000,
        age_seconds: SENDING_MS / 1000,
        metrics: { cpu_usage: { value: cpu }, memory_usage: { value: memory } },
      });
    }
    const samples = await get<LatestMetricsAnswer>(
      `/api/data/metrics?server_id=${agents[0].serverId}&${range(900, 1200)}&limit=1000`,
    );
    const wanted = ALL.filter((one) => one.server === 0 && within(one.minute, { from: 900, to: 1200 })).toReversed();
    expect(samples.total).toBe(180);
    expect(samples.metrics.map((one) => [one.timestamp, one.metrics.cpu_usage.value])).toEqual(
      wanted.map((one) => [at(one.minute) / 1000, one.cpu]),
    );
  });

  it('processes: those of the newest list, and those seen in an hour', async () => {
    const newest = await get<ProcessesAnswer>('/api/data/processes');
    const lastQuarter = 4305;
    const told = ({ processes }: ProcessesAnswer) => processes.map((one) => [one.pid, one.cpu_usage, one.timestamp]);
    expect(told(newest)).toEqual([
      [1, 50, at(lastQuarter) / 1000],
      [1287, 8, at(lastQuarter) / 1000],
    ]);
    const hour = await get<ProcessesAnswer>(`/api/data/processes?${range(1500, 1560)}`);
    const seen = [1500, 1515, 1530, 1545].map((minute) => [
      1000 + minute / 15,
      ((minute / 15) % 40) + 1,
      at(minute) / 1000,
    ]);
    expect(told(hour)).toEqual([[1, 50, at(1545) / 1000], ...seen.toSorted((a, b) => (b[1] ?? 0) - (a[1] ?? 0))]);
    expect((await get<ProcessesAnswer>(`/api/data/processes?${range(1010, 1100)}`)).total).toBe(0);
  });

  it('notifications: the hot half hour and the silence, once each; what came late is not news', async () => {
    const { alerts, total } = await get<AlertsAnswer>('/api/data/notifications');
    expect(total).toBe(2);
    const server_id = agents[0].serverId;
    expect(alerts).toMatchObject([
      {
        server_id,
        metric_name: 'cpu_usage',
        level: 'critical',
        status: 'resolved',
        timestamp: at(HOT.from + HELD - 1) / 1000,
        resolved_at: new Date(at(HOT.to + HELD - 1)).toISOString(),
        current_value: minuteOf(0, HOT.to + HELD - 1).cpu,
        threshold_value: 95,
      },
      {
        server_id,
        metric_name: 'offline',
        status: 'resolved',
        timestamp: (at(1009) + SENDING_MS) / 1000,
        resolved_at: new Date(at(SILENT.to + BATCH[0] - 1) + SENDING_MS).toISOString(),
      },
    ]);
  });

  it('activity: newest first, at its own time on our clock', async () => {
    const told = ({ events }: ActivityAnswer) => events.map((one) => [one.message, one.event_type, one.timestamp]);
    const wanted = EVENTS.toReversed().map(({ minute, id, type }) => [
      `nginx: ${id}`,
      type,
      (at(minute) - EVENT_AGE_MS) / 1000,
    ]);
    expect(told(await get<ActivityAnswer>('/api/data/activity'))).toEqual(wanted);
    expect(told(await get<ActivityAnswer>(`/api/data/activity?${range(3000, 3060)}`))).toEqual([wanted[1]]);
    expect((await get<ActivityAnswer>(`/api/data/activity?server_id=${agents[1].serverId}`)).total).toBe(0);
  });
});
