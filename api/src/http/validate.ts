import { z } from 'zod';
import { CodedError } from '../errors.ts';
import type { Shape } from './define-route.ts';
import { problemWords } from './problem-words.ts';

type Issue = z.core.$ZodIssue;

/** Returns the remedy of an issue if its message does not contain one. `known` null: the names are not known here. */
function remedyOf(issue: Issue, known: readonly string[] | null): string | undefined {
  if (issue.code === 'unrecognized_keys' && known === null) return 'Leave it out.';
  if (issue.code === 'unrecognized_keys' && known !== null)
    return known.length === 0 ? 'This endpoint takes no parameters.' : `Allowed: ${known.join(', ')}.`;
  if (issue.code === 'invalid_value') return `Use one of: ${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'invalid_type' && isMissing(issue)) return `Send it as ${issue.expected}.`;
  if (issue.code === 'too_big') return `Use at most ${String(issue.maximum)}.`;
  if (issue.code === 'too_small') return `Use at least ${String(issue.minimum)}.`;
  if (issue.code === 'invalid_format') return `Write it as a valid ${issue.format}.`;
  return undefined;
}

const isMissing = (issue: Issue): boolean =>
  issue.code === 'invalid_type' && issue.message.endsWith('received undefined');

/** `a.b[2]`, so that a person finds the place in what they sent. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((step, i) => (typeof step === 'number' ? `[${String(step)}]` : `${i > 0 ? '.' : ''}${String(step)}`))
    .join('');

/** The first issue as an error that names the field, what is wrong and what to do. Values are never echoed. */
function explain(issues: readonly Issue[], where: string, known: readonly string[] | null): CodedError {
  const issue = issues[0];
  if (issue === undefined) return new CodedError('invalid_parameter', `${where} is not valid`);
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const field = unknown === undefined ? pathOf(issue.path) : unknown.slice(0, 64);
  const what = unknown === undefined ? (isMissing(issue) ? 'is required' : problemWords(issue)) : 'is not allowed';
  const remedy = remedyOf(issue, known);
  return new CodedError('invalid_parameter', `${field === '' ? where : field}: ${what}`, {
    ...(field === '' ? {} : { field }),
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/**
 * PostgreSQL refuses NUL in any text and lone surrogates in JSON; both are refused here, where the field can be named.
 */
function requireStorable(value: unknown, field: string): void {
  if (typeof value === 'string') {
    if (!value.includes('\0') && value.isWellFormed()) return;
    throw new CodedError('invalid_parameter', `${field}: contains a character that cannot be stored`, {
      field: field.slice(0, 64),
      remedy: 'Remove NUL characters and unpaired surrogates.',
    });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    requireStorable(key, field);
    requireStorable(child, field === 'body' ? key.slice(0, 64) : field);
  }
}

/**
 * Parses the query string against `shape`. Unknown and repeated parameters are refused: `?id[not]=x` or `?id=a&id=b`
 * must not mean one thing to a check and another to a query.
 */
export function parseQuery(url: string, shape: Shape = NOTHING): Record<string, unknown> {
  if (shape === NOTHING && !url.includes('?')) return {};
  const raw: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URL(url).searchParams) {
    if (name in raw)
      throw new CodedError('invalid_parameter', `${name.slice(0, 64)}: must not be repeated`, {
        field: name.slice(0, 64),
        remedy: 'Send it once.',
      });
    raw[name] = value;
  }
  return parseShape(raw, shape, 'The query');
}

export function parseShape(raw: Record<string, unknown>, shape: Shape, where: string): Record<string, unknown> {
  for (const [name, value] of Object.entries(raw)) requireStorable(value, name);
  const parsed = strict(shape).safeParse({ ...raw });
  if (!parsed.success) throw explain(parsed.error.issues, where, Object.keys(shape));
  return parsed.data;
}

/** Shape of an endpoint without parameters: one shared object, because each shape is compiled once. */
const NOTHING: Shape = {};
const compiled = new WeakMap<Shape, z.ZodObject>();
function strict(shape: Shape): z.ZodObject {
  const known = compiled.get(shape);
  if (known) return known;
  const schema = z.strictObject({ ...shape });
  compiled.set(shape, schema);
  return schema;
}

/** Returns the fields of a body that is one object; null for an unknown field further down. */
function namesOf(schema: z.ZodType, issue: Issue | undefined): readonly string[] | null {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  return inner instanceof z.ZodObject && issue?.path.length === 0 ? Object.keys(inner.shape) : null;
}

export function parseBody(value: unknown, schema: z.ZodType): unknown {
  requireStorable(value, 'body');
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw explain(parsed.error.issues, 'The body', namesOf(schema, parsed.error.issues[0]));
  return parsed.data;
}
