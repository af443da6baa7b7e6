import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { printableText } from '@plimsoll/contract/rules/printable-text';
import { CodedError } from '../errors.ts';
import { otlpJson, otlpProtobuf, type SentResource } from '../testing/otlp.ts';
import { ReadingCollector } from './collect-readings.ts';
import { Figures } from './figures.ts';
import { collectHostMetrics, HOST_METRICS } from './host-metrics.ts';
import { otlpAnswer, otlpEncoding, type MetricsRequest } from './otlp.ts';
import { readOtlpJson } from './otlp-json.ts';
import { readOtlpProtobuf } from './otlp-protobuf.ts';
import { shapeReport } from './shape/shape-report.ts';
import type { Wanted } from './types.ts';

const captured = (name: string): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, 'captured', `opentelemetry-0.159-${name}.gz`)));
const every: Wanted = { isMetric: () => true, isLabel: () => true };
const none: Wanted = { isMetric: () => false, isLabel: () => false };
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
};

test.each([
  ['application/x-protobuf', 'protobuf'],
  ['application/json; charset=utf-8', 'json'],
  ['Application/JSON', 'json'],
] as const)('%s is %s', (contentType, encoding) => {
  expect(otlpEncoding(contentType)).toBe(encoding);
});
test.each(['text/plain', 'application/grpc', null])('refuses %s', (contentType) => {
  expect(codeOf(() => otlpEncoding(contentType))).toBe('unsupported_media_type');
});

const newestAt = ({ resources }: MetricsRequest): number =>
  Math.max(...resources.flatMap(({ metrics }) => metrics.flatMap(({ points }) => points.map(({ at }) => at))));
const readingsOf = (request: MetricsRequest) => {
  const into = new ReadingCollector(newestAt(request), 3600);
  expect(collectHostMetrics(request, into)).toBe(0);
  return into.finish().readings;
};

test('makes a report of what the OpenTelemetry Collector sent', () => {
  const [first] = readingsOf(readOtlpProtobuf(captured('first.protobuf'), HOST_METRICS));
  const [second] = readingsOf(readOtlpProtobuf(captured('second.protobuf'), HOST_METRICS));
  if (first === undefined || second === undefined) throw new Error('no reading');
  const shaped = shapeReport(new Figures(second.values, first.values, []), second.source);
  expect(shaped?.parts).toMatchObject({
    memory: { total_bytes: 25_276_502_016 },
    filesystems: [{ mount: '/', device: '/dev/vda', type: 'ext4', size_bytes: 270_553_174_016 }],
    disks: [{ device: 'vda' }],
    interfaces: [{ name: 'eth0' }],
    system: { hostname: 'web-1', cpu_cores: 2, collector_version: 'OpenTelemetry' },
  });
  expect(shaped?.parts.cpu?.percent).toBeGreaterThan(0);
  expect(shaped?.parts.cpu?.per_core_percent).toEqual([]);
  expect(shaped?.bootedAt).toBeCloseTo(1_795_570_937, -1);
});

test('reads the same of both encodings of the Collector', () => {
  const json: unknown = JSON.parse(captured('first.json').toString());
  const [fromJson, fromProtobuf] = [readOtlpJson(json, every), readOtlpProtobuf(captured('first.protobuf'), every)];
  expect(fromJson.points).toBe(fromProtobuf.points);
  const inOrder = ({ resources }: MetricsRequest) =>
    resources
      .flatMap(({ metrics }) =>
        metrics.map(({ name, temporality, points }) => [name, temporality, points.length].join(' ')),
      )
      .toSorted();
  expect(inOrder(fromJson)).toEqual(inOrder(fromProtobuf));
});

const text = fc.string({ unit: 'grapheme', maxLength: 10 });
const attributes = fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), text, {
  maxKeys: 3,
  noNullPrototype: true,
});
const time = fc.integer({ min: 0, max: 2 ** 42 });
const sent: fc.Arbitrary<SentResource[]> = fc.array(
  fc.record({
    attributes,
    metrics: fc.array(
      fc.record({
        name: text,
        temporality: fc.constantFrom('current' as const, 'cumulative' as const, 'delta' as const),
        points: fc.array(
          fc.record({ attributes, value: fc.oneof(fc.double(), fc.maxSafeInteger()), from: time, at: time }),
          { maxLength: 3 },
        ),
      }),
      { maxLength: 3 },
    ),
  }),
  { maxLength: 3 },
);
/** Texts as they are stored: without control characters. */
const printed = (texts: Record<string, string>) =>
  new Map(Object.entries(texts).map(([name, value]) => [name, printableText(value)]));
/** Resources without a point are left out. */
const expected = (resources: SentResource[]) =>
  resources
    .map((resource) => ({
      attributes: printed(resource.attributes),
      metrics: resource.metrics
        .filter(({ points }) => points.length > 0)
        .map((metric) => ({
          ...metric,
          points: metric.points.map((point) => ({ ...point, attributes: printed(point.attributes) })),
        })),
    }))
    .filter(({ metrics }) => metrics.length > 0);

describe.each([
  ['protobuf', (resources: SentResource[], of: Wanted) => readOtlpProtobuf(otlpProtobuf(resources), of)],
  [
    'json',
    (resources: SentResource[], of: Wanted) => readOtlpJson(JSON.parse(JSON.stringify(otlpJson(resources))), of),
  ],
] as const)('%s', (encoding, read) => {
  test('returns every attribute and point that was sent', () => {
    fc.assert(
      fc.property(sent, (resources) => {
        // JSON has no negative zero.
        const wanted = expected(resources);
        expect(read(resources, every).resources).toEqual(encoding === 'json' ? withoutNegativeZero(wanted) : wanted);
      }),
    );
  });

  test('counts the points of a metric that nobody wants', () => {
    const points = [{ attributes: {}, value: 1, from: 0, at: 1 }];
    const resources: SentResource[] = [
      { attributes: {}, metrics: [{ name: 'other', temporality: 'current', points }] },
    ];
    expect(read(resources, none)).toEqual({ resources: [], points: 1, unreadable: 0 });
  });

  test('refuses more points than a request may have', () => {
    const points = Array.from({ length: EXTERNAL_METRICS_LIMITS.samplesPerRequest + 1 }, () => ({
      attributes: {},
      value: 1,
      from: 0,
      at: 1,
    }));
    const resources: SentResource[] = [{ attributes: {}, metrics: [{ name: 'a', temporality: 'current', points }] }];
    expect(codeOf(() => read(resources, every))).toBe('body_too_large');
  });
});

/** Returns the resources with 0 for −0. */
const withoutNegativeZero = (resources: ReturnType<typeof expected>) =>
  resources.map((resource) => ({
    ...resource,
    metrics: resource.metrics.map((metric) => ({
      ...metric,
      points: metric.points.map((point) => ({ ...point, value: point.value === 0 ? 0 : point.value })),
    })),
  }));

test('answers a cut or changed protobuf with an error of the sender or as another request', () => {
  fc.assert(
    fc.property(sent, fc.nat(), fc.nat(255), fc.boolean(), (resources, place, byte, cut) => {
      const bytes = otlpProtobuf(resources);
      const at = place % Math.max(1, bytes.length);
      const broken = cut ? bytes.slice(0, at) : bytes.map((old, index) => (index === at ? byte : old));
      expect(['none', 'invalid_protobuf', 'body_too_large']).toContain(codeOf(() => readOtlpProtobuf(broken, every)));
    }),
  );
});

test('answers any JSON with an error of the sender or as a request', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('resourceMetrics', 'x'), (value, key) => {
      expect(['none', 'invalid_parameter']).toContain(codeOf(() => readOtlpJson({ [key]: value }, every)));
      expect(['none', 'invalid_parameter']).toContain(codeOf(() => readOtlpJson(value, every)));
    }),
  );
});

describe('a part that is not valid costs itself alone', () => {
  const point = (value: number) => ({ attributes: { device: 'vda' }, value, from: 1, at: 2 });
  const resourceOf = (name: string, ...values: number[]): SentResource => ({
    attributes: { 'host.name': name },
    metrics: [{ name: 'a', temporality: 'current', points: values.map(point) }],
  });
  const valuesOf = ({ resources }: MetricsRequest) =>
    resources.flatMap(({ metrics }) => metrics.flatMap(({ points }) => points.map(({ value }) => value)));

  test('in protobuf, wherever a point is damaged', () => {
    const bytes = otlpProtobuf([resourceOf('a', 1.5, 2.5), resourceOf('b', 3.5)]);
    const damaged = Buffer.from(otlpProtobuf([resourceOf('a', 2.5)]));
    const at = Buffer.from(bytes).indexOf(damaged.subarray(damaged.indexOf(0x21), damaged.indexOf(0x21) + 9));
    fc.assert(
      fc.property(fc.nat(8), fc.nat(255), (place, byte) => {
        const broken = bytes.slice();
        broken[at + place] = byte;
        const read = readOtlpProtobuf(broken, every);
        expect(valuesOf(read)).toEqual(expect.arrayContaining([1.5, 3.5]));
        expect(read.points).toBeLessThanOrEqual(4);
      }),
    );
  });

  const bad = fc.oneof(
    fc.jsonValue(),
    fc.record({ attributes: fc.jsonValue(), timeUnixNano: fc.jsonValue(), asInt: fc.jsonValue() }),
    fc.record({ attributes: fc.array(fc.jsonValue(), { maxLength: 3 }), asDouble: fc.jsonValue() }),
  );
  test('in JSON, whatever stands beside it', () => {
    const good = otlpJson([resourceOf('a', 1.5)]) as { resourceMetrics: unknown[] };
    const [resource] = good.resourceMetrics as {
      scopeMetrics: { metrics: { gauge: { dataPoints: unknown[] } }[] }[];
    }[];
    fc.assert(
      fc.property(bad, fc.nat(3), (odd, depth) => {
        const metric = structuredClone(resource?.scopeMetrics[0]?.metrics[0]) ?? { gauge: { dataPoints: [] } };
        if (depth === 3) metric.gauge.dataPoints.push(odd);
        const metrics = [metric, ...(depth === 2 ? [odd] : [])];
        const scopeMetrics = [{ metrics }, ...(depth === 1 ? [odd] : [])];
        const resourceMetrics = [{ ...resource, scopeMetrics }, ...(depth === 0 ? [odd] : [])];
        const read = readOtlpJson({ resourceMetrics }, every);
        expect(valuesOf(read)).toContain(1.5);
        expect(read.resources[0]?.attributes.get('host.name')).toBe('a');
      }),
    );
  });

  test('and is counted', () => {
    const dataPoints = [{ asInt: 1, timeUnixNano: '5' }, { asInt: 'x' }, { asInt: 1, attributes: [{ key: 5 }] }, null];
    const body = { resourceMetrics: [1, { scopeMetrics: [{ metrics: [{ name: 'a', gauge: { dataPoints } }] }] }] };
    expect(readOtlpJson(body, every)).toMatchObject({ points: 5, unreadable: 4 });
  });

  test.each(['histogram', 'exponentialHistogram', 'summary'])('a %s is counted and not read', (kind) => {
    const metrics = [{ name: 'a', [kind]: { dataPoints: [{ count: '1' }, 5] } }];
    const read = readOtlpJson({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }, every);
    expect(read).toEqual({ resources: [], points: 2, unreadable: 0 });
  });
});

describe('a point without a value is not 0', () => {
  const valuesOf = ({ resources, points, unreadable }: MetricsRequest) => ({
    points,
    unreadable,
    values: resources.flatMap(({ metrics }) => metrics.flatMap((metric) => metric.points.map(({ value }) => value))),
  });
  const NO_VALUE = [0x61, 0, 0, 0, 0, 0, 0, 0, 0];
  const NO_RECORDED_VALUE = [0x40, 1, 0x60, 0x80, 0x80, 0x80, 0x80, 0x80, 0];

  test.each([
    ['that was lost', NO_VALUE, {}, { points: 2, unreadable: 1, values: [1.5] }],
    ['because its series ends', NO_RECORDED_VALUE, { flags: 1 }, { points: 2, unreadable: 0, values: [1.5, NaN] }],
    ['as a text', NO_RECORDED_VALUE, { flags: '1', asDouble: 0 }, { points: 2, unreadable: 0, values: [1.5, NaN] }],
  ])('%s', (_why, inPlace, given, expected) => {
    const point = (value: number) => ({ attributes: {}, value, from: 0, at: 5 });
    const metric = { name: 'a', temporality: 'current' as const, points: [point(1.5), point(2.5)] };
    const bytes = Buffer.from(otlpProtobuf([{ attributes: {}, metrics: [metric] }]));
    Buffer.from(inPlace).copy(bytes, bytes.lastIndexOf(0x21));
    expect(valuesOf(readOtlpProtobuf(bytes, every))).toEqual(expected);
    const metrics = [{ name: 'a', gauge: { dataPoints: [{ asDouble: 1.5 }, given] } }];
    expect(valuesOf(readOtlpJson({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] }, every))).toEqual(expected);
  });
});

test('a value that nests is not read, and costs nothing', () => {
  let nested: unknown = { stringValue: 'x' };
  for (let level = 0; level < 1000; level += 1) nested = { arrayValue: { values: [nested] } };
  const dataPoints = [{ asInt: 1, timeUnixNano: 1, attributes: [{ key: 'odd', value: nested }] }];
  const body = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'a', gauge: { dataPoints } }] }] }] };
  expect(readOtlpJson(body, every)).toMatchObject({ points: 1, unreadable: 0 });
});

test('millions of empty messages make no lists of them', () => {
  const empty = Buffer.alloc(2_000_000);
  for (let at = 0; at < empty.length; at += 2) empty[at] = 0x0a;
  expect(readOtlpProtobuf(empty, every)).toEqual({ resources: [], points: 0, unreadable: 0 });
});

test('the temporality may be a name', () => {
  const sum = { aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA', dataPoints: [{ asInt: 1, timeUnixNano: 1 }] };
  const body = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'a', sum }] }] }] };
  expect(readOtlpJson(body, every).resources[0]?.metrics[0]?.temporality).toBe('delta');
});

test('an answer says how many points were rejected, and is empty where none was', () => {
  expect(otlpAnswer('json', 0, '')).toBe('{}');
  expect(otlpAnswer('json', 2, 'why')).toBe('{"partialSuccess":{"rejectedDataPoints":"2","errorMessage":"why"}}');
  expect(otlpAnswer('protobuf', 0, '')).toEqual(Uint8Array.of());
  const partial = [0x0a, 7, 0x08, 2, 0x12, 3, 0x77, 0x68, 0x79];
  expect(otlpAnswer('protobuf', 2, 'why')).toEqual(Uint8Array.from(partial));
});
