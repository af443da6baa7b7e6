import { levelOf } from './guess.ts';
import { REDACTED } from './shapes.ts';

/** URLs looked at in one word; what follows more of them is hidden whole, which keeps the cost linear. */
const URLS_PER_WORD = 16;

/** scheme://user:secret@host. A user without a secret stays unless it is long enough to be a token. */
export function redactUserInfo(word: string): string {
  const parts = word.split('://', URLS_PER_WORD + 1);
  if (parts.length === 1) return word;
  const shown = parts
    .slice(0, URLS_PER_WORD)
    .map((part, index) =>
      index === 0 ? part : redactAuthority(part, /https?$/i.test(parts[index - 1]?.slice(-5) ?? '')),
    );
  if (parts.length > URLS_PER_WORD) shown.push(REDACTED);
  return shown.join('://');
}

/** The text after "://". */
function redactAuthority(text: string, isHttp: boolean): string {
  const at = text.lastIndexOf('@', endOfAuthority(text));
  if (at <= 0) return text;
  const userInfo = text.slice(0, at);
  const colon = userInfo.indexOf(':');
  if (colon !== -1) return `${userInfo.slice(0, colon)}:${REDACTED}${text.slice(at)}`;
  return userInfo.length >= 16 || levelOf(userInfo) >= 2 || (isHttp && looksLikeToken(userInfo))
    ? REDACTED + text.slice(at)
    : text;
}

/** A user alone before a host is a token as a rule (`https://TOKEN@host`), unless it reads like a name. */
const looksLikeToken = (user: string): boolean => user.length >= 8 && /\d/.test(user) && /[A-Za-z]/.test(user);

/** Words before "user@host" that are no user: an image's tag, a package's alias, an address. */
const NO_USER = /^(?:npm|workspace|file|patch|link|git|ssh|mailto|sips?|acct|xmpp|docker|oci|tcp|udp|unix|https?)$/i;

/** `user:secret@host` without a scheme. */
export function redactLogin(word: string): string {
  const at = word.lastIndexOf('@');
  if (at < 4 || at > 512 || word.includes('://')) return word;
  const colon = word.indexOf(':');
  if (colon <= 0 || colon >= at - 1 || !/^[\w.+-]{1,64}$/.test(word.slice(0, colon).replace(/^['"]/, ''))) return word;
  if (NO_USER.test(word.slice(0, colon)) || /^(?:sha\d+:|\d+$)/.test(word.slice(at + 1))) return word;
  if (word.slice(colon + 1, at).includes('/') || !/^[\w[(]/.test(word.slice(at + 1))) return word;
  return `${word.slice(0, colon + 1)}${REDACTED}${word.slice(at)}`;
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
