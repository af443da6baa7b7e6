import { ownValue } from '../rules/printable-text.ts';
import { z } from 'zod';

/**
 * Parts of the JSON encoding of an OTLP metrics request. Protobuf's JSON writes 64-bit numbers as texts, and reads both;
 * NaN and infinity are texts. A missing field may be null. Fields that Plimsoll does not read are dropped.
 */
const optional = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? undefined);
const decimal = z.string().regex(/^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/);
const double = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']), decimal]).transform(Number);
const int64 = z.union([z.number().refine(Number.isInteger), z.string().regex(/^-?\d{1,20}$/)]);
const nanoseconds = z
  .union([z.number().nonnegative().refine(Number.isInteger), z.string().regex(/^\d{1,20}$/)])
  .nullish()
  .transform((value) => BigInt(value ?? 0));

export const otlpAttribute = z.object({
  key: z.string(),
  value: optional(z.object({ stringValue: optional(z.string()), intValue: optional(int64.transform(String)) })),
});

export const otlpPoint = z.object({
  attributes: z
    .array(z.unknown())
    .nullish()
    .transform((list) => list ?? []),
  startTimeUnixNano: nanoseconds,
  timeUnixNano: nanoseconds,
  asDouble: optional(double),
  asInt: optional(int64.transform(Number)),
  /** Bits of DataPointFlags. */
  flags: int64.nullish().transform((flags) => Number(flags ?? 0)),
});

/** By number or by name. */
const TEMPORALITY_NAMES: Partial<Record<string, number>> = {
  AGGREGATION_TEMPORALITY_DELTA: 1,
  AGGREGATION_TEMPORALITY_CUMULATIVE: 2,
};
export const otlpTemporality = z
  .union([z.int(), z.string()])
  .transform((value) => (typeof value === 'number' ? value : (ownValue(TEMPORALITY_NAMES, value) ?? 0)));
