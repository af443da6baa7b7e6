import { REDACTED } from './redact-shapes.ts';

/** `user:secret` → `user:[redacted]`; a text without the separator is the user alone. */
export function hidePair(word: string, separator: ':' | '%'): string {
  const at = word.indexOf(separator);
  return at === -1 ? word : word.slice(0, at + 1) + REDACTED;
}

/** Keeps quotes so that the reader sees where the secret stood. */
export function hide(word: string): string {
  const quote = word.charAt(0);
  const quoted = (quote === '"' || quote === "'") && word.length > 1;
  return quoted ? quote + REDACTED + (word.endsWith(quote) ? quote : '') : REDACTED;
}

export const isQuote = (character: string): boolean => character === '"' || character === "'" || character === '\\';

/** By hand: `/["']+$/` is quadratic on a run of quotes. */
export function trimQuotes(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isQuote(word.charAt(start))) start += 1;
  while (end > start && isQuote(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}
