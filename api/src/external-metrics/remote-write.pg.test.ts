/** Remote write of node_exporter, from the request to the figures of a server. */
import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken, newToken } from '../accounts/tokens.ts';
import type { TokenScope } from '../accounts/types.ts';
import { RateLimit } from '../http/limits/rate-limit.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import {
  nodeExporter,
  REMOTE_WRITE_ONE,
  REMOTE_WRITE_TWO,
  snappy,
  writeRequestOne,
  writeRequestTwo,
  type SentSeries,
} from '../testing/remote-write.ts';
import { metricsJobOf } from '../testing/metrics-job.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let token: string;

const apiToken = async (of: TestUser, scopes: readonly TokenScope[]): Promise<string> => {
  const made = newToken('api');
  const entry = { name: scopes.join(), scopes, tokenHash: hashToken(made), lastFour: made.slice(-4), expiresAt: null };
  await db.storage().identity.apiTokens.replace(of.personId, entry, app.clock.now());
  return made;
};

beforeEach(async () => {
  await db.sql('DELETE FROM external_reading');
  app = testApp(db.storage());
  app.clock.ms = Math.ceil(app.clock.ms / 60_000) * 60_000;
  user = await app.newUser();
  token = await apiToken(user, ['metrics']);
});

const write = (series: readonly SentSeries[], version: 1 | 2 = 1, with_ = token): Promise<Answer> =>
  app.call('POST', '/api/v1/write', {
    token: with_,
    headers: version === 1 ? REMOTE_WRITE_ONE : REMOTE_WRITE_TWO,
    body: snappy(version === 1 ? writeRequestOne(series) : writeRequestTwo(series)),
  });

/** Runs the job as the scheduler does. */
const report = async (given: Parameters<typeof metricsJobOf>[1] = {}): Promise<void> => {
  await metricsJobOf(app, given).run(app.clock.now());
};
const outcomes = async (): Promise<Record<string, number>> => {
  const { values } = await app.deps.metrics.externalReports.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
};

/** Sends a scrape a minute, 20 s into it, and makes the reports. `seconds`: since the boot of the machine at the first. */
const minutes = async (
  count: number,
  {
    instance = '10.0.0.5:9100',
    seconds = 1000,
    version = 1,
  }: { instance?: string; seconds?: number; version?: 1 | 2 } = {},
) => {
  for (let minute = 0; minute < count; minute += 1) {
    app.clock.pass(20);
    const sent = await write(nodeExporter(instance, app.clock.now(), seconds + minute * 60), version);
    expect(sent.status).toBe(204);
    app.clock.pass(40);
  }
  app.clock.pass(15);
  await report();
  app.clock.pass(45);
};

const servers = async (of = user): Promise<Record<string, unknown>[]> => {
  const { json } = await app.call('GET', '/api/servers/list', { token: of.token });
  return (json.data as unknown as { servers: Record<string, unknown>[] }).servers;
};
const detail = async (): Promise<Record<string, never>> => {
  const [server] = await servers();
  const { json } = await app.call('GET', `/api/servers/${String(server?.['id'])}`, { token: user.token });
  return (json.data as unknown as { server: Record<string, never> }).server;
};

interface Sender {
  uname?: Record<string, string>;
  all?: Record<string, string>;
  seconds: number;
}
/** Both machines send each minute under one job and instance, a second after one another, and their reports are made. */
const together = async (senders: readonly Sender[], count = 2, report_ = report): Promise<void> => {
  for (let minute = 0; minute < count; minute += 1) {
    app.clock.pass(20);
    for (const { uname, all, seconds } of senders) {
      const series = nodeExporter('10.0.0.5:9100', app.clock.now(), seconds + minute * 60).map(
        ({ labels, samples }) => ({
          samples,
          labels: { ...labels, ...all, ...(labels['__name__'] === 'node_uname_info' && uname) },
        }),
      );
      // A scrape comes in two requests, and only the second one has the host name.
      for (const part of [series.slice(0, 9), series.slice(9)]) expect((await write(part)).status).toBe(204);
      app.clock.pass(1);
    }
    app.clock.pass(40 - senders.length);
  }
  app.clock.pass(15);
  await report_();
  app.clock.pass(45);
};
const BY_SERVER = `SELECT s.hostname, s.id, count(*)::integer AS samples, count(cpu_percent)::integer AS rates
  FROM host_sample JOIN server s ON key = server_key WHERE organisation_id = $1 GROUP BY 1, 2`;
interface ByServer {
  hostname: string;
  id: string;
  samples: number;
  rates: number;
}
const byServer = () => db.sql<ByServer>(BY_SERVER, [user.organisationId]);

test.each<[string, Sender, string[]]>([
  ['host names', { uname: { nodename: 'alpha' }, seconds: 500_000 }, ['alpha', 'web-1']],
  ['times of boot', { seconds: 500_000 }, ['web-1 (machine 1)', 'web-1 (machine 2)']],
  ['clusters', { all: { cluster: 'eu' }, seconds: 1001 }, ['web-1 (cluster eu)', 'web-1 (cluster us)']],
  ['ids', { uname: { machine_id: 'aa' }, seconds: 1001 }, ['web-1 (aa)', 'web-1 (bb)']],
])(
  'machines that send under one job and instance are servers of their own, told apart by their %s',
  async (_, other, names) => {
    const first = { seconds: 1000, all: { cluster: 'us' }, uname: { machine_id: 'bb' } };
    const { all, uname, seconds } = first;
    const one = { seconds, ...(other.all && { all }), ...(other.uname?.['machine_id'] !== undefined && { uname }) };
    await together([one, other]);
    await together([
      { ...one, seconds: seconds + 180 },
      { ...other, seconds: other.seconds + 180 },
    ]);
    const found = await byServer();
    expect(found.map(({ hostname }) => hostname).toSorted()).toEqual(names);
    // Four minutes of each: the first one has no rate.
    expect(found).toMatchObject([
      { samples: 4, rates: 3 },
      { samples: 4, rates: 3 },
    ]);
    for (const { id, hostname } of found) {
      const { json } = await app.call('GET', `/api/servers/${id}`, { token: user.token });
      const { server } = json.data as unknown as {
        server: { agent: { last_error: string }; sources: Record<string, object> };
      };
      expect(server.agent.last_error).toContain('as 10.0.0.5: ');
      expect(server.agent.last_error).toContain(names.find((name) => name !== hostname));
      expect(server.sources['identity']).toMatchObject({ ok: false, error: server.agent.last_error });
    }
  },
);

test('a second machine leaves the server of the first one as it was, and its history goes on there', async () => {
  await minutes(2, { seconds: 500_000 });
  const [before] = await byServer();
  await together([{ seconds: 500_180 }, { seconds: 1000 }]);
  const found = await byServer();
  expect(found).toHaveLength(2);
  expect(found.find(({ id }) => id === before?.id)).toMatchObject({ samples: 4, rates: 3 });
});

test('replicas of Prometheus that scrape one machine make one server', async () => {
  await together([
    { all: { replica: 'a' }, seconds: 1000 },
    { all: { replica: 'b' }, seconds: 1001 },
  ]);
  expect(await byServer()).toMatchObject([{ hostname: 'web-1', samples: 2, rates: 1 }]);
});

test('a machine that is told apart counts for the plan', async () => {
  const senders = ['alpha', 'beta', 'gamma', 'delta'].map((nodename, index) => ({
    uname: { nodename },
    seconds: 1000 + index * 5000,
  }));
  await together(senders, 1, () => report({ planLimits: 'free' }));
  expect(await servers()).toHaveLength(3);
  expect(await outcomes()).toEqual({ stored: 3, plan_limit: 1 });
});

describe.each([1, 2] as const)('version %i', (version) => {
  test('makes a server of a node_exporter, with rates between two samples', async () => {
    await minutes(2, { version });
    expect(await servers()).toMatchObject([{ hostname: 'web-1', status: 'active' }]);
    expect(await db.sql<Record<string, number>>(SAMPLES, [user.organisationId])).toMatchObject([
      { cpu: null, memory: 25, disk: 75, write_ops: null, receive: null, load: 0.5, swap: 50 },
      { cpu: 25, memory: 25, disk: 75, write_ops: 4, receive: 2000, load: 0.5, swap: 50 },
    ]);
  });
});
const SAMPLES = `SELECT cpu_percent AS cpu, memory_percent AS memory, disk_percent AS disk, swap_percent AS swap,
  write_operations_per_second AS write_ops, receive_bytes_per_second AS receive, load_one AS load,
  connections_total AS connections
  FROM host_sample JOIN server ON key = server_key WHERE organisation_id = $1 ORDER BY ts`;

test('joins the series of one scrape that came in several requests, also through another replica', async () => {
  const other = testApp(db.storage());
  other.clock.ms = app.clock.ms;
  for (const minute of [0, 1]) {
    const series = nodeExporter('10.0.0.5:9100', app.clock.now(), 1000 + minute * 60);
    await write(series.slice(0, 9));
    const rest = { headers: REMOTE_WRITE_ONE, body: snappy(writeRequestOne(series.slice(9))) };
    await other.call('POST', '/api/v1/write', { token, ...rest });
    app.clock.pass(60);
    other.clock.pass(60);
  }
  app.clock.pass(15);
  await report();
  const rows = await db.sql<Record<string, number>>(SAMPLES, [user.organisationId]);
  expect(rows.at(-1)).toMatchObject({ cpu: 25, memory: 25, write_ops: 4, receive: 2000 });
});

test('what node_exporter does not send is unknown with its reason, never 0', async () => {
  await minutes(2);
  expect((await db.sql<Record<string, number>>(SAMPLES, [user.organisationId])).at(-1)).toMatchObject({
    connections: null,
  });
  expect(await detail()).toMatchObject({
    sources: {
      cpu: { ok: true },
      processes: { ok: false, error: 'node_exporter does not send this; the collector of Plimsoll does' },
      connections: { ok: false },
    },
    agent: { spool_bytes: null },
  });
});

test('a report is stored once, however often its samples come', async () => {
  await minutes(1);
  app.clock.pass(-60);
  await write(nodeExporter('10.0.0.5:9100', app.clock.now() - 40_000, 1000));
  app.clock.pass(60);
  await report();
  expect(await outcomes()).toEqual({ stored: 1, replayed: 1 });
  expect(await db.sql(SAMPLES, [user.organisationId])).toHaveLength(1);
});

test('a part that comes after its interval was reported is dropped, and the next report is not harmed', async () => {
  await minutes(1);
  const late = app.clock.now() - 90_000;
  await write(nodeExporter('10.0.0.5:9100', late, 1010).slice(0, 9));
  app.clock.pass(15);
  await report();
  app.clock.pass(-75);
  await minutes(1, { seconds: 1060 });
  expect(await outcomes()).toEqual({ stored: 2, replayed: 1 });
  const rows = await db.sql<Record<string, number>>(SAMPLES, [user.organisationId]);
  expect(rows.map(({ cpu, memory }) => [cpu, memory])).toEqual([
    [null, 25],
    [25, 25],
  ]);
});

test('a report whose removal from the queue was cut off is made again without effect', async () => {
  const { externalReadings } = app.deps.storage;
  const broken = { ...externalReadings, settle: () => Promise.reject(new Error('killed')) };
  await write(nodeExporter('10.0.0.5:9100', app.clock.now(), 1000));
  app.clock.pass(75);
  await report({ externalReadings: broken });
  await report();
  expect(await outcomes()).toEqual({ stored: 1, failed: 1, replayed: 1 });
  expect(await db.sql(SAMPLES, [user.organisationId])).toHaveLength(1);
});

test('takes no lock while no interval has ended', async () => {
  const { externalReadings } = app.deps.storage;
  let locks = 0;
  const counting = {
    ...externalReadings,
    exclusively: <T>(work: () => Promise<T>) => {
      locks += 1;
      return externalReadings.exclusively(work);
    },
  };
  await report({ externalReadings: counting });
  await write(nodeExporter('10.0.0.5:9100', app.clock.now(), 1000));
  await report({ externalReadings: counting });
  expect(locks).toBe(0);
  app.clock.pass(75);
  await report({ externalReadings: counting });
  app.clock.pass(60);
  // One reading is kept for the counters of the next report. It needs no report itself.
  await report({ externalReadings: counting });
  expect(locks).toBe(1);
});

test('a counter that began anew has no rate', async () => {
  await minutes(1, { seconds: 5000 });
  await minutes(1, { seconds: 10 });
  const rows = await db.sql<Record<string, number>>(SAMPLES, [user.organisationId]);
  expect(rows.at(-1)).toMatchObject({ cpu: null, write_ops: null, memory: 25 });
});

test('an interval waits until it has ended and nothing more comes', async () => {
  await write(nodeExporter('10.0.0.5:9100', app.clock.now() + 20_000, 1000));
  app.clock.pass(65);
  await report();
  expect(await servers()).toEqual([]);
  app.clock.pass(10);
  await report();
  expect(await servers()).toHaveLength(1);
});

test('a server that is silent goes offline, and the gap names what is missing', async () => {
  await minutes(2);
  app.clock.pass(600);
  expect(await servers()).toMatchObject([{ status: 'offline' }]);
  await minutes(1, { seconds: 1780 });
  const [server] = await servers();
  const series = `/api/data/metrics/timeseries?hours=1&server_id=${String(server?.['id'])}`;
  const { text } = await app.call('GET', series, { token: user.token });
  expect(text).toContain(
    'No metrics of this server arrived: its agent or the program that sends them was not running.',
  );
});

test('a deleted server stays deleted while its agent goes on', async () => {
  await minutes(1);
  const [server] = await servers();
  const body = { server_id: server?.['id'] };
  expect((await app.call('DELETE', '/api/servers/delete', { token: user.token, body })).status).toBe(200);
  await minutes(1, { seconds: 2000 });
  expect(await servers()).toEqual([]);
  expect(await outcomes()).toMatchObject({ server_deleted: 1 });
});

test('the plan limits the servers', async () => {
  for (const host of ['a', 'b', 'c', 'd']) await write(nodeExporter(`${host}:9100`, app.clock.now(), 1000));
  app.clock.pass(75);
  await report({ planLimits: 'free' });
  expect(await servers()).toHaveLength(3);
  expect(await outcomes()).toEqual({ stored: 3, plan_limit: 1 });
});

test('two accounts with the same instance have a server each', async () => {
  const other = await app.newUser();
  await write(nodeExporter('10.0.0.5:9100', app.clock.now(), 1000));
  await write(nodeExporter('10.0.0.5:9100', app.clock.now(), 1000), 1, await apiToken(other, ['write']));
  app.clock.pass(75);
  await report();
  const [mine, theirs] = [await servers(), await servers(other)];
  expect([mine.length, theirs.length]).toEqual([1, 1]);
  expect(mine[0]?.['id']).not.toBe(theirs[0]?.['id']);
});

test('an alert fires on the figures of an external server', async () => {
  const rule = {
    metric: 'memory_usage',
    target: 'all',
    lines: [{ level: 'warning', threshold: 20 }],
    for_seconds: 0,
    keep_firing_for_seconds: 0,
    hysteresis_points: 0,
    enabled: true,
  };
  const made = await app.call('POST', '/api/alerts/rules', { token: user.token, body: rule });
  expect(made.status).toBe(200);
  await minutes(2);
  const alerts = 'SELECT metric FROM alert JOIN server s ON s.key = server_key WHERE s.organisation_id = $1';
  expect(await db.sql(alerts, [user.organisationId])).toContainEqual({ metric: 'memory_usage' });
});

describe('the answer', () => {
  test('counts what was written and what has no place', async () => {
    const { status, headers } = await write(nodeExporter('a:9100', app.clock.now(), 1000), 2);
    expect(status).toBe(204);
    expect(headers.get('x-prometheus-remote-write-samples-written')).toBe('27');
    expect(headers.get('x-prometheus-remote-write-histograms-written')).toBe('0');
    expect(headers.get('x-prometheus-remote-write-exemplars-written')).toBe('0');
    expect(headers.get('x-plimsoll-samples-ignored')).toBe('1');
  });

  test('is 400 for samples out of the bounds of time, and the others are taken', async () => {
    const late = nodeExporter('a:9100', app.clock.now() - 27 * 3_600_000, 1000);
    const { status, json } = await write([...late, ...nodeExporter('b:9100', app.clock.now(), 1000)]);
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
    expect(await db.sql('SELECT name FROM external_reading')).toEqual([{ name: 'b' }]);
  });

  test('is 400 for what is not valid, so that no agent repeats it', async () => {
    const answer = async (body: Uint8Array) => {
      const { status, json } = await app.call('POST', '/api/v1/write', { token, headers: REMOTE_WRITE_ONE, body });
      return [status, json.code];
    };
    expect(await answer(Uint8Array.of(1, 2, 3))).toEqual([400, 'invalid_snappy']);
    expect(await answer(snappy(Uint8Array.of(0x0a, 0x7f)))).toEqual([400, 'invalid_protobuf']);
  });

  test('is 413 for a body that is too large, and 415 for another protocol', async () => {
    const large = await app.call('POST', '/api/v1/write', {
      token,
      headers: REMOTE_WRITE_ONE,
      body: new Uint8Array(4_194_305),
    });
    expect(large.status).toBe(413);
    const json = await app.call('POST', '/api/v1/write', { token, body: {} });
    expect(json.status).toBe(415);
  });

  test('is 503 with Retry-After above the rate, because Prometheus drops what gets 429', async () => {
    app.deps.rates.externalMetrics = new RateLimit({ perSecond: 0.1, burst: 1 });
    await write([]);
    const { status, headers } = await write([]);
    expect([status, headers.get('retry-after')]).toEqual([503, '10']);
  });

  test('is 403 for a token that may not send metrics; one that may write also may send them', async () => {
    expect((await write([], 1, await apiToken(user, ['read', 'transfer']))).status).toBe(403);
    expect((await write([], 1, await apiToken(user, ['write']))).status).toBe(204);
  });
});
