import { PROCESS_MINUTES } from '@plimsoll/contract/rules/limits';
import type { Process } from '@plimsoll/contract/wire/processes';
import { escapeInvisible } from './escape-invisible.ts';
import { coresQuantity } from './process-words.ts';

/** Less is noise of the measurement. */
const LEAST_CORES = 0.25;
const LEAST_SHARE = 0.3;
/** Names of short-lived processes in one sentence. */
const NAMED = 3;

const cores = (count: number): string => {
  const { value, unit } = coresQuantity(count * 100);
  return `${value ?? ''} ${unit}`;
};

interface Shown {
  processes: readonly Pick<Process, 'cpu_usage' | 'server_cpu_cores' | 'name' | 'start_time' | 'timestamp'>[];
  /** CPU of the machine at the time of the list, in per cent; null: not known. */
  cpuPercent: number | null;
  /** The list is only the top of what ran. */
  isTop: boolean;
}

/** "cc1 (12), ld": what of the list began within its minute. */
function begunText({ processes }: Shown): string | null {
  const begun = processes.filter(({ start_time: start, timestamp }) => timestamp - start < PROCESS_MINUTES.stepSeconds);
  const names = [...Map.groupBy(begun, ({ name }) => name)].toSorted(([, a], [, b]) => b.length - a.length);
  if (names.length === 0) return null;
  const more = names.length - NAMED;
  const named = names
    .slice(0, NAMED)
    .map(([name, { length }]) => `${escapeInvisible(name)}${length > 1 ? ` (${length})` : ''}`);
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/**
 * Says how much CPU of the machine the list does not explain, and which of the list began within its minute; null while the
 * list explains it. A process that starts and ends between two reports is in no list.
 */
export function unlistedCpuText(shown: Shown): string | null {
  const { processes, cpuPercent, isTop } = shown;
  const count = processes[0]?.server_cpu_cores ?? null;
  if (cpuPercent === null || count === null) return null;
  const used = (cpuPercent / 100) * count;
  const listed = processes.reduce((sum, { cpu_usage: cpu }) => sum + (cpu ?? 0), 0) / 100;
  const rest = used - listed;
  if (rest < LEAST_CORES || rest < used * LEAST_SHARE) return null;
  const begun = begunText(shown);
  return [
    `The listed processes use ${cores(listed)} of ${cores(used)} in use.`,
    `The other ${cores(rest)}: processes that ended within the minute${isTop ? ', those below the top' : ''}, and the kernel.`,
    ...(begun === null ? [] : [`Began within the minute: ${begun}.`]),
  ].join(' ');
}
