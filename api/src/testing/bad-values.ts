/** A JSON schema, as the description of the API has it. */
export interface JsonSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  anyOf?: JsonSchema[];
}
/** A value the schema forbids. `field`: what the error must name, relative to the value; empty for the value itself. */
export interface BadValue {
  what: string;
  field: string;
  value: unknown;
}

const one = (what: string, value: unknown, field = ''): BadValue => ({ what, field, value });
/** JSON schema's own way of saying "any safe integer". */
const isReal = (limit: number | undefined): limit is number =>
  limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;

function badNumbers({ type, minimum, maximum }: JsonSchema): BadValue[] {
  return [
    ...(isReal(minimum) ? [one('too small', minimum - 1)] : []),
    ...(isReal(maximum) ? [one('too large', maximum + 1)] : []),
    ...(type === 'integer' ? [one('a fraction', 1.5)] : []),
  ];
}

function badStrings({ enum: choices, format, pattern, description, minLength, maxLength }: JsonSchema): BadValue[] {
  if (choices) return [one('no such choice', 'no-such-choice')];
  // Fits the pattern of names, which is only that they are ASCII.
  const isAscii = pattern !== undefined && new RegExp(pattern).test('in another form');
  if (!isAscii && (format !== undefined || pattern !== undefined || description !== undefined))
    return [one('in another form', 'in another form', description?.includes('commas') ? '[0]' : '')];
  return [
    ...(isAscii ? [one('not ASCII', 'é')] : []),
    ...(minLength === undefined ? [] : [one('too short', 'x'.repeat(minLength - 1))]),
    ...(maxLength === undefined ? [] : [one('too long', 'x'.repeat(maxLength + 1))]),
  ];
}

/** Returns texts that a query or path must refuse; all values are text there. */
export function badTexts(schema: JsonSchema): BadValue[] {
  if (schema.type === 'array') return badLists(schema);
  if (schema.type !== 'integer' && schema.type !== 'number') return badStrings(schema);
  const numbers = badNumbers(schema).map(({ what, value }) => one(what, String(value)));
  return [one('no number', 'many'), one('empty', ''), one('a number in another form', '1e1'), ...numbers];
}

/** A list in a query is one text with commas between its entries. */
const badLists = ({ items = {}, maxItems }: JsonSchema): BadValue[] => [
  ...badStrings(items).map(({ what, value }) => one(`an entry that is ${what}`, value, '[0]')),
  ...(maxItems === undefined ? [] : [one('too many', Array.from({ length: maxItems + 1 }, () => 'x').join(','))]),
];

/** Returns values that a body must refuse at this place. */
export function badValues(schema: JsonSchema): BadValue[] {
  if (schema.anyOf) return schema.anyOf.filter(({ type }) => type !== 'null').flatMap(badValues);
  const { type } = schema;
  if (type === 'string') return [one('a number', 5), one('an object', {}), ...badStrings(schema)];
  if (type === 'integer' || type === 'number') return [one('text', '5'), ...badNumbers(schema)];
  if (type === 'boolean') return [one('text', 'true')];
  if (type === 'array') return badArrays(schema);
  return type === 'object' ? badObjects(schema) : [];
}

function badArrays({ items = {}, minItems, maxItems }: JsonSchema): BadValue[] {
  const isOfObjects = items.type === 'object';
  const entry = isOfObjects ? entryOf(items) : (items.enum?.[0] ?? 'x');
  return [
    one('an object', {}),
    ...(minItems === undefined ? [] : [one('too few', [])]),
    ...(maxItems === undefined
      ? []
      : [
          one(
            'too many',
            Array.from({ length: maxItems + 1 }, () => entry),
          ),
        ]),
    // The keys of an object inside a list are tried by the tests of its call.
    ...(isOfObjects ? [one('text', 'x')] : badValues(items)).map(({ what, field, value }) =>
      one(`an entry that is ${what}`, [value], `[0]${field}`),
    ),
  ];
}

/** Returns an object that the schema allows. */
const entryOf = ({ properties = {} }: JsonSchema): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { anyOf, ...schema }]) => {
      const { enum: choices, minimum } = anyOf?.[0] ?? schema;
      return [name, choices?.[0] ?? minimum ?? 'x'];
    }),
  );

/** Returns values that are no object, or hold a forbidden property. `badProperties` tries the properties one by one. */
function badObjects({ properties = {}, additionalProperties }: JsonSchema): BadValue[] {
  const values = typeof additionalProperties === 'object' ? badValues(additionalProperties) : [];
  return [
    one('text', 'x'),
    one('an array', []),
    ...(additionalProperties === false ? [one('with an unknown key', { unheard_of: 1 }, 'unheard_of')] : []),
    ...values.map(({ what, value }) => one(`a value that is ${what}`, { some: value }, 'some')),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      inner.type === 'object' ? badProperties(name, inner) : [],
    ),
  ];
}

const badProperties = (name: string, schema: JsonSchema): BadValue[] =>
  badValues(schema).map(({ what, field, value }) =>
    one(`${name} ${what}`, { [name]: value }, [name, field].filter(Boolean).join('.')),
  );

/** A text that this parameter of a query takes. */
export function goodText({ type, enum: choices, format, minimum = 0, description = '' }: JsonSchema): string {
  const choice = choices?.[0];
  if (typeof choice === 'string') return choice;
  if (type === 'integer' || type === 'number') return String(minimum);
  return format || description.includes('ids') ? crypto.randomUUID() : '1769853600';
}

/** Places for text without any limit of length: none may be left to the body's size alone. */
export function unboundedTexts(schema: JsonSchema, place: string): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((inner) => unboundedTexts(inner, place));
  if (schema.type === 'array') return unboundedTexts(schema.items ?? {}, `${place}[]`);
  if (schema.type === 'object') {
    const inner = Object.entries(schema.properties ?? {});
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    return [
      ...inner.flatMap(([name, one]) => unboundedTexts(one, `${place}.${name}`)),
      ...unboundedTexts(rest, `${place}.*`),
    ];
  }
  const isLimited = schema.enum ?? schema.format ?? schema.pattern ?? schema.description ?? schema.maxLength;
  return schema.type === 'string' && isLimited === undefined ? [place] : [];
}
