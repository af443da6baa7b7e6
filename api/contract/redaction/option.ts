import { hidePair, isReference } from './hide.ts';
import { REDACTED } from './shapes.ts';
import type { Expected, Walk } from './walk.ts';

/** Options of the tool at hand. Null when the word is none of them. */
export function redactOption(word: string, walk: Walk): string | null {
  if (!walk.tool || !walk.armed || !/^[-/]/.test(word)) return null;
  const { secret = [], glued = [], pair = [], percent = [], comma = [], plain = [] } = walk.tool;
  const kinds = [
    [plain, 'word'],
    [secret, 'secret'],
    [pair, 'pair'],
    [percent, 'percent'],
    [comma, 'comma'],
  ] as const;
  for (const [options, expected] of kinds) {
    if (options.includes(word)) {
      walk.next = expected;
      return word;
    }
    const option = options.find((name) => isPrefix(name, word));
    if (option !== undefined) return option + hideAs(expected, word.slice(option.length));
  }
  const option = glued.find((name) => word.startsWith(name) && word.length > name.length);
  if (option === undefined || word.startsWith('--')) return null;
  return isShownGlued(word.slice(option.length)) ? word : option + REDACTED;
}

/** `-pSECRET`, `--user=a:SECRET`, `/p:SECRET`. */
const isPrefix = (name: string, word: string): boolean =>
  word.startsWith(name) &&
  !/^-pass(?:w(?:or)?d)?$/.test(word) &&
  (/^-\w$|[:=]$/.test(name) || word.charAt(name.length) === '=');

/** A port mapping of a container that has the name of a tool, or a variable. */
const isShownGlued = (value: string): boolean => /^\d{1,5}:\d{1,5}$/.test(value) || isReference(value);

function hideAs(expected: Expected, value: string): string {
  const bare = value.startsWith('=') ? value.slice(1) : value;
  const separator = value.slice(0, value.length - bare.length);
  if (expected === 'word' || isReference(bare)) return value;
  if (expected === 'secret') return separator + REDACTED;
  return separator + hidePair(bare, expected === 'pair' ? ':' : expected === 'comma' ? ',' : '%');
}
