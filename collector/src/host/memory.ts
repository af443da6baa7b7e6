import { memoryUse } from '@plimsoll/contract/rules/machines/memory';
import type { MemoryPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';

/** Counters of the kernel beside /proc/meminfo, in bytes. */
interface Beside {
  arc: number | null;
  arcMinimum: number | null;
  hugePagesFree: number;
}

/**
 * Memory and swap of the host, by MemAvailable. `isContainer`: the cache of ZFS and the huge pages are the host's, and
 * not part of this machine.
 */
export function memorySource(files: Files, isContainer = false): Source {
  return {
    name: 'memory',
    instant: true,
    read: async () => {
      const values = parseMeminfo(files.text('proc/meminfo'));
      const { memory, estimated } = shapeMemory(values, isContainer ? undefined : readBeside(files, values));
      const note = 'MemAvailable is missing (kernel before 3.14): estimated from free, buffers and cache';
      return { part: { memory }, ...(estimated ? { note } : {}) };
    },
  };
}

function readBeside(files: Files, values: Map<string, number>): Beside {
  const arcstats = files.optional('proc/spl/kstat/zfs/arcstats') ?? '';
  return {
    arc: parseKstat(arcstats, 'size'),
    arcMinimum: parseKstat(arcstats, 'c_min'),
    hugePagesFree: readFreeHugePages(files, values),
  };
}

/** Value of a line "name type value" of a kstat; null: it is not there. */
function parseKstat(text: string, name: string): number | null {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  const value = Number(line?.trim().split(/\s+/)[2] ?? Number.NaN);
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

const SIZES = 'sys/kernel/mm/hugepages';

/** Bytes of huge pages of all sizes that no process has or was promised. */
function readFreeHugePages(files: Files, values: Map<string, number>): number {
  const count = (path: string): number => Number(files.optional(path)?.trim() ?? 0) || 0;
  const of = (name: string): number => values.get(name) ?? 0;
  // meminfo counts the pages of one size. Hugetlb (kernel 4.16) is the sum of all.
  if (of('HugePages_Total') === 0 && of('Hugetlb') === 0) return 0;
  const sizes = files.list(SIZES).filter((name) => /^hugepages-\d+kB$/.test(name));
  if (sizes.length === 0) return Math.max(0, of('HugePages_Free') - of('HugePages_Rsvd')) * of('Hugepagesize');
  return sizes.reduce((sum, name) => {
    const free = count(`${SIZES}/${name}/free_hugepages`) - count(`${SIZES}/${name}/resv_hugepages`);
    return sum + Math.max(0, free) * Number(name.slice('hugepages-'.length, -'kB'.length)) * 1024;
  }, 0);
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
export function shapeMemory(values: Map<string, number>, beside?: Beside): { memory: MemoryPart; estimated: boolean } {
  const total = values.get('MemTotal');
  if (total === undefined) throw new Error('/proc/meminfo has no "MemTotal" line');
  const use = memoryUse({
    total,
    available: values.get('MemAvailable') ?? null,
    free: values.get('MemFree') ?? 0,
    buffers: values.get('Buffers') ?? null,
    cached: values.get('Cached') ?? null,
    shared: values.get('Shmem') ?? null,
    reclaimable: values.get('SReclaimable') ?? null,
    ...beside,
  });
  const swapTotal = values.get('SwapTotal') ?? 0;
  const memory = {
    total_bytes: total,
    available_bytes: use?.available_bytes ?? 0,
    used_bytes: use?.used_bytes ?? total,
    swap_total_bytes: swapTotal,
    swap_used_bytes: Math.max(0, swapTotal - (values.get('SwapFree') ?? swapTotal)),
  };
  return { memory, estimated: use?.isEstimated ?? false };
}
