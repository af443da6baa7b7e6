import { trimQuotes } from './hide.ts';
import { baseName, isNaming, isStarter, isStarterOption, toolNamed } from './tools.ts';
import type { Walk } from './walk.ts';

export const PRINTS = /^(?:echo|printf|print)$/;

/** Program's name in a word of a script: `$(mysql`, `"mysql`, `;mysql`. */
const programOf = (word: string): string => baseName(trimQuotes(word).replace(/^[$(`;|&{'"\\]+/, ''));

/** Notes which program a word starts, and which subcommand arms its rules. */
export function noteTool(word: string, walk: Walk): void {
  if (/^(?:[;&|]+|then|do|else)$/.test(word) && walk.nested) {
    walk.toolFound = false;
    return;
  }
  if (!walk.toolFound) {
    const value = walk.starterOption;
    walk.starterOption = walk.started && isStarterOption(word);
    if (value || word.startsWith('-') || /^\w+=/.test(word) || /^\d+[smh]?$/.test(word)) return;
    const name = programOf(word);
    if (isStarter(name)) {
      walk.started = true;
      return;
    }
    startTool(name, walk);
    return;
  }
  if (word.startsWith('-') || word.includes('=')) return noteSubcommand(word, walk);
  const name = word.length > 64 || (word.includes('/') && !/^["'$(`]*[./]/.test(word)) ? '' : programOf(word);
  // Any program may start another one: `kubectl exec x -- mysql`, `sh -c mysql`. Options' values are no programs.
  const starts = toolNamed(name) !== null || (walk.nested && PRINTS.test(name));
  if (starts && !isNaming(walk.previous) && name !== walk.program) startTool(name, walk);
  else noteSubcommand(word, walk);
}

function startTool(name: string, walk: Walk): void {
  walk.tool = toolNamed(name);
  walk.program = name;
  walk.toolFound = true;
  walk.armed = walk.tool?.after === undefined;
  walk.assignments = false;
  walk.userSeen = false;
  walk.positions = walk.tool?.positions?.[''] ?? [];
  walk.bareWords = 0;
}

function noteSubcommand(word: string, walk: Walk): void {
  if (!walk.tool) return;
  if (walk.tool.after?.includes(word)) walk.armed = true;
  if (walk.tool.assignments?.includes(word)) walk.assignments = true;
  if (walk.tool.words?.includes(word.toLowerCase())) walk.next = 'secret-or-flag';
  const positions = walk.tool.positions?.[word];
  if (positions && word !== '') {
    walk.positions = positions;
    walk.bareWords = -1;
  }
}
