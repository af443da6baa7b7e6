import { SHIPPED_FIGURES, type ShippedSample } from './shipped-figures.ts';

/**
 * Writes the body of a Prometheus remote write 1.0 request: protobuf, before its compression. A library that makes an
 * object of each label and sample takes several times the CPU (docs/scaling.md).
 *
 *     WriteRequest { repeated TimeSeries timeseries = 1 }
 *     TimeSeries { repeated Label labels = 1; repeated Sample samples = 2 }
 *     Label { string name = 1; string value = 2 }    Sample { double value = 1; int64 timestamp = 2 }
 */

/** Name of every series; the label `figure` says what it is. */
export const METRIC = 'plimsoll_sample';

const TAG = { first: 0x0a, second: 0x12, double: 0x09, integer: 0x10 } as const;

/** Bytes of a number from 0 in base 128, low bits first. */
const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];

const text = (tag: number, value: string): number[] => {
  const bytes = [...Buffer.from(value)];
  return [tag, ...varint(bytes.length), ...bytes];
};
const label = (name: string, value: string): Buffer => {
  const body = [...text(TAG.first, name), ...text(TAG.second, value)];
  return Buffer.from([TAG.first, ...varint(body.length), ...body]);
};

/** Labels of a series are sorted by name: __name__, figure, server. */
const FIGURE_LABELS = SHIPPED_FIGURES.map(({ name }) =>
  Buffer.concat([label('__name__', METRIC), label('figure', name)]),
);

/** A message in a message: its tag, its length and its body. */
const writeHead = (target: Buffer, at: number, tag: number, length: number): number => {
  let end = target.writeUInt8(tag, at);
  for (const byte of varint(length)) end = target.writeUInt8(byte, end);
  return end;
};

/** The samples of one server in which this figure is known. */
interface Series {
  labels: readonly Buffer[];
  figure: number;
  samples: readonly ShippedSample[];
}

/** Samples of one request have timestamps of one length. */
const sampleLength = (stamp: readonly number[]): number => 1 + 8 + 1 + stamp.length;

function seriesOf(samples: readonly ShippedSample[], stamps: ReadonlyMap<number, readonly number[]>) {
  const byServer = Map.groupBy(samples, ({ serverId }) => serverId);
  const all = [...byServer].flatMap(([serverId, rows]) => {
    const server = label('server', serverId);
    return FIGURE_LABELS.map((labels, figure): Series => ({
      labels: [labels, server],
      figure,
      samples: rows.filter(({ values }) => values[figure] != null),
    }));
  });
  return all
    .filter((series) => series.samples.length > 0)
    .map((series) => ({ ...series, length: lengthOf(series, stamps) }));
}
const lengthOf = ({ labels, samples }: Series, stamps: ReadonlyMap<number, readonly number[]>): number =>
  labels.reduce((sum, { length }) => sum + length, 0) +
  samples.reduce((sum, { at }) => sum + 2 + sampleLength(stamps.get(at) ?? []), 0);

/** Returns the request of these samples. */
export function writeRequest(samples: readonly ShippedSample[]): Buffer {
  const stamps = new Map(samples.map(({ at }) => [at, varint(at)] as const));
  const all = seriesOf(samples, stamps);
  const target = Buffer.allocUnsafe(all.reduce((sum, { length }) => sum + 1 + varint(length).length + length, 0));
  let end = 0;
  for (const { labels, figure, samples: rows, length } of all) {
    end = writeHead(target, end, TAG.first, length);
    for (const bytes of labels) end += bytes.copy(target, end);
    for (const { at, values } of rows) {
      const stamp = stamps.get(at) ?? [];
      end = writeHead(target, end, TAG.second, sampleLength(stamp));
      end = target.writeDoubleLE(values[figure] ?? 0, target.writeUInt8(TAG.double, end));
      end = target.writeUInt8(TAG.integer, end);
      for (const byte of stamp) end = target.writeUInt8(byte, end);
    }
  }
  return target;
}
