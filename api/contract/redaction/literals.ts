import { isReference, trimQuotes } from './hide.ts';
import { isChoice, isPlainValue, isSecretName } from './names.ts';
import { levelOf } from './guess.ts';
import { REDACTED } from './shapes.ts';

/**
 * Hides the string literals of query, script and configuration languages that the code before them makes secrets:
 * `ENV['SECRET']='x'`, `"password" => "x"`, `db.auth("bob", "x")`, `AES_ENCRYPT(a, 'x')`, `<password>x</password>`.
 * Each quote looks at a bounded stretch around it, so the cost grows linearly.
 */
export function redactLiterals(text: string): string {
  const braced = text.includes('{') ? text.replace(BRACED, `$1{${REDACTED}}`) : text;
  const tagged = braced.includes('</') ? braced.replace(TAG, redactTag) : braced;
  const listed = tagged.includes(';') ? tagged.replace(FIELD, redactListed) : tagged;
  const paired = /\bvalue\s?=/i.test(listed) ? listed.replace(ATTRIBUTES, redactAttributes) : listed;
  return redactQuoted(/\bvalues\s?\(/i.test(paired) ? paired.replace(ROW, redactRow) : paired);
}

/** `(name, password) VALUES ('bob', 'x')`: the columns name the values. */
const ROW = /\(([^()]{1,256})(\)\s{0,2}values\s?\()([^()]{1,512})\)/gi;

function redactRow(all: string, columns: string, between: string, values: string): string {
  const names = columns.split(',').map((name) => trimQuotes(name.trim()));
  const shown = values.split(',');
  if (names.length !== shown.length) return all;
  const row = shown.map((value, index) =>
    isSecretName(names[index] ?? '') && /^\s?['"]/.test(value)
      ? value.replace(/(['"]).{1,128}$/, `$1${REDACTED}$1`)
      : value,
  );
  return `(${columns}${between}${row.join(',')})`;
}

/** A field of a connection string ends at its semicolon, and a comma belongs to its value. */
const FIELD = /(?<=[;"'\s]|^)([\w-]{2,40})=([^;,"'{}\s]{1,64},[^;"'{}\s]{1,64})(?=;)/g;
const redactListed = (all: string, name: string, value: string): string =>
  isSecretName(name) && !isPlainValue(value) ? `${name}=${REDACTED}` : all;

/** A setting of XML: one attribute names it and the next has its value. */
const ATTRIBUTES = /\b((?:key|name)\s?=\s?["']([^"'<>]{1,64})["']\s{1,4}value\s?=\s?["'])([^"'<>]{1,256})(?=["'])/gi;
const redactAttributes = (all: string, before: string, name: string, value: string): string =>
  isSecretName(name) && !isPlainValue(value) && !isChoice(name, value) ? before + REDACTED : all;

/** ODBC lets a value stand in braces. */
const BRACED = /\b((?:pwd|password)=)\{[^{}]{1,128}\}/gi;
const TAG = /<([\w:.-]{1,40})>([^<>\s]{1,128})<\//g;
const redactTag = (all: string, name: string, value: string): string =>
  isSecretName(name) && !isPlainValue(value) && !isChoice(name, value) ? `<${name}>${REDACTED}</` : all;

const HEAD = 96;
const LONGEST_LITERAL = 256;
const QUOTE = /["'`]/g;

function redactQuoted(text: string): string {
  let shown = '';
  let done = 0;
  QUOTE.lastIndex = 0;
  for (let found = QUOTE.exec(text); found !== null; found = QUOTE.exec(text)) {
    const open = found.index;
    if (!/[\s=(:,>N[{]/.test(text.charAt(open - 1))) continue;
    const end = closingOf(text, open, found[0]);
    const literal = text.slice(open + 1, end);
    // A literal before a colon is a key of an object.
    if (
      end === -1 ||
      /^\\?["'`]\s?(?::|=>)/.test(text.slice(end, end + 5)) ||
      !isSecretLiteral(text.slice(Math.max(0, open - HEAD), open), literal)
    )
      continue;
    shown += text.slice(done, open + 1) + REDACTED;
    done = end;
    QUOTE.lastIndex = end + 1;
  }
  return shown + text.slice(done);
}

function closingOf(text: string, open: number, quote: string): number {
  const at = text.slice(open + 1, open + 1 + LONGEST_LITERAL).indexOf(quote);
  if (at <= 0) return -1;
  return text.charAt(open + at) === '\\' ? open + at : open + 1 + at;
}

/** `name =`, `["name"] =`, `"name" =>`, `{name}=`, `name: `; and a name that is a literal before a comma. */
const NAMED = /([\w.$-]{1,40})["'\]})]{0,4}\s{0,2}(?:=>|:=|==?|:)\s{0,2}N?$/;
const LISTED = /["']([\w.-]{1,40})["']\s{0,2},\s{0,2}$/;
const ENTRY = /name=["']([\w.-]{1,40})["']\s{1,2}value=$/i;
const CALL = /([\w.-]{1,40})\s?=?\s?\(([^()]{0,64})$/;
/** `password = MD5('x')`. */
const HASHED = /([\w.-]{1,40})\s?=\s?\w{1,20}\($/;
const COMMAND = /\bConvertTo-SecureString(?: -String)? $/i;

function isSecretLiteral(head: string, literal: string): boolean {
  if (literal.includes('[redacted]') || isPlainValue(literal) || isReference(literal) || /^[%?:]\w?$/.test(literal))
    return false;
  if (COMMAND.test(head)) return true;
  const name = (ENTRY.exec(head) ?? NAMED.exec(head) ?? LISTED.exec(head))?.[1];
  if (name !== undefined && !literal.startsWith('$(') && isSecretName(name.replaceAll('$', ''))) {
    return !isChoice(name, literal) && !(LISTED.test(head) && levelOf(literal) === 0 && isSecretName(literal));
  }
  const hashed = HASHED.exec(head)?.[1];
  if (hashed !== undefined && isSecretName(hashed)) return true;
  const call = CALL.exec(head);
  if (call?.[1] === undefined) return false;
  const [, called, before = ''] = call;
  if (/crypt|securestring/i.test(called)) return true;
  if (/(?:^|[._])passw(?:or)?d$/i.test(called)) return true;
  return before.includes(',') && /(?:auth|login|hmac|passw(?:or)?d|credentials?|authenticate|sign)$/i.test(called);
}
