import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import { snappy, writeRequestOne, writeRequestTwo, type SentSeries } from '../testing/remote-write.ts';
import { NODE_EXPORTER } from './node-exporter.ts';
import { readWriteRequest, remoteWriteVersion } from './remote-write.ts';
import { inflateSnappy, snappySize } from './snappy-block.ts';

const captured = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, 'captured', name));
const every = { isMetric: () => true, isLabel: () => true };
const none = { isMetric: () => false, isLabel: () => false };
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
    ['Application/X-Protobuf', 1],
    ['application/x-protobuf;proto=prometheus.WriteRequest', 1],
    ['application/x-protobuf; proto="io.prometheus.write.v2.Request"', 2],
  ])('%s is version %i', (contentType, version) => {
    expect(remoteWriteVersion(contentType, 'snappy')).toBe(version);
  });

  test.each([
    ['application/json', 'snappy'],
    ['application/x-protobuf;proto=io.prometheus.write.v3.Request', 'snappy'],
    ['application/x-protobuf;proto=constructor', 'snappy'],
    ['application/x-protobuf', 'zstd'],
    ['application/x-protobuf', null],
    [null, 'snappy'],
  ])('refuses %s with encoding %s', (contentType, encoding) => {
    expect(codeOf(() => remoteWriteVersion(contentType, encoding))).toBe('unsupported_media_type');
  });
});

test.each([
  ['prometheus-2.42-first.bin', 1, 500, 92],
  ['vmagent-1.79.bin', 1, 513, 92],
  ['prometheus-3.5-version-2.bin', 2, 555, 108],
] as const)('reads what was recorded in %s', (file, version, samples, wanted) => {
  const request = readWriteRequest(inflateSnappy(captured(file)), version, NODE_EXPORTER);
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

  test('refuses a size that so short a block cannot have, before memory is taken', () => {
    expect(codeOf(() => snappySize(Uint8Array.from([0x80, 0x80, 0x80, 0x04, 0xfe, 1, 0])))).toBe('invalid_snappy');
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
  test('returns every wanted label and sample that was written', () => {
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
    expect(readWriteRequest(encode(sent), version, none)).toMatchObject({ series: [], samples: 1 });
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

  test('reads the wanted labels of a series that has thousands of others', () => {
    const others = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`l${String(index)}`, 'x']));
    const labels = { __name__: 'node_load1', ...others, instance: 'a' };
    const { series: read } = readWriteRequest(encode([{ labels, samples: [] }]), version, NODE_EXPORTER);
    expect(read[0]?.labels).toEqual(
      new Map([
        ['__name__', 'node_load1'],
        ['instance', 'a'],
      ]),
    );
  });

  test('makes no text longer than what is stored, and cuts no character in half', () => {
    const label = `${'a'.repeat(255)}😀${'b'.repeat(100_000)}`;
    const sent = [{ labels: { __name__: 'node_load1', instance: label }, samples: [] }];
    const { series: read } = readWriteRequest(encode(sent), version, NODE_EXPORTER);
    expect(read[0]?.labels.get('instance')).toBe(`${'a'.repeat(255)}😀`);
  });

  test('leaves out a series that is not valid, counts its samples and reads the others', () => {
    const good = { labels: { __name__: 'good' }, samples: [{ value: 1, at: 1 }] };
    const bad = { labels: { __name__: 'bad' }, samples: [{ value: 2, at: 2 }] };
    const bytes = Buffer.from(encode([good, bad, good]));
    // The last field of the sample in the middle gets a type that does not exist.
    const sample = Buffer.from([0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x10]);
    const at = bytes.indexOf(sample);
    bytes[at + sample.length - 1] = 0x17;
    const read = readWriteRequest(bytes, version, every);
    expect(read.series.map(({ labels }) => labels.get('__name__'))).toEqual(['good', 'good']);
    expect([read.samples, read.unreadable]).toEqual([3, 1]);
  });

  test('leaves out a sample that is not valid and reads the others of its series', () => {
    const samples = [1, 2, 3].map((value) => ({ value, at: value }));
    const bytes = Buffer.from(encode([{ labels: { __name__: 'a' }, samples }]));
    const sample = Buffer.from([0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x10]);
    bytes[bytes.indexOf(sample) + sample.length - 1] = 0x17;
    const read = readWriteRequest(bytes, version, every);
    expect(read).toMatchObject({ samples: 3, unreadable: 1, series: [{ samples: [{ value: 1 }, { value: 3 }] }] });
  });

  test('keeps every series beside a damaged one', () => {
    const sent = fc.tuple(fc.array(series, { maxLength: 3 }), series, fc.array(series, { maxLength: 3 }));
    fc.assert(
      fc.property(sent, fc.nat(), fc.nat(255), ([before, damaged, after], place, byte) => {
        const all = [...before, damaged, ...after];
        const whole = encode(all);
        // Series are fields of the request; those of version 2 follow the symbols.
        const [start, end] = rangeOf(whole, version === 1 ? 0x0a : 0x2a, before.length);
        const broken = whole.slice();
        if (end > start) broken[start + (place % (end - start))] = byte;
        const read = readWriteRequest(broken, version, every);
        const others = readWriteRequest(encode([...before, ...after]), version, every).series;
        expect(read.series).toEqual(expect.arrayContaining(others));
        expect(read.series.length).toBeLessThanOrEqual(all.length);
      }),
    );
  });
});

/** Returns the bytes of the length-delimited top-level field of this tag and number. */
function rangeOf(bytes: Uint8Array, wanted: number, number: number): [number, number] {
  let [at, seen] = [0, 0];
  while (at < bytes.length) {
    const tag = bytes[at];
    let [length, shift] = [0, 0];
    do {
      at += 1;
      length += ((bytes[at] ?? 0) & 0x7f) * 2 ** shift;
      shift += 7;
    } while ((bytes[at] ?? 0) >= 0x80);
    const start = at + 1;
    at = start + length;
    if (tag === wanted && seen++ === number) return [start, at];
  }
  throw new Error('no such field');
}

describe('the work that a request takes', () => {
  const NAME_OF_LONG = 'node_filesystem_size_bytes';
  const long = 'x'.repeat(200_000);
  /** Counts the bytes that become text. */
  const decoded = (bytes: Uint8Array, version: 1 | 2): number => {
    const toString = vi.spyOn(Buffer.prototype, 'toString');
    onTestFinished(() => toString.mockRestore());
    readWriteRequest(bytes, version, NODE_EXPORTER);
    return toString.mock.results.reduce((sum, { value }) => sum + String(value).length, 0);
  };

  test('does not grow with the number of labels that refer to one long symbol', () => {
    const labels = { __name__: NAME_OF_LONG, device: long, mountpoint: long, fstype: long };
    const sent = Array.from({ length: 1000 }, () => ({ labels, samples: [{ value: 1, at: 1 }] }));
    expect(decoded(writeRequestTwo(sent), 2)).toBeLessThan(20_000);
  });

  test('does not grow with labels that no figure needs', () => {
    const others = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`l${String(index)}`, long]));
    const sent = [{ labels: { __name__: NAME_OF_LONG, ...others }, samples: [] }];
    expect(decoded(writeRequestOne(sent), 1)).toBeLessThan(2000);
  });

  test('is refused for too many symbols', () => {
    const symbols = Buffer.alloc(2 * (EXTERNAL_METRICS_LIMITS.symbolsPerRequest + 1));
    for (let at = 0; at < symbols.length; at += 2) symbols[at] = 0x22;
    expect(codeOf(() => readWriteRequest(symbols, 2, every))).toBe('body_too_large');
  });

  test('a group, which may end far away, is not searched for its end', () => {
    const body = Buffer.from([0x0a, 1, 0x0b]);
    expect(readWriteRequest(Buffer.concat([body, body]), 1, every)).toMatchObject({ unreadable: 2, series: [] });
  });
});

test('a series with a reference to a symbol that is not there is left out', () => {
  // Without its first symbol, which is empty.
  const sent = writeRequestTwo([{ labels: { __name__: 'a' }, samples: [] }]);
  expect(readWriteRequest(sent.slice(2), 2, every)).toMatchObject({ series: [], unreadable: 1 });
});

const { LengthDelimited, Varint } = WireType;
test.each<[string, (writer: BinaryWriter, references: number[]) => unknown]>([
  [
    'one list',
    (writer, references) =>
      references.reduce((to, one) => to.uint32(one), writer.tag(1, LengthDelimited).fork()).join(),
  ],
  [
    'lists of three',
    (writer, [a = 0, b = 0, c = 0, ...rest]) => {
      writer.tag(1, LengthDelimited).fork().uint32(a).uint32(b).uint32(c).join();
      rest.reduce((to, one) => to.uint32(one), writer.tag(1, LengthDelimited).fork()).join();
    },
  ],
  ['single fields', (writer, references) => references.forEach((one) => writer.tag(1, Varint).uint32(one))],
])('references to symbols in %s are labels', (_form, write) => {
  const symbols = ['', '__name__', 'node_load1', 'job', 'node', 'instance', 'a'];
  const writer = new BinaryWriter();
  for (const symbol of symbols) writer.tag(4, LengthDelimited).string(symbol);
  writer.tag(5, LengthDelimited).fork();
  write(writer, [1, 2, 3, 4, 5, 6]);
  writer.join();
  const [read] = readWriteRequest(writer.finish(), 2, every).series;
  expect(Object.fromEntries(read?.labels ?? [])).toEqual({ __name__: 'node_load1', job: 'node', instance: 'a' });
});
