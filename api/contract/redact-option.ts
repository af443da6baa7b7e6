import { hidePair } from './redact-hide.ts';
import { REDACTED } from './redact-shapes.ts';
import type { Walk } from './redact-walk.ts';

/** Options of the tool at hand. Null when the word is none of them. */
export function redactOption(word: string, walk: Walk): string | null {
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
