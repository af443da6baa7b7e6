import { REDACTED } from './redact-shapes.ts';

/** URLs looked at in one word; what follows more of them is hidden whole, which keeps the cost linear. */
const URLS_PER_WORD = 16;

/** scheme://user:secret@host. A user without a secret stays unless it is long enough to be a token. */
export function redactUserInfo(word: string): string {
  const parts = word.split('://', URLS_PER_WORD + 1);
  if (parts.length === 1) return word;
  const shown = parts.slice(0, URLS_PER_WORD).map((part, index) => (index === 0 ? part : redactAuthority(part)));
  if (parts.length > URLS_PER_WORD) shown.push(REDACTED);
  return shown.join('://');
}

/** The text after "://". */
function redactAuthority(text: string): string {
  const at = text.lastIndexOf('@', endOfAuthority(text));
  if (at <= 0) return text;
  const userInfo = text.slice(0, at);
  const colon = userInfo.indexOf(':');
  if (colon !== -1) return `${userInfo.slice(0, colon)}:${REDACTED}${text.slice(at)}`;
  return userInfo.length >= 16 ? REDACTED + text.slice(at) : text;
}

/** The first "/" ends it, unless what stands before is `user:` and no port: passwords with "/" in them exist. */
function endOfAuthority(text: string): number {
  const stop = text.search(/["'?\s,<>]/);
  const end = stop === -1 ? text.length : stop;
  const slash = text.indexOf('/');
  if (slash === -1 || slash > end) return end;
  const colon = text.indexOf(':');
  const passwordHasSlash = colon !== -1 && colon < slash && !/^\d{0,5}$/.test(text.slice(colon + 1, slash).slice(0, 6));
  return passwordHasSlash && !text.slice(0, slash).includes('@') ? end : slash;
}
