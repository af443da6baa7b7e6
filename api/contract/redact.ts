import { isPlainValue, isSecretName } from './redact-names.ts';
import { looksGenerated, REDACTED, redactShapes } from './redact-shapes.ts';
import { isStarter, isStarterOption, type Tool, toolOf } from './redact-tools.ts';

export { REDACTED } from './redact-shapes.ts';

/**
 * Takes the secrets out of a command line by walking its words, never by one pattern over the whole: cost grows
 * linearly with the input. Idempotent. No zod here: the collector calls it before spooling, the API at accept.
 * Doubt is decided for privacy: a harmless word lost is a nuisance, a password shown is an incident.
 */
export function redactArguments(argv: readonly string[]): string[] {
  const walk = newWalk();
  return argv.map((argument) => redactArgument(clean(argument), walk));
}

/** The same for a command line that is one text already: words are cut at white space. */
export function redactCommand(command: string): string {
  return redactWords(clean(command), newWalk());
}

/** The first word only: what is left when the owner has all arguments stripped. */
export function stripArguments(command: string): string {
  return clean(command).trimStart().split(' ', 1)[0] ?? '';
}

/** What the walk remembers from the words before. */
interface Walk {
  tool: Tool | null;
  toolFound: boolean;
  /** A program that starts others was seen, and whether the word before was an option of it that takes a value. */
  started: boolean;
  starterOption: boolean;
  /** The subcommand that arms `tool.after` was seen. */
  armed: boolean;
  assignments: boolean;
  /** What the next word is. */
  next: Expected;
  nested: boolean;
}
type Expected = 'word' | 'secret' | 'secret-or-flag' | 'pair' | 'percent' | 'header' | 'by' | 'scheme' | 'quoted';

const newWalk = (): Walk => ({
  tool: null,
  toolFound: false,
  started: false,
  starterOption: false,
  armed: true,
  assignments: false,
  next: 'word',
  nested: false,
});

/** NUL and other control characters become spaces, lone surrogates U+FFFD: neither survives JSON and PostgreSQL. */
function clean(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
}

const SPACED = /\s+|[^\s]+/g;

function redactArgument(argument: string, walk: Walk): string {
  if (!/\s/.test(argument)) return redactWord(argument, walk);
  if (walk.next !== 'word' && walk.next !== 'header' && walk.next !== 'scheme') return redactExpected(argument, walk);
  if (walk.next === 'header') return redactHeader(argument, walk);
  return redactText(argument, walk);
}

/** An argument with white space in it: a script, SQL, a header, a connection string. It has a walk of its own. */
function redactText(text: string, walk: Walk): string {
  walk.next = 'word';
  const colon = text.indexOf(': ');
  if (colon !== -1 && isSecretName(text.slice(0, colon))) return `${text.slice(0, colon)}: ${REDACTED}`;
  return redactWords(text, { ...newWalk(), tool: null });
}

function redactWords(text: string, walk: Walk): string {
  walk.nested = true;
  return text.replace(SPACED, (word) => (word.trim() === '' ? word : redactWord(word, walk)));
}

function redactWord(word: string, walk: Walk): string {
  if (walk.next !== 'word') return redactExpected(word, walk);
  noteTool(word, walk);
  const option = redactOption(word, walk);
  if (option !== null) return option;
  return redactFree(word, walk);
}

/** The word before said what this one is. */
function redactExpected(word: string, walk: Walk): string {
  const expected = walk.next;
  walk.next = 'word';
  if (expected === 'header') return redactHeader(word, walk);
  if (expected === 'by') {
    walk.next = /^by$/i.test(word) ? 'secret' : 'word';
    return walk.next === 'secret' ? word : redactWord(word, walk);
  }
  if (expected === 'scheme') {
    // "Authorization: Bearer x" in several words: the scheme stays, the credential goes.
    if (/^(?:bearer|basic|token|digest|negotiate|apikey)$/i.test(trimQuotes(word))) walk.next = 'secret';
    return walk.next === 'secret' ? word : hide(word);
  }
  if (expected === 'quoted' && !isQuote(word.charAt(0))) return redactWord(word, walk);
  if (expected === 'pair') return hidePair(word, ':');
  if (expected === 'percent') return hidePair(word, '%');
  if (expected === 'secret-or-flag' && /^--?[a-z][a-z-]*(?:=.*)?$/i.test(word)) return redactWord(word, walk);
  return isPlainValue(word) ? word : hide(word);
}

function noteTool(word: string, walk: Walk): void {
  if (!walk.toolFound) {
    const value = walk.starterOption;
    walk.starterOption = walk.started && isStarterOption(word);
    if (value || word.startsWith('-') || /^\w+=/.test(word) || /^\d+[smh]?$/.test(word)) return;
    if (isStarter(trimQuotes(word))) {
      walk.started = true;
      return;
    }
    walk.tool = toolOf(trimQuotes(word));
    walk.toolFound = true;
    walk.armed = walk.tool?.after === undefined;
    return;
  }
  // A script may hold several commands: `cd /x && mysql -psecret`.
  if (walk.nested && /^(?:[;&|]+|then|do|else)$/.test(word)) walk.toolFound = false;
  if (walk.tool?.after?.includes(word)) walk.armed = true;
  if (walk.tool?.assignments?.includes(word)) walk.assignments = true;
  if (walk.tool?.words?.includes(word.toLowerCase())) walk.next = 'secret-or-flag';
}

/** Options of the tool at hand. Null when the word is none of them. */
function redactOption(word: string, walk: Walk): string | null {
  if (!walk.tool || !walk.armed || !word.startsWith('-')) return null;
  const { secret = [], glued = [], pair = [], percent = [] } = walk.tool;
  const kinds = [
    [secret, 'secret'],
    [pair, 'pair'],
    [percent, 'percent'],
  ] as const;
  for (const [options, expected] of kinds) {
    if (options.includes(word)) {
      walk.next = expected;
      return word;
    }
    const option = options.find((name) => name.length === 2 && word.startsWith(name));
    if (option !== undefined) return option + hideAs(expected, word.slice(2));
  }
  const option = glued.find((name) => word.startsWith(name) && word.length > name.length);
  return option === undefined || word.startsWith('--') ? null : option + REDACTED;
}

function hideAs(expected: 'secret' | 'pair' | 'percent', value: string): string {
  if (expected === 'secret') return REDACTED;
  return hidePair(value, expected === 'pair' ? ':' : '%');
}

const HEADER_OPTIONS = new Set(['-H', '--header', '--proxy-header', '-header']);

/** Any other word: `name=value`, `name:value`, a flag whose value follows, a URL, a token by its look. */
function redactFree(word: string, walk: Walk): string {
  if (HEADER_OPTIONS.has(word)) {
    walk.next = 'header';
    return word;
  }
  if (word.startsWith('-H') && word.includes(':')) return `-H${redactHeader(word.slice(2), walk)}`;
  if (/^(?:pass|stdin-pass):/.test(word)) return `pass:${REDACTED}`;
  if (isSecretFlag(word)) {
    walk.next = 'secret-or-flag';
    return word;
  }
  if (/^['"]?identified$/i.test(word)) {
    walk.next = 'by';
    return word;
  }
  const header = word.endsWith(':') ? /([\w-]{1,64}):$/.exec(word.slice(-66))?.[1] : undefined;
  if (header !== undefined && isSecretName(header)) {
    walk.next = 'scheme';
    return word;
  }
  if (/^(?:bearer|requirepass|masterauth|identity-token)$/i.test(word)) walk.next = 'secret-or-flag';
  // SQL: PASSWORD 'x'. Bare "password" followed by a word without quotes is prose or a file name.
  if (walk.next === 'word' && /^(?:password|passphrase|secret)$/i.test(word)) walk.next = 'quoted';
  return redactValue(word, walk);
}

const isSecretFlag = (word: string): boolean =>
  /^-{1,2}[A-Za-z/]/.test(word) && !/[=:]/.test(word) && isSecretName(word.replace(/^-+/, ''));

function redactHeader(header: string, walk: Walk): string {
  walk.next = 'word';
  const colon = header.indexOf(':');
  if (colon === -1) return redactValue(header, walk);
  const name = trimQuotes(header.slice(0, colon)).trim();
  const value = header.slice(colon + 1);
  if (!isSecretName(name) && !/^x-.*-(?:key|id)$/i.test(name))
    return `${header.slice(0, colon)}:${redactValue(value, walk)}`;
  if (value.trim() === '') walk.next = 'scheme';
  return value.trim() === '' ? header : `${header.slice(0, colon)}: ${REDACTED}`;
}

/** Separators between the fields of one word: query strings, forms, mount options, JSON, connection strings. */
const FIELDS = /(?:\[redacted\]|[^&;,{}?#[\]()])+|[&;,{}?#[\]()]+/g;

function redactValue(word: string, walk: Walk): string {
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

/** URLs looked at in one word; what follows more of them is hidden whole, which keeps the cost linear. */
const URLS_PER_WORD = 16;

/** scheme://user:secret@host. A user without a secret stays unless it is long enough to be a token. */
function redactUserInfo(word: string): string {
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

/** `user:secret` → `user:[redacted]`; a text without the separator is the user alone. */
function hidePair(word: string, separator: ':' | '%'): string {
  const at = word.indexOf(separator);
  return at === -1 ? word : word.slice(0, at + 1) + REDACTED;
}

/** Keeps quotes so that the reader sees where the secret stood. */
function hide(word: string): string {
  const quote = word.charAt(0);
  const quoted = (quote === '"' || quote === "'") && word.length > 1;
  return quoted ? quote + REDACTED + (word.endsWith(quote) ? quote : '') : REDACTED;
}

const isQuote = (character: string): boolean => character === '"' || character === "'" || character === '\\';

/** By hand: `/["']+$/` is quadratic on a run of quotes. */
function trimQuotes(word: string): string {
  let start = 0;
  let end = word.length;
  while (start < end && isQuote(word.charAt(start))) start += 1;
  while (end > start && isQuote(word.charAt(end - 1))) end -= 1;
  return word.slice(start, end);
}
