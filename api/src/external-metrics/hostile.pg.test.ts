/** Bodies that once stopped the API, made it fail or lost their neighbours, through both doors for other agents. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { ConcurrencyLimit, SenderLimits } from '../concurrency-limit.ts';
import type { Deps } from '../deps.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../testing/app.ts';
import { hostMetrics, otlpJson, otlpProtobuf, type SentResource } from '../testing/otlp.ts';
import { testStorage } from '../testing/postgres.ts';
import { nodeExporter, REMOTE_WRITE_ONE, REMOTE_WRITE_TWO, snappy } from '../testing/remote-write.ts';
import { writeRequestOne, writeRequestTwo, type SentSeries } from '../testing/remote-write.ts';
import { metricsJobOf } from '../testing/metrics-job.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let token: string;

const tokenOf = async (of: TestUser): Promise<string> => {
  const made = newToken('api');
  const entry = { name: 'sender', scopes: ['metrics'] as const, tokenHash: hashToken(made), lastFour: made.slice(-4) };
  await db.storage().identity.apiTokens.replace(of.personId, { ...entry, expiresAt: null }, app.clock.now());
  return made;
};
const open = async (given: Partial<Deps> = {}): Promise<void> => {
  app = testApp(db.storage(), given);
  app.clock.ms = Math.ceil(app.clock.ms / 60_000) * 60_000;
  user = await app.newUser();
  token = await tokenOf(user);
  onTestFinished(() => app.deps.metricsThread.close());
};

beforeEach(async () => {
  await db.sql('DELETE FROM external_reading');
  await open();
});

const write = (series: readonly SentSeries[], version: 1 | 2 = 1, with_ = token): Promise<Answer> =>
  app.call('POST', '/api/v1/write', {
    token: with_,
    headers: version === 1 ? REMOTE_WRITE_ONE : REMOTE_WRITE_TWO,
    body: snappy(version === 1 ? writeRequestOne(series) : writeRequestTwo(series)),
  });
type Encoding = 'protobuf' | 'json';
const send = (resources: SentResource[], encoding: Encoding): Promise<Answer> =>
  app.call('POST', '/v1/metrics', {
    token,
    headers: { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' },
    body: encoding === 'json' ? otlpJson(resources) : otlpProtobuf(resources),
  });
const report = async (): Promise<void> => {
  await metricsJobOf(app).run(app.clock.now());
};
const servers = async (): Promise<Record<string, unknown>[]> => {
  const { json } = await app.call('GET', '/api/servers/list', { token: user.token });
  return (json.data as unknown as { servers: Record<string, unknown>[] }).servers;
};
const samplesOf = async (outcome: string): Promise<number> => {
  const { values } = await app.deps.metrics.externalSamples.get();
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
};
const load = (labels: Record<string, string>, value = 0.5): SentSeries => ({
  labels: { __name__: 'node_load1', job: 'node', instance: 'a:9100', ...labels },
  samples: [{ value, at: app.clock.now() }],
});
/** A filesystem of its own for each number, with labels as long as they are stored. */
const filesystems = (count: number): SentSeries[] =>
  Array.from({ length: count }, (_, index) => {
    const of = (letter: string) => `${String(index)}${letter.repeat(250)}`.slice(0, 250);
    return load({ __name__: 'node_filesystem_size_bytes', device: of('d'), mountpoint: of('m'), fstype: of('f') });
  });

describe('odd texts cost no request', () => {
  const HALF = `${'a'.repeat(255)}😀`;
  /** Keys of every object are names, too. */
  const KEYS = ['__proto__', 'constructor', 'toString'];
  const TEXTS = [
    ...KEYS,
    HALF,
    `${HALF}😀`,
    '\0',
    '\0\0web',
    '\uD83D',
    'a\uDE00b',
    '\u202Eweb',
    'x'.repeat(5000),
    '\t\n',
  ];

  test.each([1, 2] as const)('in any label of remote write %i', async (version) => {
    for (const text of TEXTS) {
      const odd = [
        load({ __name__: 'node_uname_info', nodename: text, sysname: text, release: text, machine: text }),
        load({ __name__: 'node_disk_reads_completed_total', device: text }),
        load({ __name__: 'node_devstat_bytes_total', device: 'ada0', type: text }),
        load({ __name__: 'node_cpu_seconds_total', cpu: '0', mode: text }),
        load({ instance: text, job: text }),
      ];
      const { status } = await write([...odd, ...nodeExporter('good:9100', app.clock.now(), 1000)], version);
      expect([text.slice(-8), status]).toEqual([text.slice(-8), 204]);
    }
    app.clock.pass(75);
    await report();
    expect((await servers()).map(({ hostname }) => hostname)).toContain('web-1');
    expect(await db.sql('SELECT FROM external_reading WHERE NOT is_reported')).toEqual([]);
  });

  test.each(['protobuf', 'json'] as const)('in any attribute of OTLP in %s', async (encoding) => {
    for (const text of TEXTS) {
      const odd = hostMetrics(
        { 'host.id': text, 'host.name': text, 'os.type': text, 'os.description': text },
        app.clock.now(),
        1000,
      );
      const points = [{ attributes: { device: text, direction: 'read' }, value: 1, from: 0, at: app.clock.now() }];
      odd.metrics.push({ name: 'system.disk.operations', temporality: 'cumulative', points });
      const states = [{ attributes: { state: text }, value: 1, from: 0, at: app.clock.now() }];
      odd.metrics.push({ name: 'system.memory.usage', temporality: 'current', points: states });
      const good = hostMetrics({ 'host.name': 'web-1' }, app.clock.now(), 1000);
      const { status } = await send([odd, good], encoding);
      expect([text.slice(-8), status]).toEqual([text.slice(-8), 200]);
    }
    app.clock.pass(75);
    await report();
    expect((await servers()).map(({ hostname }) => hostname)).toContain('web-1');
    expect(await db.sql('SELECT FROM external_reading WHERE NOT is_reported')).toEqual([]);
  });

  test('a row that PostgreSQL refuses all the same costs itself alone', async () => {
    const { externalReadings } = app.deps.storage;
    const row = (name: string, growths: string) =>
      `{"hash":"00","agent":"prometheus","identity":"${name}","name":"${name}","interval_at":0,"samples":3,
        "characters":1,"reading_values":[],"growths":${growths}}`;
    const json = `[${row('bad', '["\\ud83d"]').replace('"name":"bad"', '"name":"\\u0000"')},${row('good', '[]')}]`;
    expect(await externalReadings.add(user.organisationId, [{ json, rows: 2 }], app.clock.now())).toBe(3);
    expect(await db.sql('SELECT name FROM external_reading')).toEqual([{ name: 'good' }]);
  });
});

describe('figures that no machine can have', () => {
  const VALUES = [NaN, Infinity, -Infinity, 1e308, -1, -1e308, 2 ** 53, 2 ** 63, 5e-324, 0.5];

  test('cost their own part, and never the report', async () => {
    const names = nodeExporter('a:9100', 0, 0).map(({ labels }) => labels);
    for (const value of VALUES) {
      const odd = names.map((labels) => ({ labels, samples: [{ value, at: app.clock.now() }] }));
      const whole = nodeExporter('a:9100', app.clock.now(), 1000);
      // Each figure in turn is odd, on a machine of its own.
      const machines = odd.map((one, index) =>
        [...whole.slice(0, index), one, ...whole.slice(index + 1)].map((series) => ({
          ...series,
          labels: { ...series.labels, instance: `m${String(index)}:9100` },
        })),
      );
      const { status } = await write([...machines.flat(), ...odd]);
      expect([value, status]).toEqual([value, 204]);
      app.clock.pass(60);
    }
    app.clock.pass(15);
    await report();
    const { values } = await app.deps.metrics.externalReports.get();
    expect(values.filter(({ labels }) => labels.outcome !== 'stored' && labels.outcome !== 'empty')).toEqual([]);
  });

  test.each([-1, 0, 1, 2 ** 62, -(2 ** 62)])('a time of %d is refused, and the others are stored', async (at) => {
    const odd = { ...load({}), samples: [{ value: 1, at }] };
    expect((await write([odd, load({ instance: 'b:9100' })])).status).toBe(400);
    expect(await db.sql('SELECT name FROM external_reading')).toEqual([{ name: 'b' }]);
  });

  test('a reason names the part that was left out', async () => {
    const huge = { __name__: 'node_memory_MemTotal_bytes' };
    await write([...nodeExporter('a:9100', app.clock.now(), 1000), load(huge, 1e19)].toReversed());
    app.clock.pass(75);
    await report();
    const [server] = await servers();
    const { text } = await app.call('GET', `/api/servers/${String(server?.['id'])}`, { token: user.token });
    expect(text).toContain('The agent sent values that no machine can have');
  });
});

describe('a flood', () => {
  test('of figures of one machine is cut and counted, and keeps the figures of fixed labels', async () => {
    const sent = [...filesystems(6000), ...nodeExporter('a:9100', app.clock.now(), 1000)];
    const { status, json } = await write(sent);
    expect([status, json.detail]).toEqual([400, expect.stringContaining('too many figures')]);
    expect(await samplesOf('left_out')).toBeGreaterThan(3000);
    const [row] = await db.sql<{ characters: number; load: boolean }>(
      `SELECT characters, reading_values::text LIKE '%node%' OR reading_values::text LIKE '%load%' AS load FROM external_reading`,
    );
    expect(row?.characters).toBeLessThan(2 * EXTERNAL_METRICS_LIMITS.figureCharactersPerReading);
    expect(row?.load).toBe(true);
  });

  test('of requests of one machine and interval is stored up to a limit', async () => {
    await write(nodeExporter('a:9100', app.clock.now(), 1000));
    for (let request = 0; request < 7; request += 1) await write(filesystems(2000));
    const [stored] = await db.sql<{ sum: number }>('SELECT sum(characters)::float8 AS sum FROM external_reading');
    expect(stored?.sum).toBeLessThanOrEqual(EXTERNAL_METRICS_LIMITS.figureCharactersPerInterval);
    expect(stored?.sum).toBeGreaterThan(EXTERNAL_METRICS_LIMITS.figureCharactersPerInterval / 2);
    app.clock.pass(75);
    await report();
    expect(await servers()).toHaveLength(1);
  });

  test('of one long symbol that many labels name does not grow with them', async () => {
    const device = 'x'.repeat(100_000);
    const sent = Array.from({ length: 3000 }, () =>
      load({ __name__: 'node_filesystem_size_bytes', device, mountpoint: device, fstype: device }),
    );
    const thread = vi.spyOn(app.deps.metricsThread, 'read');
    expect((await write(sent, 2)).status).toBe(204);
    expect(thread).toHaveBeenCalledTimes(1);
    const [row] = await db.sql<{ characters: number }>('SELECT characters FROM external_reading');
    expect(row?.characters).toBeLessThan(1000);
  });

  test('of objects in JSON is refused before they are made', async () => {
    const body = `{"resourceMetrics":[${'{},'.repeat(1_100_000)}{}]}`;
    const { status } = await app.call('POST', '/v1/metrics', {
      token,
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(status).toBe(413);
  });

  test('of intervals is stored in pieces', async () => {
    const at = (index: number) => app.clock.now() - index * 60_000;
    const sent = Array.from({ length: 1200 }, (_, index) => ({ ...load({}), samples: [{ value: 1, at: at(index) }] }));
    const add = vi.spyOn(app.deps.storage.externalReadings, 'add');
    onTestFinished(() => add.mockRestore());
    expect((await write(sent)).status).toBe(204);
    expect(add.mock.calls[0]?.[1].map(({ rows }) => rows)).toEqual([500, 500, 200]);
    expect(await db.sql('SELECT FROM external_reading')).toHaveLength(1200);
  });

  test('of one account takes no place of another', async () => {
    await open({ metricsPlaces: new SenderLimits({ inFlight: 1, bytes: Infinity, waitMs: 20 }) });
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = app.deps.metricsPlaces.run(user.organisationId, () => promise);
    const { status, json, headers } = await write([load({})]);
    expect([status, json.code, Number(headers.get('retry-after')) > 0]).toEqual([503, 'overloaded', true]);
    expect((await write([load({})], 1, await tokenOf(await app.newUser()))).status).toBe(204);
    resolve();
    await held;
    expect((await write([load({})])).status).toBe(204);
  });

  test('counts into what reports hold in memory', async () => {
    const memoryLimit = new ConcurrencyLimit({ inFlight: Infinity, bytes: 2000, waitMs: 20 });
    await open({ memoryLimit });
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = memoryLimit.run(() => promise, 1000);
    expect((await write(nodeExporter('a:9100', app.clock.now(), 1000))).status).toBe(503);
    expect((await send([hostMetrics({ 'host.name': 'a' }, app.clock.now(), 1)], 'protobuf')).status).toBe(503);
    expect((await write([load({})])).status).toBe(204);
    resolve();
    await held;
  });
});

describe('a database that takes too long', () => {
  test('is 503 with Retry-After, and nothing is lost for good', async () => {
    await db.sql(
      'CREATE FUNCTION test_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE query_canceled; END $$',
    );
    await db.sql(
      'CREATE TRIGGER test_slow BEFORE INSERT ON external_reading FOR EACH ROW EXECUTE FUNCTION test_slow()',
    );
    const again = () => db.sql('DROP FUNCTION IF EXISTS test_slow CASCADE');
    onTestFinished(async () => void (await again()));
    for (const { status, json, headers } of [
      await write([load({})]),
      await send([hostMetrics({ 'host.name': 'a' }, app.clock.now(), 1)], 'json'),
    ])
      expect([status, json.code, Number(headers.get('retry-after')) > 0]).toEqual([503, 'overloaded', true]);
    await again();
    expect((await write([load({})])).status).toBe(204);
  });
});
