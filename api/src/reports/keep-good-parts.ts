import {
  REPORT_LISTS,
  cutList,
  leftOutText,
  type BoundedList,
  type ListName,
} from '@plimsoll/contract/rules/report-lists';
import { z } from 'zod';

/** A value that a schema refuses: the path of its field, empty for the whole, and why. */
export interface Flaw {
  field: string;
  problem: string;
}
export type Kept<T> = { value: T; flaws: Flaw[] } | { refused: Flaw };

/** The ways to mend a value. */
export interface Mending {
  /**
   * `figures`: only a number or a text becomes unknown, for objects whose lists and parts belong together. `parts`: a bad
   * entry also leaves its list, and a bad optional part its report.
   */
  mends: 'figures' | 'parts';
  /** Fields that are never made unknown, because null or absence has a meaning of its own there. */
  decisive: ReadonlySet<string>;
  /** A value in the place of a list becomes an empty list. */
  emptiesLists?: boolean;
  /**
   * A report of a host: a long list is cut by importance, a long text to its limit, and the bad entries of a list have
   * one line. Without it each flaw has a line with the number of its entry.
   */
  isReport?: boolean;
  /** Refuses a value with any flaw: a part that is missing would look like a change. */
  isExact?: boolean;
}

/** Flaws that one value names; a hostile one has a million. A report has a line for each kind of flaw. */
const MOST_FLAWS = { object: 20, report: 200 } as const;

/** `value` is absent if nothing of it can be kept. `isFinal`: nothing around it is kept either. */
type Part = { value: unknown } | { fault: Flaw; isFinal: boolean };
interface Place {
  path: readonly string[];
  flaws: Flaw[];
  mending: Mending;
}

const isKept = (part: Part): part is { value: unknown } => 'value' in part;
const at = (place: Place, name: string): Place => ({ ...place, path: [...place.path, name] });

function note({ flaws, mending }: Place, flaw: Flaw): void {
  if (flaws.length >= (mending.isReport === true ? MOST_FLAWS.report : MOST_FLAWS.object)) return;
  const isNoted = flaws.some(({ field, problem }) => field === flaw.field && problem === flaw.problem);
  if (!isNoted) flaws.push(flaw);
}

/**
 * Parses a value; makes what the schema refuses unknown, or leaves it out. Refuses what cannot be mended. A valid value is
 * parsed once and not copied.
 */
export function keepGoodParts<T>(schema: z.ZodType<T>, value: unknown, mending: Mending): Kept<T> {
  const whole = schema.safeParse(value);
  if (whole.success) return { value: whole.data, flaws: [] };
  if (mending.isExact === true) return { refused: topFlawOf(whole.error.issues[0]) };
  const flaws: Flaw[] = [];
  const kept = keep(schema, value, { path: [], flaws, mending });
  if (!isKept(kept)) return { refused: kept.fault };
  const parsed = schema.safeParse(kept.value);
  return parsed.success ? { value: parsed.data, flaws } : { refused: flawOf(parsed.error.issues[0]) };
}

export const flawOf = (issue: z.core.$ZodIssue | undefined): Flaw => ({
  field: issue?.path.map(String).join('.') ?? '',
  problem: issue?.message ?? 'not valid',
});

/** Names of records come from outside, so only the field of the object is named. */
const topFlawOf = (issue: z.core.$ZodIssue | undefined): Flaw => {
  const { field, problem } = flawOf(issue);
  return { field: field.split('.', 1)[0] ?? '', problem };
};

function keep(schema: z.core.$ZodType, value: unknown, place: Place): Part {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return { value };
  if (schema instanceof z.ZodOptional) return orElse(keep(schema.unwrap(), value, place), undefined, schema, place);
  if (schema instanceof z.ZodNullable) return orElse(keep(schema.unwrap(), value, place), null, schema, place);
  if (schema instanceof z.ZodDefault) return keep(schema.unwrap(), value, place);
  // A transform checks nothing: its input decides.
  if (schema instanceof z.ZodPipe) return keep(schema.in, value, place);
  if (schema instanceof z.ZodObject && isRecord(value)) return keepFields(schema, value, place);
  if (schema instanceof z.ZodRecord && isRecord(value)) return keepEntries(schema, value, place);
  if (schema instanceof z.ZodArray) {
    if (Array.isArray(value)) return keepList(schema, value, place);
    if (place.mending.emptiesLists === true && !isDecisive(place)) {
      note(place, faultOf(parsed.error.issues[0], place));
      return { value: [] };
    }
  }
  if (place.mending.isReport === true && schema instanceof z.ZodString && typeof value === 'string') {
    const short = value.slice(0, schema.maxLength ?? value.length);
    if (z.safeParse(schema, short).success) return { value: short };
  }
  return { fault: faultOf(parsed.error.issues[0], place), isFinal: isDecisive(place) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isDecisive = ({ path, mending }: Place): boolean => mending.decisive.has(path.at(-1) ?? '');

function faultOf(issue: z.core.$ZodIssue | undefined, { path, mending }: Place): Flaw {
  const steps = (issue?.path ?? []).filter((step) => mending.isReport !== true || typeof step === 'string');
  return { field: [...path, ...steps.map(String)].join('.'), problem: issue?.message ?? 'not valid' };
}

/** Makes a part null or absent. Objects whose parts belong together lose only a number or a text. */
function orElse(part: Part, value: null | undefined, schema: z.core.$ZodType, place: Place): Part {
  if (isKept(part) || part.isFinal) return part;
  if (isDecisive(place)) return { ...part, isFinal: true };
  const isFigure = value === null && ['number', 'string'].includes(innerOf(schema)._zod.def.type);
  if (place.mending.mends === 'figures' && !isFigure) return part;
  note(place, part.fault);
  return { value };
}

/** Returns the schema inside those that only add null, absence, a default or a transformation. */
function innerOf(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'nullable' || def.type === 'optional' || def.type === 'default') return innerOf(def.innerType);
  return def.type === 'pipe' ? innerOf(def.in) : schema;
}

function keepFields(schema: z.ZodObject, value: Record<string, unknown>, place: Place): Part {
  const fields: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const inside = at(place, name);
    const part = keep(field, value[name], inside);
    if (isKept(part)) {
      if (part.value !== undefined) fields[name] = part.value;
    } else if (name === 'unknown_fields') note(inside, part.fault);
    else return part;
  }
  return { value: fields };
}

function keepEntries(schema: z.ZodRecord, value: Record<string, unknown>, place: Place): Part {
  const entries: [string, unknown][] = [];
  for (const [key, child] of Object.entries(value)) {
    const part = keep(schema.valueType, child, at(place, key));
    if (isKept(part) && z.safeParse(schema.keyType, key).success) entries.push([key, part.value]);
    else note(place, isKept(part) ? { field: place.path.join('.'), problem: 'a name is too long' } : part.fault);
  }
  return { value: Object.fromEntries(entries) };
}

function keepList(schema: z.ZodArray, value: readonly unknown[], place: Place): Part {
  const { isReport = false, mends } = place.mending;
  const good: unknown[] = [];
  let first: Flaw | null = null;
  for (const [index, entry] of value.entries()) {
    const part = keep(schema.element, entry, isReport ? place : at(place, String(index)));
    if (isKept(part)) good.push(part.value);
    else if (part.isFinal || mends === 'figures') return part;
    else if (isReport) first ??= part.fault;
    else note(place, part.fault);
  }
  const field = place.path.join('.');
  if (first !== null) {
    const bad = value.length - good.length;
    const inside = first.field === field ? '' : `${first.field.slice(field.length + 1)}: `;
    const problem = `${String(bad)} of ${String(value.length)} entries are not valid (${inside}${first.problem})`;
    note(place, { field, problem });
  }
  const most = mostOf(schema);
  if (good.length <= most) return { value: good };
  const list = listOf(field, most, isReport);
  const left = { field, problem: leftOutText(list, good.length) };
  if (mends === 'figures') return { fault: left, isFinal: false };
  note(place, left);
  return { value: cutList(list, good).entries };
}

/** Returns the limit of a list; Infinity: the schema has none. */
const mostOf = ({ def }: z.ZodArray): number =>
  def.checks?.find((check) => check instanceof z.core.$ZodCheckMaxLength)?._zod.def.maximum ?? Infinity;

/** The entries are valid for the schema of this list. A list that is not known keeps its first entries. */
const listOf = (field: string, most: number, isReport: boolean): BoundedList<unknown> =>
  isReport && Object.hasOwn(REPORT_LISTS, field)
    ? (REPORT_LISTS[field as ListName] as BoundedList<unknown>)
    : { most, noun: 'entries', keyOf: null };
