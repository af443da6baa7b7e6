import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

const { Bit64, LengthDelimited, Varint } = WireType;

/** A metric as an OpenTelemetry collector sends it; times in epoch milliseconds. */
interface SentMetric {
  name: string;
  temporality: 'current' | 'cumulative' | 'delta';
  points: { attributes: Record<string, string>; value: number; from: number; at: number }[];
}
export interface SentResource {
  attributes: Record<string, string>;
  metrics: SentMetric[];
}

const nanoseconds = (ms: number): bigint => BigInt(ms) * 1_000_000n;
const NUMBERS = { current: 0, delta: 1, cumulative: 2 } as const;

function writeAttributes(writer: BinaryWriter, field: number, attributes: Record<string, string>): void {
  for (const [name, value] of Object.entries(attributes)) {
    writer.tag(field, LengthDelimited).fork().tag(1, LengthDelimited).string(name);
    writer.tag(2, LengthDelimited).fork().tag(1, LengthDelimited).string(value).join().join();
  }
}

function writeMetric(writer: BinaryWriter, { name, temporality, points }: SentMetric): void {
  writer.tag(2, LengthDelimited).fork().tag(1, LengthDelimited).string(name);
  writer.tag(temporality === 'current' ? 5 : 7, LengthDelimited).fork();
  for (const { attributes, value, from, at } of points) {
    writer.tag(1, LengthDelimited).fork();
    writer.tag(2, Bit64).fixed64(nanoseconds(from)).tag(3, Bit64).fixed64(nanoseconds(at));
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) writer.tag(6, Bit64).sfixed64(value);
    else writer.tag(4, Bit64).double(value);
    writeAttributes(writer, 7, attributes);
    writer.join();
  }
  if (temporality !== 'current') writer.tag(2, Varint).int32(NUMBERS[temporality]).tag(3, Varint).bool(true);
  writer.join().join();
}

export function otlpProtobuf(resources: readonly SentResource[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const { attributes, metrics } of resources) {
    writer.tag(1, LengthDelimited).fork().tag(1, LengthDelimited).fork();
    writeAttributes(writer, 1, attributes);
    writer.join().tag(2, LengthDelimited).fork();
    for (const metric of metrics) writeMetric(writer, metric);
    writer.join().join();
  }
  return writer.finish();
}

const jsonAttributes = (attributes: Record<string, string>) =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
const jsonValue = (value: number) =>
  Number.isSafeInteger(value) && !Object.is(value, -0)
    ? { asInt: String(value) }
    : { asDouble: Number.isFinite(value) ? value : String(value) };

export const otlpJson = (resources: readonly SentResource[]): object => ({
  resourceMetrics: resources.map(({ attributes, metrics }) => ({
    resource: { attributes: jsonAttributes(attributes) },
    scopeMetrics: [
      {
        metrics: metrics.map(({ name, temporality, points }) => {
          const dataPoints = points.map(({ attributes: of, value, from, at }) => ({
            attributes: jsonAttributes(of),
            startTimeUnixNano: String(nanoseconds(from)),
            timeUnixNano: String(nanoseconds(at)),
            ...jsonValue(value),
          }));
          return temporality === 'current'
            ? { name, gauge: { dataPoints } }
            : { name, sum: { dataPoints, aggregationTemporality: NUMBERS[temporality], isMonotonic: true } };
        }),
      },
    ],
  })),
});

const GB = 2 ** 30;

/**
 * What the host metrics receiver sends of a machine `seconds` after its boot: as `nodeExporter` of testing/remote-write.
 * Differences are those of the last minute.
 */
export function hostMetrics(
  resource: Record<string, string>,
  at: number,
  seconds: number,
  temporality: 'cumulative' | 'delta' = 'cumulative',
): SentResource {
  const counted = temporality === 'delta' ? 60 : seconds;
  const from = at - counted * 1000;
  const counter = (name: string, ...points: [number, Record<string, string>][]): SentMetric => ({
    name,
    temporality,
    points: points.map(([perSecond, attributes]) => ({ attributes, value: perSecond * counted, from, at })),
  });
  const current = (name: string, ...points: [number, Record<string, string>][]): SentMetric => ({
    name,
    temporality: 'current',
    points: points.map(([value, attributes]) => ({ attributes, value, from, at })),
  });
  const root = { device: '/dev/vda1', mountpoint: '/', type: 'ext4', mode: 'rw' };
  return {
    attributes: resource,
    metrics: [
      counter(
        'system.cpu.time',
        [1.5, { state: 'idle' }],
        [0.1, { state: 'system' }],
        [0.4, { state: 'user' }],
        [0, { state: 'wait' }],
      ),
      current('system.cpu.logical.count', [2, {}]),
      current('system.memory.limit', [8 * GB, {}]),
      current(
        'system.memory.usage',
        [2 * GB, { state: 'used' }],
        [5 * GB, { state: 'free' }],
        [GB, { state: 'cached' }],
      ),
      current(
        'system.paging.usage',
        [GB, { device: '/swap', state: 'used' }],
        [GB, { device: '/swap', state: 'free' }],
      ),
      current(
        'system.filesystem.usage',
        [60 * GB, { ...root, state: 'used' }],
        [20 * GB, { ...root, state: 'free' }],
        [20 * GB, { ...root, state: 'reserved' }],
      ),
      counter(
        'system.disk.operations',
        [4, { device: 'vda', direction: 'write' }],
        [4, { device: 'vda1', direction: 'write' }],
      ),
      counter(
        'system.network.io',
        [2000, { device: 'eth0', direction: 'receive' }],
        [9, { device: 'lo', direction: 'receive' }],
      ),
      current('system.cpu.load_average.1m', [0.5, {}]),
      current('system.cpu.load_average.5m', [0.4, {}]),
      current('system.cpu.load_average.15m', [0.3, {}]),
      current('system.uptime', [seconds, {}]),
      current('system.processes.count', [100, { status: 'running' }]),
    ],
  };
}
