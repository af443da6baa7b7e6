import { z } from 'zod';

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
  switch (known.type) {
    case 'object':
      return Object.fromEntries(Object.entries(known.shape).map(([name, child]) => [name, below(child, name)]));
    case 'array':
      return [below(known.element)];
    case 'record':
      return { [filling.key]: below(known.valueType) };
    case 'optional':
    case 'nullable':
    case 'default':
      return below(known.innerType);
    case 'enum':
      return Object.values(known.entries)[0];
    case 'literal':
      return known.values[0];
    case 'boolean':
      return true;
    case 'number':
      return filling.number(path);
    case 'string':
      return filling.text(path);
    case 'unknown':
      return undefined;
    default:
      throw new Error(`${path}: a schema of type ${known.type} cannot be filled yet`);
  }
}
