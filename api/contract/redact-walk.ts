import type { Tool } from './redact-tools.ts';

/** What the walk remembers from the words before. */
export interface Walk {
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

export const newWalk = (): Walk => ({
  tool: null,
  toolFound: false,
  started: false,
  starterOption: false,
  armed: true,
  assignments: false,
  next: 'word',
  nested: false,
});
