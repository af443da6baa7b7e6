import * as fc from 'fast-check';
import { z } from 'zod';

/** The part of JSON Schema that the wire schemas use. */
interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: JsonSchema;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
}

/** Bounds of the types of PostgreSQL and of the wire: integer, bigint, real (also its smallest and largest), double. */
const EDGES = [
  0,
  1,
  -1,
  5e-324,
  2.3e-308,
  1.4e-45,
  1.2e-38,
  1e-30,
  1e-12,
  0.5,
  99.999_999_999_999_99,
  100,
  65_535,
  4_194_304,
  16_777_217,
  2_147_483_647,
  2_147_483_648,
  -2_147_483_648,
  -2_147_483_649,
  4_294_967_296,
  9_007_199_254_740_991,
  2 ** 63,
  3.4e38,
  3.5e38,
  1.7e308,
];

const numberOf = ({ minimum, exclusiveMinimum, maximum }: JsonSchema, isWhole: boolean): fc.Arbitrary<number> => {
  const isAllowed = (value: number): boolean =>
    value >= (minimum ?? -Infinity) &&
    value > (exclusiveMinimum ?? -Infinity) &&
    value <= (maximum ?? Infinity) &&
    (!isWhole || Number.isSafeInteger(value));
  const bounds = [minimum, maximum].filter((value) => value !== undefined);
  const edges = fc.constantFrom(...[...bounds, ...bounds, ...EDGES].filter(isAllowed));
  const [min, max] = [minimum ?? exclusiveMinimum ?? -Number.MAX_VALUE, maximum ?? Number.MAX_VALUE];
  const safe = Number.MAX_SAFE_INTEGER;
  const any = isWhole
    ? fc.integer({ min: Math.max(min, -safe), max: Math.min(max, safe) })
    : // JSON.stringify writes −0 as 0, so that what was stored would differ from what was generated.
      fc.double({ min, max, noNaN: true }).map((value) => (value === 0 ? 0 : value));
  return fc.oneof({ weight: 9, arbitrary: edges }, { weight: 1, arbitrary: any.filter(isAllowed) });
};

/** Few different texts, so that keys and names collide, beside what PostgreSQL refuses and what is longest. */
const textOf = ({ minLength = 0, maxLength = 600, pattern = '' }: JsonSchema): fc.Arbitrary<string> => {
  const longest = ['é', '~'].map((letter) => letter.repeat(maxLength));
  const some = ['a', 'b', '\u0000', '\ud800', '-5', '{}', "'", '', ...longest].filter(
    (text) => text.length >= minLength && text.length <= maxLength && new RegExp(pattern).test(text),
  );
  return some.length > 0 ? fc.constantFrom(...some) : fc.stringMatching(new RegExp(pattern));
};

const recordOf = ({ propertyNames, additionalProperties }: JsonSchema): fc.Arbitrary<unknown> =>
  fc.dictionary(
    textOf(propertyNames ?? {}).filter((key) => key !== '__proto__'),
    typeof additionalProperties === 'object' ? arbitraryFrom(additionalProperties) : fc.constant(null),
    { maxKeys: 3, noNullPrototype: true },
  );

const objectOf = ({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<unknown> =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, arbitraryFrom(schema)])), {
    requiredKeys: required,
  });

function arbitraryFrom(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitraryFrom));
  if (schema.type === undefined) throw new Error(`no arbitrary for ${JSON.stringify(schema)}`);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => arbitraryFrom({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return schema.properties ? objectOf(schema) : recordOf(schema);
    case 'array':
      return fc.array(arbitraryFrom(schema.items ?? {}), { maxLength: Math.min(3, schema.maxItems ?? 3) });
    case 'number':
      return numberOf(schema, false);
    case 'integer':
      return numberOf(schema, true);
    case 'string':
      return textOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      throw new Error(`no arbitrary for ${JSON.stringify(schema)}`);
  }
}

/**
 * Returns what the schema may accept, read from the schema itself: a field added to it is generated without a line here.
 * Values at the ends of what types hold come far more often than others. Rules of `refine` are the caller's to keep.
 */
export const arbitraryOf = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  arbitraryFrom(z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
