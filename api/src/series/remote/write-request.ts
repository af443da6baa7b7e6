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

/** Bytes that a number from 0 takes in base 128. */
const varintLength = (value: number): number => (value < 128 ? 1 : 1 + varintLength(Math.floor(value / 128)));

/** Writes a number from 0 in base 128, low bits first. Returns where it ends. */
function writeVarint(target: Uint8Array, at: number, value: number): number {
  let [end, rest] = [at, value];
  for (; rest >= 128; rest = Math.floor(rest / 128)) target[end++] = (rest % 128) + 128;
  target[end++] = rest;
  return end;
}

/** A part of a message: its tag, its length and its bytes. */
const field = (tag: number, body: Uint8Array): Buffer => {
  const head = new Uint8Array(1 + varintLength(body.length));
  head[0] = tag;
  writeVarint(head, 1, body.length);
  return Buffer.concat([head, body]);
};
const label = (name: string, value: string): Buffer =>
  field(TAG.first, Buffer.concat([field(TAG.first, Buffer.from(name)), field(TAG.second, Buffer.from(value))]));

/** Labels of a series are sorted by name: __name__, figure, server. */
const FIGURE_LABELS = SHIPPED_FIGURES.map(({ name }) =>
  Buffer.concat([label('__name__', METRIC), label('figure', name)]),
);

const DOUBLE_BYTES = 8;
const sampleLength = (at: number): number => 1 + DOUBLE_BYTES + 1 + varintLength(at);
/** Its length is below 128, so that it takes one byte. */
const SAMPLE_HEAD = 2;

/** Bytes of the samples in which a figure is known; 0: none. */
function samplesLength(samples: readonly ShippedSample[], figure: number): number {
  let length = 0;
  for (const { at, values } of samples) if (values[figure] != null) length += SAMPLE_HEAD + sampleLength(at);
  return length;
}

/** Tag and length of a series take at most this many bytes: it is shorter than 2 GB. */
const SERIES_HEAD = 6;
const mostBytes = (server: Buffer, samples: readonly ShippedSample[]): number => {
  const ofSamples = samples.reduce((sum, { at }) => sum + SAMPLE_HEAD + sampleLength(at), 0);
  return FIGURE_LABELS.reduce((sum, { length }) => sum + SERIES_HEAD + length + server.length + ofSamples, 0);
};

/** Returns the request of these samples. */
export function writeRequest(samples: readonly ShippedSample[]): Buffer {
  const servers = [...Map.groupBy(samples, ({ serverId }) => serverId)].map(([id, rows]) => ({
    labels: label('server', id),
    rows,
  }));
  const target = Buffer.allocUnsafe(servers.reduce((sum, { labels, rows }) => sum + mostBytes(labels, rows), 0));
  let end = 0;
  for (const { labels: server, rows } of servers) {
    for (const [figure, labels] of FIGURE_LABELS.entries()) {
      const length = samplesLength(rows, figure);
      if (length === 0) continue;
      target[end++] = TAG.first;
      end = writeVarint(target, end, labels.length + server.length + length);
      target.set(labels, end);
      target.set(server, end + labels.length);
      end = writeSamples(target, end + labels.length + server.length, rows, figure);
    }
  }
  return target.subarray(0, end);
}

function writeSamples(target: Buffer, from: number, samples: readonly ShippedSample[], figure: number): number {
  let end = from;
  for (const { at, values } of samples) {
    const value = values[figure];
    if (value == null) continue;
    target[end++] = TAG.second;
    target[end++] = sampleLength(at);
    target[end++] = TAG.double;
    end = target.writeDoubleLE(value, end);
    target[end++] = TAG.integer;
    end = writeVarint(target, end, at);
  }
  return end;
}
