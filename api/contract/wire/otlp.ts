import { z } from 'zod';

/**
 * The JSON encoding of an OTLP metrics request. Protobuf's JSON writes 64-bit numbers as texts, and reads both; NaN and
 * infinity are texts. Fields that Plimsoll does not read are dropped.
 */
const double = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])]).transform(Number);
const int64 = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]).transform(Number);
const nanoseconds = z.union([z.int().nonnegative(), z.string().regex(/^\d{1,20}$/)]).transform(BigInt);

const attributes = z
  .array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string().optional(), intValue: int64.optional() }).optional(),
    }),
  )
  .default([]);
export type Attributes = z.output<typeof attributes>;

const dataPoint = z.object({
  attributes,
  startTimeUnixNano: nanoseconds.default(0n),
  timeUnixNano: nanoseconds.default(0n),
  asDouble: double.optional(),
  asInt: int64.optional(),
});
const numbers = z.object({ dataPoints: z.array(dataPoint).default([]) });
const others = z.object({ dataPoints: z.array(z.unknown()).default([]) });

/** By number or by name. */
const TEMPORALITY_NAMES: Partial<Record<string, number>> = {
  AGGREGATION_TEMPORALITY_DELTA: 1,
  AGGREGATION_TEMPORALITY_CUMULATIVE: 2,
};
const temporality = z
  .union([z.int(), z.string()])
  .default(0)
  .transform((value) => (typeof value === 'number' ? value : (TEMPORALITY_NAMES[value] ?? 0)));

const metric = z.object({
  name: z.string().default(''),
  gauge: numbers.optional(),
  sum: numbers.extend({ aggregationTemporality: temporality }).optional(),
  histogram: others.optional(),
  exponentialHistogram: others.optional(),
  summary: others.optional(),
});
export type JsonMetric = z.output<typeof metric>;

export const otlpMetricsRequest = z.object({
  resourceMetrics: z
    .array(
      z.object({
        resource: z.object({ attributes }).optional(),
        scopeMetrics: z.array(z.object({ metrics: z.array(metric).default([]) })).default([]),
      }),
    )
    .default([]),
});
