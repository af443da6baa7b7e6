import type { MemoryPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';

/** Memory and swap of the host, by MemAvailable. */
export function memorySource(files: Files): Source {
  return {
    name: 'memory',
    instant: true,
    read: async () => {
      const { memory, estimated } = shapeMemory(parseMeminfo(files.text('proc/meminfo')));
      const note = 'MemAvailable is missing (kernel before 3.14): estimated from free, buffers and cache';
      return { part: { memory }, ...(estimated ? { note } : {}) };
    },
  };
}

/** Bytes by name. Lines without a unit (HugePages_Total) are counts and stay as they are. */
export function parseMeminfo(text: string): Map<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const match = /^([^:]+):\s+(\d+)( kB)?\s*$/.exec(line);
    if (match?.[1] !== undefined) values.set(match[1], Number(match[2]) * (match[3] ? 1024 : 1));
  }
  return values;
}

/** Throws when the total is missing. */
export function shapeMemory(values: Map<string, number>): { memory: MemoryPart; estimated: boolean } {
  const total = values.get('MemTotal');
  if (total === undefined) throw new Error('/proc/meminfo has no "MemTotal" line');
  const known = values.get('MemAvailable');
  const available = Math.min(total, known ?? estimateAvailable(values));
  const swapTotal = values.get('SwapTotal') ?? 0;
  const memory = {
    total_bytes: total,
    available_bytes: available,
    used_bytes: total - available,
    swap_total_bytes: swapTotal,
    swap_used_bytes: Math.max(0, swapTotal - (values.get('SwapFree') ?? swapTotal)),
  };
  return { memory, estimated: known === undefined };
}

/** Shared memory is inside Cached but cannot be given back. */
function estimateAvailable(values: Map<string, number>): number {
  const of = (name: string): number => values.get(name) ?? 0;
  return Math.max(0, of('MemFree') + of('Buffers') + of('Cached') - of('Shmem'));
}
