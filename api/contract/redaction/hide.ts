import { REDACTED } from './shapes.ts';

/** `user:secret` → `user:[redacted]`; a text without the separator is the user alone. */
export function hidePair(word: string, separator: ':' | '%' | ','): string {
  const at = word.indexOf(separator);
  if (at === -1 || at === word.length - 1) return word;
  const quote = word.charAt(0);
  const end = isQuote(quote) && word.endsWith(quote) ? quote : '';
  return word.slice(0, at + 1) + REDACTED + end;
}

/** Keeps quotes so that the reader sees where the secret stood, and a reference to a variable: it holds no secret. */
export function hide(word: string): string {
  if (isReference(trimQuotes(word))) return word;
  const quote = word.charAt(0);
  const quoted = (quote === '"' || quote === "'") && word.length > 1;
  return quoted ? quote + REDACTED + (word.endsWith(quote) ? quote : '') : REDACTED;
}

/** `$NAME`, `${NAME}`: upper case only, because a password may begin with a dollar sign. */
export const isReference = (value: string): boolean =>
  value.startsWith('$') && /^\$(?:[A-Z_][A-Z0-9_]{0,63}|\{[A-Z_][A-Z0-9_]{0,63}\})$/.test(value);

/** A file's path instead of a secret: `/etc/x/key.pem`, `./key`, `~/.ssh/id`. Base64 has no dot and no such start. */
export const isPath = (value: string): boolean =>
  value.length <= 256 &&
  (/^(?:\/[\w.@-]+){2,}\/?$/.test(value) || /^(?:\.{1,2}|~)\/[\w./@-]+$/.test(value)) &&
  !value.split('/').some((part) => part.length >= 24 && !part.includes('.') && /\d/.test(part) && /[A-Z]/.test(part));

export const isQuote = (character: string): boolean => character === '"' || character === "'" || character === '\\';

/** By hand: `/["']+$/` is quadratic on a run of quotes. */
export function trimQuotes(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isQuote(word.charAt(start))) start += 1;
  while (end > start && isQuote(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}
