import type { Tool } from './tools.ts';

/** State that the words before leave for the word at hand. */
export interface Walk {
  tool: Tool | null;
  /** Name of the program at hand. */
  program: string;
  toolFound: boolean;
  /** A program that starts others was seen, and whether the word before was an option of it that takes a value. */
  started: boolean;
  starterOption: boolean;
  /** The subcommand that arms `tool.after` was seen. */
  armed: boolean;
  assignments: boolean;
  /** Numbers of the coming bare words that are secrets, counted from `bareWords`. */
  positions: readonly number[];
  bareWords: number;
  /** An option before named a user: an option for its password may follow. */
  userSeen: boolean;
  /** The script pipes what it prints into a program that reads a password. */
  pipesSecret: boolean;
  /** The effect of the program or its verb: with 'secret' a bare word may be one, with 'pin' a number may. */
  access: 'none' | 'secret' | 'pin';
  /** Bare words since the program began. */
  bare: number;
  /** A verb that gives a setting its value was seen. */
  sets: boolean;
  /** The word before. */
  previous: string;
  /** Kind of the next word. */
  next: Expected;
  nested: boolean;
  /** Scripts inside scripts. */
  depth: number;
  /** Characters the caller still shows; nothing is read for what lies behind them. Scripts inside share it. */
  budget: Budget;
}
export interface Budget {
  left: number;
}
export type Expected =
  | 'word'
  | 'secret'
  | 'secret-or-flag'
  | 'pair'
  | 'literal'
  | 'mixed'
  | 'user'
  | 'percent'
  | 'comma'
  | 'header'
  | 'by'
  | 'scheme'
  | 'quoted'
  | 'assigned'
  | 'generated'
  | 'short'
  | 'doubtful';

export const newWalk = (budget: Budget = { left: Infinity }, depth = 0): Walk => ({
  tool: null,
  program: '',
  toolFound: false,
  started: false,
  starterOption: false,
  armed: true,
  assignments: false,
  positions: [],
  bareWords: 0,
  userSeen: false,
  pipesSecret: false,
  access: 'none',
  bare: 0,
  sets: false,
  previous: '',
  next: 'word',
  nested: false,
  depth,
  budget,
});
