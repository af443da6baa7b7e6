import { PROCESS_STATUSES } from '@plimsoll/contract/rules/limits';
import type { Process } from '@plimsoll/contract/wire/processes';

/** CPU or memory above this is red. */
export const HIGH_PERCENT = 80;

export type StatusTone = 'ok' | 'over' | 'near' | 'plain';
const TONE = new Map<string, StatusTone>([
  ['R', 'ok'],
  ['Z', 'over'],
  ['D', 'near'],
  ['T', 'near'],
]);

const isKnown = (letter: string): letter is keyof typeof PROCESS_STATUSES => Object.hasOwn(PROCESS_STATUSES, letter);

/** "R" is "Running", green; a letter nobody knows is shown as it came. */
export function processStatus(letter: string): { name: string; tone: StatusTone } {
  return { name: isKnown(letter) ? PROCESS_STATUSES[letter] : letter || 'Unknown', tone: TONE.get(letter) ?? 'plain' };
}

/** One row per server and pid, the first of each: the list comes ranked. */
export function distinctProcesses(processes: readonly Process[]): Process[] {
  const seen = new Set<string>();
  return processes.filter(({ server_id, pid }) => {
    const key = `${server_id}/${pid}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Processes whose name, command, user or pid holds every word. */
export function matchProcesses(processes: readonly Process[], search: string): Process[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return processes.filter(({ name, command, user, pid, hostname }) => {
    const text = `${name} ${command} ${user} ${pid} ${hostname}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
