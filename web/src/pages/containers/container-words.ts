import type { Container } from '@plimsoll/contract/wire/containers';
import { partStateWords } from '../../format/container-words.ts';

export const isLate = ({ server_status: status }: Container): boolean => status !== 'active';

/** Returns the state in words; that of a host that does not report now is old. */
export const stateWords = (container: Container): string =>
  isLate(container) ? 'Late' : partStateWords({ ...container, state: container.state ?? undefined });

const isStopped = ({ state }: Container): boolean => state === 'exited' || state === 'created' || state === 'dead';

/** Returns why there is no headroom; null: there is one. */
export function noHeadroomReason(container: Container): string | null {
  if (isStopped(container)) return 'not running';
  if (container.memory_bytes === null) return 'memory not known';
  if (container.memory_limit_bytes === null) return 'no limit set';
  return null;
}

/** Returns why a figure is missing. */
export const noFigureReason = (container: Container): string => (isStopped(container) ? 'not running' : 'not reported');

export const nameOf = ({ id, name }: Container): string => name ?? id;

/** Returns the restarts with their reach: the runtime's count, else those that the collector saw in the last hour. */
export function restartsOf({ restarts, restarts_last_hour: lastHour }: Container): { count: number; title: string } {
  if (restarts === null)
    return { count: lastHour, title: 'Seen in the last hour. The count of the runtime needs its socket' };
  return { count: restarts, title: `Counted by the runtime, ${lastHour} of them seen in the last hour` };
}
