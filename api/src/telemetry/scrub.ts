/**
 * Tokens of this product by shape (auth/tokens.ts), bearer headers, passwords in URLs, and the bot token in Telegram's.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/\bplm_([a-z]+)_[A-Za-z0-9_-]{20,}/g, 'plm_$1_[redacted]'],
  [/\b(bearer|basic) +[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [redacted]'],
  [/(\/bot)\d+:[A-Za-z0-9_-]{10,}/g, '$1[redacted]'],
  [/([a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"]{0,200}):[^\s/@"]{1,200}@/g, '$1:[redacted]@'],
];

/** Takes secrets out of a finished log line, wherever in it they ended up. Linear in the line's length. */
export function scrubSecrets(line: string): string {
  let clean = line;
  for (const [shape, replacement] of SECRETS) clean = clean.replace(shape, replacement);
  return clean;
}
