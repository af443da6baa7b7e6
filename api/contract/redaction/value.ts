import { hide, hidePair, isPath, isReference, trimQuotes } from './hide.ts';
import { redactConnection } from './connections.ts';
import { isChecksum, isGenerated, levelOf } from './guess.ts';
import { isChoice, isDoubtfulName, isPlainValue, isSecretName, isUserName } from './names.ts';
import { redactPlaces } from './places.ts';
import { looksGenerated, looksRandom, REDACTED, redactShapes } from './shapes.ts';
import { namesGroups } from './tools.ts';
import { redactLogin, redactUserInfo } from './url.ts';
import type { Walk } from './walk.ts';

/** Separators between the fields of one word: query strings, forms, mount options, JSON, connection strings. */
const FIELDS = /(?:\[redacted\]|[^&;,{}?#[\]()])+|[&;,{}?#[\]()]+/g;

export function redactValue(word: string, walk: Walk): string {
  const bareWord = trimQuotes(word);
  if ((looksRandom(bareWord) && !isChecksum(bareWord)) || (isGenerated(bareWord) && !bareWord.includes('/')))
    return hide(word);
  const withoutUser = redactPlaces(redactConnection(redactLogin(redactUserInfo(word))), walk.access !== 'none');
  if (!withoutUser.includes('=') && !withoutUser.includes(':')) return redactShapes(withoutUser);
  let fields = '';
  const isUrl = withoutUser.includes('://');
  let isQuery = false;
  for (const { 0: field, index } of withoutUser.matchAll(FIELDS)) {
    if (fields.length > walk.budget.left) break;
    isQuery ||= isUrl && field.startsWith('?');
    fields +=
      (isQuery ? redactQueryField(field) : null) ??
      redactField(field, walk, index + field.length === withoutUser.length);
  }
  return redactShapes(fields);
}

/** Names that are harmless in most places, and carry the access in the query of a URL. */
const QUERY_ACCESS = /^((?:key|sig|signature|code|auth)=)[^=\s"']+/i;

/** Returns null for a field that is judged as outside of a query. */
function redactQueryField(field: string): string | null {
  const access = QUERY_ACCESS.exec(field);
  return access?.[1] === undefined ? null : access[1] + REDACTED + field.slice(access[0].length);
}

/** Names of checksums: a checksum identifies harmless things and looks like a key. */
const HASH_NAME = /^(?:sha\d*|md5|h1|etag|fingerprint|checksum|digest|integrity|revision)$/i;

/** One `name=value` or `"name":"value"`. */
function redactField(field: string, walk: Walk, isLast: boolean, depth = 0): string {
  const at = separatorOf(field);
  if (at === -1) return field;
  const name = trimQuotes(field.slice(0, at)).replace(/^(?:-+|\/+)/, '');
  const value = field.slice(at + 1);
  const bare = trimQuotes(value);
  if (value === REDACTED) return field;
  // The key itself may hold the name behind a path: //registry/:_authToken=x, spring.datasource.password=x.
  const names = !name.startsWith('$') && !(field[at] === ':' && /\w\//.test(name));
  const secret =
    names &&
    (isSecretName(field[at] === '=' ? name.replace(/^with-/, '') : name) ||
      isSecretName(name.slice(name.lastIndexOf(':') + 1)));
  if (secret && bare === '' && value === '' && walk.nested && isLast) walk.next = 'secret-or-flag';
  if (secret && walk.nested && /^(?:bearer|basic|token|digest|negotiate|apikey)$/i.test(bare)) {
    walk.next = 'secret';
    return field;
  }
  if (secret && !isPlainValue(bare) && !isPath(bare) && !isChoice(name, bare))
    return field.slice(0, at + 1) + hide(value);
  if (walk.assignments && field[at] === '=' && !field.startsWith('-')) return field.slice(0, at + 1) + REDACTED;
  if (looksGenerated(bare) && !/=[^=]/.test(bare) && !isPath(bare) && isDoubtfulName(name))
    return field.slice(0, at + 1) + hide(value);
  if ((looksRandom(bare) || isGenerated(bare)) && !HASH_NAME.test(name)) return field.slice(0, at + 1) + hide(value);
  if (/^(?:p|pw)$/.test(name) && field[at] === '=' && levelOf(bare) >= 1) return field.slice(0, at + 1) + hide(value);
  if (isDoubtfulName(name) && levelOf(bare) >= 2 && !/^[0-9a-f-]+$/i.test(bare))
    return field.slice(0, at + 1) + hide(value);
  if (/^user(?:name)?$/i.test(name) && /^[\w.\\-]+%(?![0-9A-F]{2})\S/i.test(bare))
    return field.slice(0, at + 1) + hidePair(value, '%');
  if (isUserName(name) && isPair(bare, walk)) return field.slice(0, at + 1) + hidePair(value, ':');
  if (/^from-literal$/i.test(name) || (depth === 0 && field[at] === '=')) {
    return field.slice(0, at + 1) + redactAssignment(name, value, walk, isLast);
  }
  return field;
}

/** `user:secret` and no pair of a user and a group. */
export function isPair(value: string, walk: Walk): boolean {
  const colon = value.indexOf(':');
  if (colon <= 0 || colon === value.length - 1 || namesGroups(walk.program)) return false;
  const [user, secret] = [value.slice(0, colon), value.slice(colon + 1)];
  return !secret.startsWith('//') && !/^\d{1,5}$/.test(secret) && user !== secret && !isReference(secret);
}

/** `--from-literal=name=value` holds a Secret's value whatever its name; `--set=db.password=x` is judged by its own. */
function redactAssignment(option: string, value: string, walk: Walk, isLast: boolean): string {
  const at = value.indexOf('=');
  if (/^from-literal$/i.test(option)) return at === -1 ? REDACTED : value.slice(0, at + 1) + REDACTED;
  return redactField(value, walk, isLast, 1);
}

/** Returns the end of the name: the first "=", else a ":" that belongs to no URL, drive or port. */
function separatorOf(field: string): number {
  const equals = field.indexOf('=');
  if (equals > 0) return equals;
  const colon = field.indexOf(':');
  return colon > 0 && !field.startsWith('//', colon + 1) && !/^:\d{1,5}$/.test(field.slice(colon, colon + 7))
    ? colon
    : -1;
}
