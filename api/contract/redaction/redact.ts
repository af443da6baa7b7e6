import { isPositionalSecret, isShortSecret, noteAccess, noteShortOption, redactGlued } from './context.ts';
import { hide, hidePair, isPath, isQuote, isReference, trimQuotes } from './hide.ts';
import { redactLiterals } from './literals.ts';
import { isChoice, isDoubtfulName, isPlainValue, isSecretName, isUserName } from './names.ts';
import { redactOption } from './option.ts';
import { redactPhrases } from './phrases.ts';
import { looksGenerated, REDACTED, redactPrivateKey } from './shapes.ts';
import { shellPieces } from './shell.ts';
import { noteTool, PRINTS } from './note-tool.ts';
import { isEveryday, namesGroups } from './tools.ts';
import { isPair, redactValue } from './value.ts';
import { newWalk, type Walk } from './walk.ts';

export { REDACTED } from './shapes.ts';

/**
 * Takes the secrets out of a command line by walking its words, never by one pattern over the whole: cost grows
 * linearly with the input. Idempotent. No zod here: the collector calls it before spooling, the API at accept.
 * `most` is how many characters the caller shows: the walk ends there, which bounds the cost of a hostile line.
 * Doubt is decided for privacy: a harmless word lost is a nuisance, a password shown is an incident.
 */
export function redactArguments(argv: readonly string[], most = Infinity): string[] {
  const walk = newWalk({ left: most });
  const shown: string[] = [];
  for (const argument of argv) {
    if (walk.budget.left <= 0) break;
    shown.push(redactArgument(clean(argument), walk));
    walk.budget.left -= 1;
  }
  return shown;
}

/** The same for a command line that is one text already: words are cut at white space. */
export function redactCommand(command: string): string {
  let text = clean(command);
  // A hidden word can change what the words after it mean, so a changed text is read again.
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const shown = redactScript(text, newWalk());
    if (shown === text) break;
    text = shown;
  }
  return text;
}

/** The first word only: what is left when the owner has all arguments stripped. */
export function stripArguments(command: string): string {
  return clean(command).trimStart().split(' ', 1)[0] ?? '';
}

/** NUL and other control characters become spaces, lone surrogates U+FFFD: neither survives JSON and PostgreSQL. */
function clean(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
}

/** Passes over one command line. The second one changes about one text in a thousand of random words. */
const MOST_PASSES = 3;
const SPACED = /\s+|[^\s]+/g;
/** Scripts inside scripts that are read as such; deeper ones are cut at white space only. */
const SCRIPT_DEPTH = 5;

function redactArgument(argument: string, walk: Walk): string {
  if (!/\s/.test(argument)) return redactWord(argument, walk);
  if (walk.next === 'header') return redactHeader(argument, walk);
  if (walk.next !== 'word' && walk.next !== 'scheme') {
    // A command in the place of a value: `watch -n 5 -p "…"`.
    return walk.next === 'doubtful' || walk.next === 'generated' || walk.next === 'short'
      ? redactText(argument, walk)
      : redactExpected(argument, walk);
  }
  const option = redactOption(argument, walk);
  if (option !== null) return option;
  return redactNamed(argument) ?? redactText(argument, walk);
}

/** `--password=two words`: the value goes to the end, unless other names follow in a connection string or a script. */
function redactNamed(argument: string): string | null {
  const name = /^-{0,2}([\w./-]{1,64})[=:]/.exec(argument);
  if (name?.[1] === undefined || !isSecretName(name[1])) return null;
  const value = argument.slice(name[0].length);
  if (/\s[\w.]+=/.test(value)) return null;
  const quote = value.charAt(0);
  const isWhole = isQuote(quote) && value.indexOf(quote, 1) === value.length - 1;
  if (!argument.startsWith('-') && /^[A-Z_][A-Z0-9_]*=/.test(argument) && !isWhole) return null;
  return name[0] + (argument.charAt(name[0].length - 1) === ':' ? ' ' : '') + REDACTED;
}

/** An argument with white space in it: a script, SQL, a header, a connection string. It has a walk of its own. */
function redactText(text: string, walk: Walk): string {
  walk.next = 'word';
  const colon = text.indexOf(': ');
  const name = text.slice(0, Math.max(0, colon));
  if (/^[\w.=-]+$/.test(name) && isSecretName(name)) return `${name}: ${hideCredential(text.slice(colon + 2))}`;
  return redactScript(redactPrivateKey(text), newWalk(walk.budget, walk.depth + 1));
}

/** Literals and phrases span words, and the scripts inside are part of the text: they are read once. */
function redactScript(text: string, walk: Walk): string {
  if (walk.depth > 1) return redactWords(text, walk);
  return redactPhrases(redactWords(redactLiterals(text.slice(0, walk.budget.left)), walk));
}

function redactWords(text: string, walk: Walk): string {
  walk.nested = true;
  walk.pipesSecret = READS_SECRET.test(text);
  if (walk.depth > SCRIPT_DEPTH) return redactSpaced(text, walk);
  let shown = '';
  for (const piece of shellPieces(text)) {
    if (walk.budget.left <= 0) break;
    if (piece.trim() === '') walk.budget.left -= piece.length;
    shown += piece.trim() === '' ? piece : redactPiece(piece, walk);
  }
  return shown;
}

const redactSpaced = (text: string, walk: Walk): string =>
  text.replace(SPACED, (word) => {
    if (walk.budget.left <= 0) return '';
    return word.trim() === '' ? word : redactWord(word, walk);
  });

/** Programs that read a password from the pipe before them: `echo x | docker login --password-stdin`. */
const READS_SECRET =
  /--(?:password|passphrase|token)-stdin|--with-token|\bsudo -\w*S|\bchpasswd\b|\bpasswd\b|--stdin\b|\bcryptsetup\b|--passphrase-fd|\bkinit\b/;

/** One word of a script, with its quotes. */
function redactPiece(word: string, walk: Walk): string {
  const quote = word.charAt(0);
  if (!/\s/.test(word)) return redactWord(word, walk);
  if ((quote === '"' || quote === "'") && word.length > 1 && word.endsWith(quote)) {
    if (walk.next === 'short') walk.next = 'word';
    if (walk.next === 'word' || walk.next === 'header' || walk.next === 'scheme') {
      if (walk.pipesSecret && PRINTS.test(walk.program)) return hide(word);
      return quote + redactArgument(word.slice(1, -1), walk) + quote;
    }
    return redactExpected(word, walk);
  }
  const option = walk.next === 'word' ? redactOption(word, walk) : null;
  if (option !== null) return option;
  const open = word.search(/["']/);
  const named = open > 0 ? nameBefore(word.slice(0, open)) : null;
  if (named !== null && isSecretName(named)) return word.slice(0, open) + hide(word.slice(open));
  return redactSpaced(word, walk);
}

const nameBefore = (head: string): string | null => /([\w.-]{1,64})[=:]$/.exec(head.slice(-66))?.[1] ?? null;

function redactWord(word: string, walk: Walk): string {
  const shown = walk.next === 'word' ? redactPlainWord(word, walk) : redactExpected(word, walk);
  walk.previous = shown;
  walk.budget.left -= shown.length;
  return shown;
}

function redactPlainWord(word: string, walk: Walk): string {
  const wasFound = walk.toolFound;
  noteTool(word, walk);
  const option = redactOption(word, walk);
  if (option !== null) return option;
  if (wasFound && isBareSecret(word, walk)) return hide(word);
  if (walk.tool?.slash === true) {
    const login = /^(["']?[^/\s@]+\/)[^/\s@]+/.exec(word);
    if (login?.[1] !== undefined) return login[1] + REDACTED + word.slice(login[0].length);
  }
  if (isPositionalSecret(word, walk)) return hide(word);
  noteAccess(word, walk);
  if (walk.next === 'secret-or-flag') return word;
  return redactGlued(word, walk) ?? redactFree(word, walk);
}

/** A secret by its place alone: `htpasswd -b FILE USER SECRET`, `echo SECRET | chpasswd`. */
function isBareSecret(word: string, walk: Walk): boolean {
  if (word.startsWith('-') || /^[;&|<>]+$/.test(word)) return false;
  if (walk.pipesSecret && PRINTS.test(walk.program)) return true;
  if (walk.positions.length === 0) return false;
  walk.bareWords += 1;
  return walk.positions.includes(walk.bareWords);
}

/** The word before said what this one is. */
function redactExpected(word: string, walk: Walk): string {
  const expected = walk.next;
  walk.next = 'word';
  if (expected === 'header') return redactHeader(word, walk);
  if (expected === 'by') {
    // IDENTIFIED WITH names a plugin first; the secret follows BY or AS.
    const isPlugin = /^with$/i.test(walk.previous) && /^[a-z]\w+$/i.test(word) && word.slice(1, -1).includes('_');
    if (/^with$/i.test(word) || isPlugin) walk.next = 'by';
    else if (/^(?:by|as)$/i.test(word)) walk.next = 'secret';
    else if (/^with$/i.test(walk.previous)) return hide(word);
    return walk.next === 'word' ? redactWord(word, walk) : word;
  }
  if (expected === 'scheme') {
    // "Authorization: Bearer x" in several words: the scheme stays, the credential goes.
    if (/^(?:bearer|basic|token|digest|negotiate|apikey)$/i.test(trimQuotes(word))) walk.next = 'secret';
    return walk.next === 'secret' || isChoice(walk.previous.replace(/:$/, ''), word) ? word : hide(word);
  }
  if (expected === 'quoted' || expected === 'assigned') {
    if (/^(?::=|=>?|:)$/.test(word)) {
      walk.next = expected === 'assigned' ? 'secret-or-flag' : 'quoted';
      return word;
    }
    if (expected === 'assigned' || !isQuote(word.charAt(0))) return redactWord(word, walk);
  }
  if (expected === 'pair') return isReference(word) ? word : hidePair(word, ':');
  if (expected === 'user') return isPair(trimQuotes(word), walk) ? hidePair(word, ':') : redactWord(word, walk);
  if (expected === 'literal') return word.includes('=') ? word.slice(0, word.indexOf('=') + 1) + REDACTED : hide(word);
  if (expected === 'mixed')
    return /^(?=\D*\d)(?=.*[A-Za-z])[^\s/:.-][^\s/:.]{7,}$/.test(word) ? hide(word) : redactWord(word, walk);
  if (expected === 'percent') return hidePair(word, '%');
  if (expected === 'comma') return hidePair(word, ',');
  if (expected === 'short') return isShortSecret(word, walk) ? hide(word) : redactWord(word, walk);
  if (expected === 'generated')
    return looksGenerated(trimQuotes(word)) && !isPath(word) ? hide(word) : redactWord(word, walk);
  if (expected === 'doubtful') {
    const plain = /^(?:\d{1,5}(?:[:.,/-]\d+)*|-.*|\w{1,3})$/.test(word) || isPath(word);
    return plain ? redactWord(word, walk) : hide(word);
  }
  if (expected === 'secret-or-flag' && /^--?[a-z][a-z-]*(?:=.*)?$/i.test(word)) return redactWord(word, walk);
  // `docker build --secret id=npmrc,src=FILE` names a secret and a file.
  if (expected === 'secret-or-flag' && (isPath(word) || /^id=[\w.-]+(?:,|$)/.test(word))) return word;
  // `--creds bob:x` is a pair though its name is a secret's.
  if (expected === 'secret-or-flag' && isUserName(walk.previous.replace(/^-+/, '')) && isPair(trimQuotes(word), walk))
    return hidePair(word, ':');
  // `identified by "x"`: PASSWORD EXPRESSION and the like name no secret.
  if (expected === 'secret-or-flag' && isChoice(walk.previous, word)) return word;
  return isPlainValue(word) || /^[;&|<>]+$/.test(word) ? word : hide(word);
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
  if (word === '--from-literal') walk.next = 'literal';
  if (word.startsWith('-')) noteOption(word, walk);
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
  else if (
    walk.next === 'word' &&
    word.length < 40 &&
    /^[a-z]+(?:-[a-z]+)*-(?:password|passwd|token|secret)$/.test(word)
  )
    walk.next = 'mixed';
  else if (walk.next === 'word' && walk.nested && !word.startsWith('-') && /^[\w.]+$/.test(word) && isSecretName(word))
    walk.next = 'assigned';
  return redactValue(word, walk);
}

/** An option whose name alone does not decide: its value does, or the option before it. */
function noteOption(word: string, walk: Walk): void {
  const name = word.replace(/^-+/, '');
  if (/^-(?:p|P|w|pw|W)$/.test(word) && walk.userSeen && walk.tool === null && !isEveryday(walk.program))
    walk.next = 'doubtful';
  else if (isUserName(name) || /^-(?:U|l|username)$/.test(word) || name === 'username') {
    walk.userSeen = true;
    if (isUserName(name) && walk.tool === null && !namesGroups(walk.program)) walk.next = 'user';
  } else if (isDoubtfulName(name)) walk.next = 'generated';
  noteShortOption(word, walk);
}

const isSecretFlag = (word: string): boolean =>
  word.startsWith('-') && /^-{1,2}[A-Za-z/]/.test(word) && !/[=:]/.test(word) && isSecretName(word.replace(/^-+/, ''));

/** The value of a header; the scheme stays: `Bearer [redacted]`. */
const hideCredential = (value: string): string =>
  (/^\s*((?:bearer|basic|token|digest|negotiate|apikey)\s)\s*\S/i.exec(value)?.[1] ?? '') + REDACTED;

function redactHeader(header: string, walk: Walk): string {
  walk.next = 'word';
  const colon = header.indexOf(':');
  if (colon === -1) return redactValue(header, walk);
  const name = trimQuotes(header.slice(0, colon)).trim();
  const value = header.slice(colon + 1);
  if (!isSecretName(name) && !/^x-.*-(?:key|id)$/i.test(name))
    return `${header.slice(0, colon)}:${redactValue(value, walk)}`;
  if (value.trim() === '') walk.next = 'scheme';
  return value.trim() === '' ? header : `${header.slice(0, colon)}: ${hideCredential(value)}`;
}
