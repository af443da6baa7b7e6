/**
 * Checks the figures of an answer: each number must stand in what the tools returned for this answer (or in the
 * question), in any unit of the same kind and rounded as it is written. What stands nowhere is marked in the text.
 */

type Kind = 'bytes' | 'seconds' | 'percent' | 'plain';

interface Fact {
  /** Bytes, seconds, per cent, or as it came. */
  value: number;
  kind: Kind;
}

export interface Facts {
  numbers: readonly Fact[];
  /** All texts of the results, in lower case. */
  texts: string;
  /** HH:MM and dates of all moments, in UTC. */
  moments: ReadonlySet<string>;
}

export interface CheckedText {
  text: string;
  unmatched: readonly string[];
}

/** Follows a figure that no tool returned. */
export const MARK = ' (unverified)';

const MARKED = /[\d.,:-]+(?: ?(?:per cent|%|[a-z]+))? \(unverified\)/gi;
/** An earlier answer may hold figures that were marked: repeating one does not make it known. */
export const withoutMarked = (text: string): string => text.replaceAll(MARKED, MARK);

/** Base units of a unit as people write it. */
const UNITS: Record<string, [Kind, number]> = {
  '%': ['percent', 1],
  'per cent': ['percent', 1],
  percent: ['percent', 1],
  points: ['percent', 1],
  point: ['percent', 1],
  b: ['bytes', 1],
  bytes: ['bytes', 1],
  kb: ['bytes', 2 ** 10],
  kib: ['bytes', 2 ** 10],
  mb: ['bytes', 2 ** 20],
  mib: ['bytes', 2 ** 20],
  gb: ['bytes', 2 ** 30],
  gib: ['bytes', 2 ** 30],
  tb: ['bytes', 2 ** 40],
  tib: ['bytes', 2 ** 40],
  ms: ['seconds', 0.001],
  s: ['seconds', 1],
  sec: ['seconds', 1],
  second: ['seconds', 1],
  seconds: ['seconds', 1],
  min: ['seconds', 60],
  minute: ['seconds', 60],
  minutes: ['seconds', 60],
  h: ['seconds', 3600],
  hour: ['seconds', 3600],
  hours: ['seconds', 3600],
  d: ['seconds', 86_400],
  day: ['seconds', 86_400],
  days: ['seconds', 86_400],
};
/** Units of a field, by the end of its name. */
const FIELDS: readonly [RegExp, Kind, number][] = [
  [/(^|_)bytes(_per_second|_per_sec)?$/, 'bytes', 1],
  [/(^|_)kb$/, 'bytes', 2 ** 10],
  [/(^|_)mb$/, 'bytes', 2 ** 20],
  [/(^|_)gb$/, 'bytes', 2 ** 30],
  [/(^|_)(minutes)$/, 'seconds', 60],
  [/(^|_)(seconds|uptime)$/, 'seconds', 1],
  [/(^|_)(percent|cpu_usage|memory_usage|disk_usage|io_wait|headroom|points)$/, 'percent', 1],
];
/** Fields that hold epoch seconds. */
const MOMENT_FIELD = /(^|_)(at|timestamp|from|to|since|time)$/;
const EPOCH = /^1\d{9}(\.\d+)?$/;

/** Gathers the facts of tool results, and of what the asker wrote. */
export function factsOf(results: readonly unknown[], question = ''): Facts {
  const numbers: Fact[] = [];
  const texts: string[] = [question.toLowerCase()];
  const moments = new Set<string>();
  const addMoment = (ms: number): void => {
    const date = new Date(ms);
    if (Number.isNaN(date.getTime())) return;
    moments.add(date.toISOString().slice(11, 16)).add(date.toISOString().slice(0, 10));
  };
  const visit = (value: unknown, field: string): void => {
    if (typeof value === 'number') {
      const [, kind = 'plain', factor = 1] = FIELDS.find(([name]) => name.test(field)) ?? [];
      numbers.push({ value: value * factor, kind });
      if (MOMENT_FIELD.test(field) && EPOCH.test(String(value))) addMoment(value * 1000);
    } else if (typeof value === 'string') {
      texts.push(value.toLowerCase());
      for (const written of numbersIn(value)) numbers.push(factOfWritten(written));
      if (/^\d{4}-\d{2}-\d{2}T/.test(value)) addMoment(Date.parse(value));
    } else if (Array.isArray(value)) {
      numbers.push({ value: value.length, kind: 'plain' });
      for (const entry of value) visit(entry, field);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, entry] of Object.entries(value)) {
        texts.push(name.toLowerCase());
        visit(entry, isFigure(name) ? field : name);
      }
  };
  for (const result of results) visit(result, '');
  for (const written of numbersIn(question)) numbers.push(factOfWritten(written));
  return { numbers, texts: texts.join('\n'), moments };
}

/** `{value: 81, reason: null}` and the statistics of a figure have the unit of the field that holds them. */
const isFigure = (name: string): boolean =>
  ['value', 'avg', 'min', 'max', 'mean', 'p95', 'first', 'last', 'usual', 'trend_per_hour'].includes(name);

interface Written {
  /** As it stands, without its unit. */
  text: string;
  index: number;
  end: number;
  value: number;
  decimals: number;
  kind: Kind;
  factor: number;
}

/** A number with its thousands, decimals and unit. Digits inside a word or a longer number are not one. */
const NUMBER =
  /(?<![\w.,:/-])-?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?: ?(%|per cent\b|percent\b|points?\b|bytes\b|[KMGT]i?B\b|[kmgt]b\b|B\b|ms\b|sec\b|seconds?\b|min\b|minutes?\b|hours?\b|days?\b|[smhd]\b))?(?![\w:]|[.,/-]\w)/g;

function* numbersIn(text: string): Generator<Written> {
  for (const match of text.matchAll(NUMBER)) {
    const [whole, digits = '', fraction = '', unit = ''] = match;
    const negative = whole.startsWith('-') ? -1 : 1;
    const [kind, factor] = UNITS[unit.toLowerCase()] ?? ['plain', 1];
    yield {
      text: whole,
      index: match.index,
      end: match.index + whole.length,
      value: negative * Number(`${digits.replaceAll(',', '')}${fraction}`),
      decimals: Math.max(0, fraction.length - 1),
      kind,
      factor,
    };
  }
}

const factOfWritten = ({ value, kind, factor }: Written): Fact => ({ value: value * factor, kind });

/** Half of the last digit that is written, and the error of binary fractions. */
const toleranceOf = ({ decimals, factor }: Written): number => (0.5 * 10 ** -decimals + 1e-9) * factor;

/**
 * A figure without a unit may be a count or the figure of a table whose head has the unit, so it matches any kind by
 * its own digits. A figure with a unit matches facts of its kind, and facts whose field names no unit.
 */
function isKnown(written: Written, { numbers }: Facts): boolean {
  const tolerance = toleranceOf(written);
  const base = written.value * written.factor;
  return numbers.some(({ value, kind }) => {
    if (written.kind !== 'plain') {
      if (kind === written.kind) return near(Math.abs(value), Math.abs(base), tolerance);
      return kind === 'plain' && near(Math.abs(value), Math.abs(written.value), tolerance / written.factor);
    }
    const scales = kind === 'bytes' ? BYTE_SCALES : kind === 'seconds' ? SECOND_SCALES : ONE;
    return scales.some((scale) => near(Math.abs(value) / scale, Math.abs(written.value), tolerance));
  });
}
/** As a word of its own: 12 does not stand in 2012. */
function standsIn(texts: string, word: string): boolean {
  for (let at = texts.indexOf(word); at !== -1; at = texts.indexOf(word, at + 1))
    if (!/[\w.:-]/.test(texts[at - 1] ?? ' ') && !/[\w:]/.test(texts[at + word.length] ?? ' ')) return true;
  return false;
}
const ONE = [1];
const BYTE_SCALES = [1, 2 ** 10, 2 ** 20, 2 ** 30, 2 ** 40];
const SECOND_SCALES = [1, 60, 3600, 86_400];
const near = (a: number, b: number, tolerance: number): boolean => Math.abs(a - b) <= tolerance;

/** `1.` and `2)` at the start of a line number a list. */
const isListMark = (text: string, { index, end }: Written): boolean =>
  /(^|\n)\s*$/.test(text.slice(Math.max(0, index - 20), index)) && /^[.)]\s/.test(text.slice(end, end + 2));

/** Times of day and dates that stand in the text. */
const MOMENTS = /(?<![\w:.-])(\d{4}-\d{2}-\d{2}|\d{1,2}:\d{2})(?::\d{2})?(?![\w:-])/g;

/** Returns the text with a mark behind each figure that is in no result. Code and the targets of links are left alone. */
export function checkFigures(text: string, facts: Facts): CheckedText {
  const unmatched: string[] = [];
  const marks: number[] = [];
  const silent = quotedRanges(text);
  const isQuoted = (index: number): boolean => silent.some(([from, to]) => index >= from && index < to);
  for (const written of numbersIn(text)) {
    if (isQuoted(written.index) || isListMark(text, written) || isKnown(written, facts)) continue;
    if (standsIn(facts.texts, written.text.toLowerCase())) continue;
    unmatched.push(written.text);
    marks.push(written.end);
  }
  for (const match of text.matchAll(MOMENTS)) {
    const [whole, moment = ''] = match;
    const known = facts.moments.has(moment.padStart(5, '0')) || facts.texts.includes(whole);
    if (known || isQuoted(match.index)) continue;
    unmatched.push(whole);
    marks.push(match.index + whole.length);
  }
  const marked = marks
    .toSorted((a, b) => b - a)
    .reduce((before, end) => before.slice(0, end) + MARK + before.slice(end), text);
  return { text: marked, unmatched };
}

/** Code blocks, code spans, and what stands in the brackets of a link. */
const QUOTED = /```[^`]*```|`[^`\n]*`|\]\([^)\n]*\)/g;
const quotedRanges = (text: string): [number, number][] =>
  [...text.matchAll(QUOTED)].map(({ index, 0: whole }) => [index, index + whole.length]);
