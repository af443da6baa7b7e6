import { hide, hidePair, isQuote, trimQuotes } from './redact-hide.ts';
import { isPlainValue, isSecretName } from './redact-names.ts';
import { redactOption } from './redact-option.ts';
import { REDACTED } from './redact-shapes.ts';
import { isStarter, isStarterOption, toolOf } from './redact-tools.ts';
import { redactValue } from './redact-value.ts';
import { newWalk, type Walk } from './redact-walk.ts';

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

const HEADER_OPTIONS = new Set(['-H', '--header', '--proxy-header', '-header']);

/** Any other word: `name=value`, `name:value`, a flag whose value follows, a URL, a token by its look. */
function redactFree(word: string, walk: Walk): string {
  if (HEADER_OPTIONS.has(word)) {
    walk.next = 'header';
    return word;
  }
  if (word.startsWith('-H') && word.includes(':')) return `-H${redactHeader(word.slice(2), walk)}`;
  if (word.includes(':') && /^(?:pass|stdin-pass):/.test(word)) return `pass:${REDACTED}`;
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
  word.startsWith('-') && /^-{1,2}[A-Za-z/]/.test(word) && !/[=:]/.test(word) && isSecretName(word.replace(/^-+/, ''));

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
