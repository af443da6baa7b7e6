import type { Exec } from '../runtime/exec.ts';
import type { Runtime } from '../runtime/native.ts';
import type { Source } from '../source.ts';

interface Swap {
  totalBytes: number;
  usedBytes: number;
}
/** Swap is read at every second reading, because it costs a child process. */
const SWAP_EVERY = 2;

/** Used is what Activity Monitor calls so: wired, compressed, and anonymous memory that cannot be dropped. */
export function memorySourceDarwin(exec: Exec, runtime: Runtime): Source {
  let swap: Swap = { totalBytes: 0, usedBytes: 0 };
  let readings = 0;
  return {
    name: 'memory',
    instant: true,
    read: async () => {
      if (readings % SWAP_EVERY === 0) swap = parseSwapUsage(await exec('sysctl', ['-n', 'vm.swapusage']));
      readings += 1;
      const total = runtime.totalMemoryBytes();
      const used = Math.min(total, parseVmStat(await exec('vm_stat', [])));
      const memory = {
        total_bytes: total,
        available_bytes: total - used,
        used_bytes: used,
        swap_total_bytes: swap.totalBytes,
        swap_used_bytes: swap.usedBytes,
      };
      return { part: { memory } };
    },
  };
}

/** Bytes in use. Throws when a line it needs is missing. */
export function parseVmStat(text: string): number {
  const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1]);
  const pages = (name: string): number => {
    const count = new RegExp(`^"?${name}"?:\\s+(\\d+)\\.`, 'm').exec(text)?.[1];
    if (count === undefined) throw new Error(`vm_stat has no line "${name}"`);
    return Number(count);
  };
  if (!Number.isFinite(pageBytes)) throw new Error('vm_stat names no page size');
  const anonymous = Math.max(0, pages('Anonymous pages') - pages('Pages purgeable'));
  return pageBytes * (pages('Pages wired down') + pages('Pages occupied by compressor') + anonymous);
}

const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1_048_576, G: 1_073_741_824 };

/** "total = 2048.00M  used = 123.25M  free = 1924.75M  (encrypted)" */
export function parseSwapUsage(text: string): Swap {
  const bytes = (name: string): number => {
    const match = new RegExp(`${name} = ([\\d.,]+)([KMG])`).exec(text);
    if (!match) throw new Error(`vm.swapusage names no "${name}"`);
    return Math.round(Number((match[1] ?? '').replace(',', '.')) * (UNITS[match[2] ?? ''] ?? 1));
  };
  return { totalBytes: bytes('total'), usedBytes: bytes('used') };
}
