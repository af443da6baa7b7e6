import { levelOf } from './guess.ts';
import { hide, isPath, isQuote, isReference, trimQuotes } from './hide.ts';
import { redactLiterals } from './literals.ts';
import { isChoice, isPlainValue, isSecretName } from './names.ts';
import { redactPhrases } from './phrases.ts';
import { redactValue } from './value.ts';
import { newWalk } from './walk.ts';

/** A single word this short matches no rule: it has no separator, and issued tokens have 16 characters and more. */
export const isShortWord = (text: string): boolean => /^[\w./-]{0,15}$/.test(text);

/**
 * Takes the secrets out of free text: the message of an event, an image, a label. Prose is no command line, so a word
 * is a secret only by its own look or by the name directly before it: `user:secret@`, `name=value`, `name: value`,
 * `--name value`, `Bearer value`, issued tokens. Idempotent; the cost grows linearly with the text.
 */
export function redactText(text: string): string {
  if (isShortWord(text)) return text;
  const words = redactLiterals(text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]/gu, ' ')).match(/\s+|[^\s]+/g) ?? [];
  const directive = redactDirective(words);
  if (directive !== null) return directive;
  const walk = newWalk();
  let expected: Expected = 'nothing';
  const shown = words
    .map((word, index) => {
      if (word.trim() === '') return word;
      const before = expected;
      expected = 'nothing';
      if (
        isSecret(word, before, index >= words.length - 2 || isClosed(word, words[index + 2])) &&
        !isChoice(nameOf(words[index - 2] ?? ''), trimQuotes(trimEnd(word)))
      )
        return hideCore(word);
      // "name = value" is "name= value".
      expected = expectedAfter(SEPARATOR.test(word) ? `${words[index - 2] ?? ''}=` : word, before);
      return redactValue(word, walk);
    })
    .join('');
  return redactPhrases(shown);
}

/**
 * Hides the value of a line of a configuration file that has no separator: `radius_secret x`. Null: it is none. Prose has
 * no name of several parts before its last word.
 */
function redactDirective([name = '', between, value = '', ...rest]: readonly string[]): string | null {
  if (between === undefined || rest.length > 0 || !/^\w{1,60}[_-]\w{1,20}$/.test(name) || !isSecretName(name))
    return null;
  const bare = trimQuotes(value);
  return isPath(bare) || isReference(bare) || levelOf(bare) < 2 ? null : name + between + hideCore(value);
}

/** Stands between a name and its value, in settings and in logs. */
const SEPARATOR = /^(?::?=|=>)$/;
/** The first name of an object or a list of objects: `{name:`. Its value follows. */
const STRUCTURE = /^[[{(]+["']?[\w.-]+["']?:$/;

/** The role of the next word. `phrase`: a value, or the rest of a sentence. */
type Expected = 'nothing' | 'value' | 'phrase' | 'header';

/** A single word between a colon and the end of its clause is a value: "password: hunter (change it)". */
const isClosed = (word: string, next: string | undefined): boolean =>
  (/^[a-z]{5,32}[,;)]$/i.test(word) || (/^[a-z]{5,32}$/i.test(word) && next?.startsWith('(') === true)) &&
  !/(?:ed|id|ing|ion|ent|ty|ult)\W?$/.test(word);

const SCHEME = /^["']?(?:bearer|basic|token|digest|negotiate|apikey)$/i;

function isSecret(word: string, expected: Expected, isLast: boolean): boolean {
  if (expected === 'nothing' || word.includes('[redacted]') || STRUCTURE.test(word)) return false;
  const bare = trimQuotes(trimEnd(word));
  if (bare === '' || isPlainValue(bare) || (expected === 'header' && SCHEME.test(word))) return false;
  if (expected === 'value') return !/^--?[a-z][a-z-]*(?:=.*)?$/i.test(word);
  // "password: authentication failed" is a sentence, "password: hunter2" and a quoted value are none.
  return isLast || isQuote(word.charAt(0)) || !/^\p{L}+$/u.test(bare);
}

function expectedAfter(word: string, before: Expected): Expected {
  if (before === 'header' && SCHEME.test(word)) return 'value';
  if (SCHEME.test(/authorization["']?[=:]["']?(\w+)$/i.exec(word.slice(-LONGEST_NAME))?.[1] ?? '')) return 'value';
  if (/^["'(]?bearer$/i.test(word)) return 'phrase';
  const flag = /^["'([`]*(-{1,2}[A-Za-z][\w.-]*)$/.exec(word.slice(0, LONGEST_NAME))?.[1];
  if (flag !== undefined && word.length <= LONGEST_NAME && isSecretName(flag.replace(/^-+/, ''))) return 'value';
  if (!word.endsWith(':') && !word.endsWith('=')) return 'nothing';
  const name = trimQuotes(word.slice(-LONGEST_NAME, -1));
  const last = /[\w.-]*$/.exec(name)?.[0] ?? '';
  if (!isSecretName(last)) return 'nothing';
  if (/authorization$/i.test(last)) return 'header';
  return word.endsWith('=') ? 'value' : 'phrase';
}

const nameOf = (word: string): string => trimQuotes(word.slice(-LONGEST_NAME)).replace(/[:=]$/, '').replace(/^-+/, '');

/** Longest name of a flag or key that is looked at. */
const LONGEST_NAME = 130;

/** Punctuation of the sentence stays. */
function hideCore(word: string): string {
  const core = trimEnd(word);
  return hide(core) + word.slice(core.length);
}

function trimEnd(word: string): string {
  let end = word.length;
  while (end > 0 && ',;.)]}'.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
