import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import { snappy, writeRequestOne, writeRequestTwo, type SentSeries } from '../testing/remote-write.ts';
import { isNodeExporterMetric } from './node-exporter.ts';
import { readWriteRequest, remoteWriteVersion } from './remote-write.ts';
import { inflateSnappy } from './snappy-block.ts';

const captured = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, 'captured', name));
const every = (): boolean => true;
const codeOf = (work: () => unknown): string => {
  try {
    work();
    return 'none';
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
};

describe('remoteWriteVersion', () => {
  test.each([
    ['application/x-protobuf', 1],
    ['application/x-protobuf;proto=prometheus.WriteRequest', 1],
    ['application/x-protobuf; proto="io.prometheus.write.v2.Request"', 2],
  ])('%s is version %i', (contentType, version) => {
    expect(remoteWriteVersion(contentType, 'snappy')).toBe(version);
  });

  test.each([
    ['application/json', 'snappy'],
    ['application/x-protobuf;proto=io.prometheus.write.v3.Request', 'snappy'],
    ['application/x-protobuf', 'zstd'],
    ['application/x-protobuf', null],
    [null, 'snappy'],
  ])('refuses %s with encoding %s', (contentType, encoding) => {
    expect(codeOf(() => remoteWriteVersion(contentType, encoding))).toBe('unsupported_media_type');
  });
});

test.each([
  ['prometheus-2.42-first.bin', 1, 500, 68],
  ['vmagent-1.79.bin', 1, 513, 68],
  ['prometheus-3.5-version-2.bin', 2, 555, 80],
] as const)('reads what was recorded in %s', (file, version, samples, wanted) => {
  const request = readWriteRequest(inflateSnappy(captured(file)), version, isNodeExporterMetric);
  expect(request.samples).toBe(samples);
  expect(request.series).toHaveLength(wanted);
  const root = request.series.find(({ labels }) => labels.get('__name__') === 'node_filesystem_size_bytes');
  expect(Object.fromEntries(root?.labels ?? [])).toMatchObject({ job: 'node', mountpoint: '/', fstype: 'ext4' });
  expect(root?.samples[0]?.value).toBe(270_553_174_016);
});

describe('inflateSnappy', () => {
  test('refuses a bomb by the size in its head, before anything is inflated', () => {
    const head = [0x80, 0x80, 0x80, 0x80, 0x0f];
    expect(codeOf(() => inflateSnappy(Uint8Array.from([...head, 0xfe, 1, 0])))).toBe('body_too_large');
  });

  test('refuses what is no block', () => {
    expect(codeOf(() => inflateSnappy(Uint8Array.of()))).toBe('invalid_snappy');
    expect(codeOf(() => inflateSnappy(Uint8Array.from([0x05, 0xff, 0xff])))).toBe('invalid_snappy');
  });

  test.each([
    ['a literal of 4 GiB, which a signed length would turn into a step back', [0x05, 0xfc, 0xff, 0xff, 0xff, 0xff]],
    ['a literal beyond the block', [0x05, 0x10, 1, 2]],
    ['a copy from before the output', [0x08, 0x00, 1, 0x01, 0x02]],
    ['a copy of nothing far', [0x08, 0x00, 1, 0x01, 0x00]],
    ['more than the head says', [0x01, 0x04, 1, 2]],
    ['less than the head says', [0x03, 0x04, 1, 2]],
    ['a size that does not end', [0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
  ])('refuses %s', (_, bytes) => {
    expect(codeOf(() => inflateSnappy(Uint8Array.from(bytes)))).toBe('invalid_snappy');
  });

  test('repeats a pattern that a copy overlaps', () => {
    expect([...inflateSnappy(Uint8Array.of(0x06, 0x04, 7, 9, 0x01, 0x02))]).toEqual([7, 9, 7, 9, 7, 9]);
  });

  test('answers any bytes with bytes or an error of the sender', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(['none', 'invalid_snappy', 'body_too_large']).toContain(codeOf(() => inflateSnappy(bytes)));
      }),
    );
  });

  test('returns what was compressed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect([...inflateSnappy(snappy(bytes))]).toEqual([...bytes]);
      }),
    );
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const series: fc.Arbitrary<SentSeries> = fc.record({
  labels: fc
    .dictionary(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_'), minLength: 1, maxLength: 6 }), text, {
      maxKeys: 5,
    })
    .chain((labels) => text.map((name) => ({ ...labels, __name__: name }))),
  samples: fc.array(fc.record({ value: fc.double(), at: fc.integer({ min: -1, max: 2 ** 45 }) }), { maxLength: 3 }),
});

describe.each([
  [1, writeRequestOne],
  [2, writeRequestTwo],
] as const)('version %i', (version, encode) => {
  test('returns every label and sample that was written', () => {
    fc.assert(
      fc.property(fc.array(series, { maxLength: 6 }), (sent) => {
        const { series: read, samples } = readWriteRequest(encode(sent), version, every);
        expect(read.map(({ labels, samples: of }) => ({ labels: new Map(labels), samples: of }))).toEqual(
          sent.map(({ labels, samples: of }) => ({ labels: new Map(Object.entries(labels)), samples: of })),
        );
        expect(samples).toBe(sent.reduce((sum, one) => sum + one.samples.length, 0));
      }),
    );
  });

  test('counts the samples of a metric that nobody wants, and reads no series of it', () => {
    const sent = [{ labels: { __name__: 'other' }, samples: [{ value: 1, at: 1 }] }];
    expect(readWriteRequest(encode(sent), version, () => false)).toMatchObject({ series: [], samples: 1 });
  });

  test('answers a cut or changed request with an error of the sender or as another request', () => {
    const encoded = fc.array(series, { minLength: 1, maxLength: 4 }).map(encode);
    fc.assert(
      fc.property(encoded, fc.nat(), fc.nat(255), fc.boolean(), (bytes, place, byte, cut) => {
        const at = place % bytes.length;
        const broken = cut ? bytes.slice(0, at) : bytes.map((old, index) => (index === at ? byte : old));
        expect(['none', 'invalid_protobuf', 'body_too_large']).toContain(
          codeOf(() => readWriteRequest(broken, version, every)),
        );
      }),
    );
  });

  test('refuses more samples than a request may have', () => {
    const samples = Array.from({ length: EXTERNAL_METRICS_LIMITS.samplesPerRequest + 1 }, () => ({ value: 0, at: 0 }));
    const bytes = encode([{ labels: { __name__: 'a' }, samples }]);
    expect(codeOf(() => readWriteRequest(bytes, version, every))).toBe('body_too_large');
  });

  test('refuses more labels than a series may have', () => {
    const labels = Object.fromEntries(
      Array.from({ length: EXTERNAL_METRICS_LIMITS.labelsPerSeries }, (_, index) => [`l${String(index)}`, '']),
    );
    const bytes = encode([{ labels: { __name__: 'a', ...labels }, samples: [] }]);
    expect(codeOf(() => readWriteRequest(bytes, version, every))).toBe('body_too_large');
  });
});

test('a reference to a symbol that is not there is an error of the sender', () => {
  const sent = writeRequestTwo([{ labels: { __name__: 'a' }, samples: [] }]);
  expect(codeOf(() => readWriteRequest(sent.slice(6), 2, every))).toBe('invalid_protobuf');
});
