import { PROCESS_STATUSES } from '@plimsoll/contract/rules/limits';
import type { Process } from '@plimsoll/contract/wire/processes';
import { numberText } from './figures.ts';

/** CPU or memory above this share of the machine is red. */
export const HIGH_PERCENT = 80;

export const isHigh = (percent: number | null): boolean => percent !== null && percent > HIGH_PERCENT;

/** Returns the command line, or the name of a process that has none, such as a kernel thread. */
export const commandOf = ({ command, name }: Pick<Process, 'command' | 'name'>): string => command || name;

/** Returns the per cent of the whole machine a process uses; null while either figure is unknown. */
export function cpuShare({ cpu_usage: cpu, server_cpu_cores: cores }: Pick<Process, 'cpu_usage' | 'server_cpu_cores'>) {
  return cpu === null || cores === null || cores <= 0 ? null : cpu / cores;
}

/** Writes per cent of one core as cores: "17.9 cores", "1 core", "0.04 cores"; null is not available. */
export function coresQuantity(cpuPercent: number | null): { value: string | null; unit: string } {
  if (cpuPercent === null) return { value: null, unit: 'cores' };
  const cores = cpuPercent / 100;
  const text = numberText(cores, cores >= 10 ? 1 : 2);
  return text === '1.00' ? { value: '1', unit: 'core' } : { value: text, unit: 'cores' };
}

/** Whole per cents; one place below 10, where most processes are: "28", "0.4". */
export const shareQuantity = (percent: number | null): { value: string | null; unit: string } => ({
  value: numberText(percent, percent !== null && percent < 9.95 ? 1 : 0),
  unit: '%',
});

const joined = ({ value, unit }: { value: string | null; unit: string }) =>
  value === null ? null : `${value} ${unit}`;

/** "17.9 cores · 28 % of gpu-train-01"; without the share while the cores of the machine are unknown. */
export function cpuSentence(process: Pick<Process, 'cpu_usage' | 'server_cpu_cores' | 'hostname'>): string | null {
  const cores = joined(coresQuantity(process.cpu_usage));
  const share = joined(shareQuantity(cpuShare(process)));
  if (cores === null || share === null) return cores;
  return `${cores} · ${share} of ${process.hostname}`;
}

interface Listed {
  /** Rows on the screen. */
  shown: number;
  /** Rows the API returned. */
  fetched: number;
  /** Processes the API ranked. */
  total: number;
  servers: number;
  rank: 'cpu' | 'memory';
  filtered: boolean;
}

/** "Top 20 of 1,204 by CPU"; names the servers only while every process was fetched, since others may have some too. */
export function rankSentence({ shown, fetched, total, servers, rank, filtered }: Listed): string {
  const by = rank === 'cpu' ? 'CPU' : 'memory';
  if (fetched === 0) return `Ranked by ${by}.`;
  if (filtered && fetched < total)
    return `${shown} of the top ${fetched} by ${by} match; ${numberText(total)} processes in total`;
  const where = servers === 1 ? ' on one server' : ` across ${servers} servers`;
  return `Top ${shown} of ${numberText(total)} by ${by}${fetched < total && servers > 1 ? '' : where}`;
}

export type StatusTone = 'ok' | 'over' | 'near' | 'plain';
const TONE = new Map<string, StatusTone>([
  ['R', 'ok'],
  ['Z', 'over'],
  ['D', 'near'],
  ['T', 'near'],
]);

const isKnown = (letter: string): letter is keyof typeof PROCESS_STATUSES => Object.hasOwn(PROCESS_STATUSES, letter);

/** "R" is "Running", green; an unknown letter is shown unchanged. */
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
