import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';

/** ExportMetricsServiceRequest of OpenTelemetry, in both of its encodings; only gauges and sums with points. */
export interface MetricsRequest {
  resources: Resource[];
  /** Data points of all metrics. */
  points: number;
  /** Points that are not valid. The reader leaves them out and reads the others. */
  unreadable: number;
}
export interface Resource {
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

export type OtlpEncoding = 'protobuf' | 'json';

export function otlpEncoding(contentType: string | null): OtlpEncoding {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === 'application/x-protobuf') return 'protobuf';
  if (type === 'application/json') return 'json';
  throw new CodedError('unsupported_media_type', 'content-type: must be application/x-protobuf or application/json', {
    field: 'content-type',
  });
}

/**
 * Returns the value of a point; null: it lost its value, and 0 would look measured. The flag FLAG_NO_RECORDED_VALUE (bit 0)
 * ends a series, as a NaN of Prometheus does.
 */
export function valueOf(value: number | undefined, flags: number): number | null {
  return (flags & 1) === 1 ? Number.NaN : (value ?? null);
}

/** Numbers of AggregationTemporality. */
export const TEMPORALITIES: Partial<Record<number, Metric['temporality']>> = { 1: 'delta', 2: 'cumulative' };
const MOST_NANOSECONDS = 10n ** 19n;
export const milliseconds = (nanoseconds: bigint): number =>
  nanoseconds > MOST_NANOSECONDS ? 0 : Number(nanoseconds / 1_000_000n);

export function requireFew(points: number): void {
  const { samplesPerRequest } = EXTERNAL_METRICS_LIMITS;
  if (points <= samplesPerRequest) return;
  throw new CodedError('body_too_large', 'Too many data points in one request', {
    remedy: `Send at most ${String(samplesPerRequest)}.`,
  });
}

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
