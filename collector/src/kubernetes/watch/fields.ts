import { FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';

/** Small readers of API objects as they come over the wire: dates are texts, anything may be missing. */

/** Epoch seconds of an RFC 3339 text; null when there is none. */
export function seconds(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return boundedNumber(ms / 1000, FIGURE_LIMITS.epochSeconds);
}

const MAX_TEXT = 1024;
/** A text the database takes: no NUL, no lone surrogates, of bounded length. Null when there is none. */
export function clip(value: unknown, max = MAX_TEXT): string | null {
  if (typeof value !== 'string' || value === '') return null;
  // A cut through a pair of surrogates would leave half a character.
  const end = value.length > max && isHighSurrogate(value.charCodeAt(max - 1)) ? max - 1 : max;
  return value.slice(0, end).replaceAll('\0', '').toWellFormed();
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;

export function required(value: unknown, field: string): string {
  const text = clip(value, 317);
  if (text === null) throw new Error(`${field} is missing`);
  return text;
}

/** At most `max` labels, in the order of the object. */
export function labelsOf(value: unknown, max: number): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value as Record<string, unknown>).slice(0, max);
  return Object.fromEntries(entries.map(([key, text]) => [key.slice(0, 317), clip(text, 63) ?? '']));
}

/** A number of the API server's type int32 that is not negative; null otherwise. */
export function wholeNumber(value: unknown): number | null {
  const number = boundedNumber(value, FIGURE_LIMITS.int32);
  return number === null ? null : Math.floor(number);
}
