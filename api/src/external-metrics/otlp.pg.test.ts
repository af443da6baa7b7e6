/** OTLP of the host metrics receiver, from the request to the figures of a server. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../testing/app.ts';
import { hostMetrics, otlpJson, otlpProtobuf, type SentResource } from '../testing/otlp.ts';
import { testStorage } from '../testing/postgres.ts';
import { metricsJobOf } from '../testing/metrics-job.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let token: string;

beforeEach(async () => {
  await db.sql('DELETE FROM external_reading');
  app = testApp(db.storage());
  app.clock.ms = Math.ceil(app.clock.ms / 60_000) * 60_000;
  user = await app.newUser();
  token = newToken('api');
  const entry = { name: 'otel', scopes: ['write'] as const, tokenHash: hashToken(token), lastFour: 'abcd' };
  await db.storage().identity.apiTokens.replace(user.personId, { ...entry, expiresAt: null }, app.clock.now());
});

type Encoding = 'protobuf' | 'json';
const HEADERS = {
  protobuf: { 'content-type': 'application/x-protobuf', 'content-encoding': 'GZip' },
  json: { 'content-type': 'application/json' },
};
const send = (resources: SentResource[], encoding: Encoding = 'protobuf'): Promise<Answer> =>
  app.call('POST', '/v1/metrics', {
    token,
    headers: HEADERS[encoding],
    body: encoding === 'json' ? otlpJson(resources) : gzipSync(otlpProtobuf(resources)),
  });
const report = async (): Promise<void> => {
  await metricsJobOf(app).run(app.clock.now());
};

const WEB = { 'host.name': 'web-1', 'host.arch': 'amd64', 'os.type': 'linux', 'os.description': 'Debian 12' };
/** Sends twice, a minute apart, and makes the reports. */
const twoMinutes = async (encoding: Encoding, temporality: 'cumulative' | 'delta'): Promise<void> => {
  for (const seconds of [1000, 1060]) {
    const { status } = await send([hostMetrics(WEB, app.clock.now() + 20_000, seconds, temporality)], encoding);
    expect(status).toBe(200);
    app.clock.pass(60);
  }
  app.clock.pass(15);
  await report();
};
const SAMPLES = `SELECT hostname, cpu_percent AS cpu, memory_percent AS memory, disk_percent AS disk, swap_percent AS swap,
  write_operations_per_second AS write_ops, receive_bytes_per_second AS receive, load_one AS load,
  tcp_retransmits_per_second AS retransmits, connections_total AS connections
  FROM host_sample JOIN server ON key = server_key WHERE organisation_id = $1 ORDER BY ts`;
const samples = () => db.sql<Record<string, unknown>>(SAMPLES, [user.organisationId]);
const GAUGES = { hostname: 'web-1', memory: 25, disk: 75, swap: 50, load: 0.5, retransmits: null, connections: null };

test('two machines of one host name in two clusters are two servers', async () => {
  for (const seconds of [1000, 1060]) {
    for (const cluster of ['eu', 'us'])
      await send([
        hostMetrics({ ...WEB, 'k8s.cluster.name': cluster }, app.clock.now() + 20_000, seconds, 'cumulative'),
      ]);
    app.clock.pass(60);
  }
  app.clock.pass(15);
  await report();
  const names = ['eu', 'us'].map((cluster) => `web-1 (k8s.cluster.name ${cluster})`);
  expect((await samples()).map(({ hostname }) => String(hostname)).toSorted()).toEqual([
    names[0],
    names[0],
    names[1],
    names[1],
  ]);
});
const RATES = { cpu: 25, write_ops: 4, receive: 2000 };
const NO_RATES = { cpu: null, write_ops: null, receive: null };

test.each(['protobuf', 'json'] as const)('makes a server of host metrics in %s', async (encoding) => {
  await twoMinutes(encoding, 'cumulative');
  expect(await samples()).toEqual([
    { ...GAUGES, ...NO_RATES },
    { ...GAUGES, ...RATES },
  ]);
});

test('differences are rates from the first report on', async () => {
  await twoMinutes('protobuf', 'delta');
  expect(await samples()).toEqual([
    { ...GAUGES, ...RATES },
    { ...GAUGES, ...RATES },
  ]);
});

test('the system is described by the resource, and what is missing has its reason', async () => {
  await twoMinutes('protobuf', 'cumulative');
  const { json } = await app.call('GET', '/api/servers/list', { token: user.token });
  const [server] = (json.data as unknown as { servers: { id: string }[] }).servers;
  const detail = await app.call('GET', `/api/servers/${String(server?.id)}`, { token: user.token });
  expect(detail.json.data).toMatchObject({
    server: {
      hostname: 'web-1',
      os_name: 'Debian 12',
      architecture: 'amd64',
      cpu_cores: 2,
      sources: {
        cpu: { ok: true },
        processes: { ok: false, error: 'OpenTelemetry does not send this; the collector of Plimsoll does' },
      },
    },
  });
});

test('a machine is known by its id, whatever its name is', async () => {
  await send([hostMetrics({ 'host.id': 'machine-1', 'host.name': 'old' }, app.clock.now(), 1000)]);
  app.clock.pass(60);
  await send([hostMetrics({ 'host.id': 'machine-1', 'host.name': 'new' }, app.clock.now(), 1060)]);
  app.clock.pass(75);
  await report();
  expect(await samples()).toMatchObject([{ hostname: 'new' }, { hostname: 'new' }]);
});

describe('the answer', () => {
  test('is empty where everything is taken or has no place in a report', async () => {
    const { text, headers } = await send([hostMetrics(WEB, app.clock.now(), 1000)]);
    expect([text, headers.get('content-type')]).toEqual(['', 'application/x-protobuf']);
  });

  test('names what to do where a resource names no host', async () => {
    const { json } = await send([hostMetrics({ 'service.name': 'x' }, app.clock.now(), 1000)], 'json');
    expect(json).toMatchObject({
      partialSuccess: {
        rejectedDataPoints: '22',
        errorMessage: expect.stringContaining('resourcedetection') as string,
      },
    });
    expect(await db.sql('SELECT FROM external_reading')).toEqual([]);
  });

  test('rejects points out of the bounds of time, and takes the others', async () => {
    const late = hostMetrics({ 'host.name': 'late' }, app.clock.now() - 27 * 3_600_000, 1000);
    const { json } = await send([late, hostMetrics(WEB, app.clock.now(), 1000)], 'json');
    expect(json).toMatchObject({ partialSuccess: { rejectedDataPoints: '22' } });
    expect(await db.sql('SELECT name FROM external_reading')).toEqual([{ name: 'web-1' }]);
  });

  test('is 400 for what is not valid, and 415 for another protocol or compression', async () => {
    const answer = async (headers: Record<string, string>, body: Uint8Array | string) => {
      const { status, json } = await app.call('POST', '/v1/metrics', { token, headers, body });
      return [status, json.code];
    };
    const protobuf = { 'content-type': 'application/x-protobuf' };
    expect(await answer(protobuf, Uint8Array.of(0x0a, 0x7f))).toEqual([400, 'invalid_protobuf']);
    expect(await answer({ 'content-type': 'application/json' }, '{')).toEqual([400, 'invalid_json']);
    const wrong = { 'content-type': 'application/json' };
    expect(await answer(wrong, '{"resourceMetrics":1}')).toEqual([400, 'invalid_parameter']);
    expect(await answer({ ...protobuf, 'content-encoding': 'gzip' }, 'x')).toEqual([400, 'invalid_gzip']);
    expect(await answer({ ...protobuf, 'content-encoding': 'zstd' }, 'x')).toEqual([415, 'unsupported_media_type']);
    expect(await answer({ 'content-type': 'text/plain' }, 'x')).toEqual([415, 'unsupported_media_type']);
  });

  test('is 413 for a bomb', async () => {
    const headers = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
    const body = gzipSync(Buffer.alloc(16_777_217));
    expect((await app.call('POST', '/v1/metrics', { token, headers, body })).status).toBe(413);
  });
});
