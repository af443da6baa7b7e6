import { hide, trimQuotes } from './redact-hide.ts';
import { isPlainValue, isSecretName } from './redact-names.ts';
import { looksGenerated, REDACTED, redactShapes } from './redact-shapes.ts';
import { redactUserInfo } from './redact-url.ts';
import type { Walk } from './redact-walk.ts';

/** Separators between the fields of one word: query strings, forms, mount options, JSON, connection strings. */
const FIELDS = /(?:\[redacted\]|[^&;,{}?#[\]()])+|[&;,{}?#[\]()]+/g;

export function redactValue(word: string, walk: Walk): string {
  const withoutUser = redactUserInfo(word);
  const fields = withoutUser.replace(FIELDS, (field) => redactField(field, walk));
  return redactShapes(fields);
}

/** One `name=value` or `"name":"value"`. */
function redactField(field: string, walk: Walk, depth = 0): string {
  const at = separatorOf(field);
  if (at === -1) return field;
  const name = trimQuotes(field.slice(0, at)).replace(/^(?:-+|\/+)/, '');
  const value = field.slice(at + 1);
  const bare = trimQuotes(value);
  if (value === REDACTED) return field;
  // The key itself may hold the name behind a path: //registry/:_authToken=x, spring.datasource.password=x.
  const secret = isSecretName(name) || isSecretName(name.slice(name.lastIndexOf(':') + 1));
  if (secret && bare === '' && value === '' && walk.nested) walk.next = 'secret-or-flag';
  if (secret && !isPlainValue(bare)) return field.slice(0, at + 1) + hide(value);
  if (walk.assignments && field[at] === '=') return field.slice(0, at + 1) + REDACTED;
  if (/(?:^|[-_.])key$/i.test(name) && looksGenerated(bare)) return field.slice(0, at + 1) + hide(value);
  if (/^from-literal$/i.test(name) || (depth === 0 && field[at] === '=')) {
    return field.slice(0, at + 1) + redactAssignment(name, value, walk);
  }
  return field;
}

/** `--from-literal=name=value` holds a Secret's value whatever its name; `--set=db.password=x` is judged by its own. */
function redactAssignment(option: string, value: string, walk: Walk): string {
  const at = value.indexOf('=');
  if (/^from-literal$/i.test(option)) return at === -1 ? REDACTED : value.slice(0, at + 1) + REDACTED;
  return redactField(value, walk, 1);
}

/** Where the name ends: the first "=", else a ":" that is no URL's, no drive's and no port's. */
function separatorOf(field: string): number {
  const equals = field.indexOf('=');
  if (equals > 0) return equals;
  const colon = field.indexOf(':');
  return colon > 0 && !field.startsWith('//', colon + 1) && !/^:\d{1,5}$/.test(field.slice(colon, colon + 7))
    ? colon
    : -1;
}
