import type { z } from 'zod';

export type Schema = z.core.$ZodType;

export interface Filling {
  /** The value of every text, by its path. */
  text: (path: string) => string;
  /** Keys of records. */
  key: string;
  /** The value of every number, by its path. */
  number: (path: string) => number;
}

/**
 * Builds a value that has every field of a schema: optional parts are there, nullable ones are not null, and lists and
 * records have one entry. Paths are dotted and leave out the index of a list.
 */
export function filledSchema(schema: z.core.$ZodType, filling: Filling, path = ''): unknown {
  const below = (child: z.core.$ZodType, name?: string): unknown =>
    filledSchema(child, filling, name === undefined ? path : path === '' ? name : `${path}.${name}`);
  const known = (schema as z.core.$ZodTypes)._zod.def;
  if (known.type === 'object')
    return Object.fromEntries(Object.entries(known.shape).map(([name, child]) => [name, below(child, name)]));
  if (known.type === 'array') return [below(known.element)];
  if (known.type === 'record') return { [filling.key]: below(known.valueType) };
  if (known.type === 'optional' || known.type === 'nullable' || known.type === 'default') return below(known.innerType);
  if (known.type === 'enum') return Object.values(known.entries)[0];
  if (known.type === 'literal') return known.values[0];
  if (known.type === 'boolean') return true;
  if (known.type === 'number') return filling.number(path);
  if (known.type === 'string') return filling.text(path);
  if (known.type === 'pipe') return below(known.in);
  if (known.type === 'union') return below(known.options[0] as z.core.$ZodType);
  if (known.type === 'unknown') return undefined;
  throw new Error(`${path}: a schema of type ${known.type} cannot be filled yet`);
}
