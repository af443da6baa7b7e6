import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { type Attributes as JsonAttributes, type JsonMetric, otlpMetricsRequest } from '@plimsoll/contract/wire/otlp';
import { CodedError } from '../errors.ts';
import { eachField, type Range } from './protobuf-fields.ts';

/** ExportMetricsServiceRequest of OpenTelemetry, in both of its encodings; only gauges and sums. */
export interface MetricsRequest {
  resources: Resource[];
  /** Data points of all metrics. */
  points: number;
}
interface Resource {
  attributes: Attributes;
  metrics: Metric[];
}
export type Attributes = ReadonlyMap<string, string>;
export interface Metric {
  name: string;
  temporality: 'current' | 'cumulative' | 'delta';
  points: Point[];
}
export interface Point {
  attributes: Attributes;
  value: number;
  /** Epoch milliseconds; `from` is the start of what a sum counts. */
  from: number;
  at: number;
}
type IsWanted = (name: string) => boolean;

export type OtlpEncoding = 'protobuf' | 'json';

export function otlpEncoding(contentType: string | null): OtlpEncoding {
  const type = contentType?.split(';')[0]?.trim();
  if (type === 'application/x-protobuf') return 'protobuf';
  if (type === 'application/json') return 'json';
  throw new CodedError('unsupported_media_type', 'content-type: must be application/x-protobuf or application/json', {
    field: 'content-type',
  });
}

/** Numbers of AggregationTemporality. */
const TEMPORALITIES: Partial<Record<number, Metric['temporality']>> = { 1: 'delta', 2: 'cumulative' };
const MOST_NANOSECONDS = 10n ** 19n;
const milliseconds = (nanoseconds: bigint): number =>
  nanoseconds > MOST_NANOSECONDS ? 0 : Number(nanoseconds / 1_000_000n);

function requireFew(points: number): void {
  const { samplesPerRequest } = EXTERNAL_METRICS_LIMITS;
  if (points <= samplesPerRequest) return;
  throw new CodedError('body_too_large', 'Too many data points in one request', {
    remedy: `Send at most ${String(samplesPerRequest)}.`,
  });
}

export function readOtlpProtobuf(bytes: Uint8Array, isWanted: IsWanted): MetricsRequest {
  try {
    return new OtlpReader(bytes, isWanted).read();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('invalid_protobuf', 'The body is not a valid OTLP metrics request', { cause: error });
  }
}

const GAUGE = 5;
const SUM = 7;

class OtlpReader {
  readonly #reader: BinaryReader;
  readonly #bytes: Buffer;
  readonly #isWanted: IsWanted;
  #points = 0;

  constructor(bytes: Uint8Array, isWanted: IsWanted) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reader = new BinaryReader(this.#bytes);
    this.#isWanted = isWanted;
  }

  read(): MetricsRequest {
    const resources = this.#fields({ start: 0, end: this.#bytes.length }, 1).map((range) => this.#resource(range));
    return { resources, points: this.#points };
  }

  /** Returns the ranges of one length-delimited field. */
  #fields(range: Range, wanted: number): Range[] {
    const found: Range[] = [];
    eachField(this.#reader, range, (field, part) => {
      if (field === wanted) found.push(part);
    });
    return found;
  }

  #resource(range: Range): Resource {
    const attributes = new Map(
      this.#fields(range, 1).flatMap((resource) => this.#fields(resource, 1).flatMap((pair) => this.#attribute(pair))),
    );
    const metrics = this.#fields(range, 2).flatMap((scope) =>
      this.#fields(scope, 2).flatMap((metric) => this.#metric(metric)),
    );
    return { attributes, metrics };
  }

  #metric(range: Range): Metric[] {
    let name = '';
    const kinds: [number, Range][] = [];
    eachField(this.#reader, range, (field, part) => {
      if (field === 1) name = this.#text(part);
      else if (field >= GAUGE) kinds.push([field, part]);
    });
    return kinds.flatMap(([kind, part]) => this.#pointsOf(name, kind, part));
  }

  #pointsOf(name: string, kind: number, range: Range): Metric[] {
    const points: Range[] = [];
    let temporality: Metric['temporality'] | undefined = kind === GAUGE ? 'current' : undefined;
    eachField(
      this.#reader,
      range,
      (field, part) => {
        if (field === 1) points.push(part);
      },
      (field, type) => {
        if (field !== 2 || type !== WireType.Varint || kind !== SUM) return false;
        temporality = TEMPORALITIES[this.#reader.uint32()];
        return true;
      },
    );
    this.#points += points.length;
    requireFew(this.#points);
    if (temporality === undefined || !this.#isWanted(name)) return [];
    return [{ name, temporality, points: points.map((point) => this.#point(point)) }];
  }

  #point(range: Range): Point {
    const attributes = new Map<string, string>();
    const point = { value: 0, from: 0, at: 0 };
    const reader = this.#reader;
    eachField(
      reader,
      range,
      (field, part) => {
        if (field === 7) for (const [name, value] of this.#attribute(part)) attributes.set(name, value);
      },
      (field, type) => {
        if (type !== WireType.Bit64) return false;
        if (field === 2) point.from = milliseconds(BigInt(reader.fixed64()));
        else if (field === 3) point.at = milliseconds(BigInt(reader.fixed64()));
        else if (field === 4) point.value = reader.double();
        else if (field === 6) point.value = Number(reader.sfixed64());
        else return false;
        return true;
      },
    );
    return { attributes, ...point };
  }

  /** A name with a text; values of other kinds name nothing of a host, and numbers are written as texts. */
  #attribute(range: Range): [string, string][] {
    let name = '';
    let value: string | null = null;
    const reader = this.#reader;
    eachField(reader, range, (field, part) => {
      if (field === 1) name = this.#text(part);
      if (field !== 2) return;
      eachField(
        reader,
        part,
        (kind, text) => {
          if (kind === 1) value = this.#text(text);
        },
        (kind, type) => {
          if (kind !== 3 || type !== WireType.Varint) return false;
          value = String(reader.int64());
          return true;
        },
      );
    });
    return value === null ? [] : [[name, value]];
  }

  #text({ start, end }: Range): string {
    return this.#bytes.toString('utf8', start, end);
  }
}

/** Takes the parsed body of the JSON encoding. */
export function readOtlpJson(body: unknown, isWanted: IsWanted): MetricsRequest {
  const parsed = otlpMetricsRequest.safeParse(body);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.map(String).join('.') || 'body';
    throw new CodedError('invalid_parameter', `${field}: ${issue?.message ?? 'not valid'}`, { field });
  }
  let points = 0;
  const resources = parsed.data.resourceMetrics.map(({ resource, scopeMetrics }) => ({
    attributes: attributesOf(resource?.attributes ?? []),
    metrics: scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .flatMap((metric) => {
        points += pointsOf(metric);
        requireFew(points);
        return isWanted(metric.name) ? metricOf(metric) : [];
      }),
  }));
  return { resources, points };
}

const pointsOf = ({ gauge, sum, histogram, exponentialHistogram, summary }: JsonMetric): number =>
  [gauge, sum, histogram, exponentialHistogram, summary].reduce((all, kind) => all + (kind?.dataPoints.length ?? 0), 0);

function metricOf({ name, gauge, sum }: JsonMetric): Metric[] {
  const temporality = sum === undefined ? 'current' : TEMPORALITIES[sum.aggregationTemporality];
  const points = (gauge ?? sum)?.dataPoints;
  if (temporality === undefined || points === undefined) return [];
  return [
    {
      name,
      temporality,
      points: points.map(({ attributes, asDouble, asInt, startTimeUnixNano, timeUnixNano }) => ({
        attributes: attributesOf(attributes),
        value: asDouble ?? asInt ?? 0,
        from: milliseconds(startTimeUnixNano),
        at: milliseconds(timeUnixNano),
      })),
    },
  ];
}

const attributesOf = (attributes: JsonAttributes): Attributes =>
  new Map(
    attributes.flatMap(({ key, value }): [string, string][] => {
      const text = value?.stringValue ?? value?.intValue;
      return text === undefined ? [] : [[key, String(text)]];
    }),
  );

/** Encodes ExportMetricsServiceResponse. */
export function otlpAnswer(encoding: OtlpEncoding, rejected: number, message: string): Uint8Array | string {
  if (encoding === 'json')
    return JSON.stringify(
      rejected === 0 ? {} : { partialSuccess: { rejectedDataPoints: String(rejected), errorMessage: message } },
    );
  const writer = new BinaryWriter();
  if (rejected === 0) return writer.finish();
  const { LengthDelimited, Varint } = WireType;
  return writer
    .tag(1, LengthDelimited)
    .fork()
    .tag(1, Varint)
    .int64(rejected)
    .tag(2, LengthDelimited)
    .string(message)
    .join()
    .finish();
}
