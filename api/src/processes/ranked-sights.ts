import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { Page } from '../page.ts';
import type { ProcessList } from './process-block.ts';

/** A process as it was last seen on a server. */
export interface Sight {
  serverKey: number;
  /** Sample time, epoch ms. */
  at: number;
  process: ProcessPart;
}

/** Returns the newest sight of each pid. Of two sights of one time the first stays. */
export function newestSights(serverKey: number, lists: Iterable<ProcessList>): Sight[] {
  const byPid = new Map<number, Sight>();
  for (const { at, processes } of lists)
    for (const process of processes) {
      const known = byPid.get(process.pid);
      if (known === undefined || known.at < at) byPid.set(process.pid, { serverKey, at, process });
    }
  return [...byPid.values()];
}

/** Unknown CPU comes last. */
const cpuOf = ({ process }: Sight): number => process.cpu_percent ?? -1;
const byCpu = (a: Sight, b: Sight): number => cpuOf(b) - cpuOf(a);
const byMemory = (a: Sight, b: Sight): number => b.process.memory_bytes - a.process.memory_bytes;
const byPlace = (a: Sight, b: Sight): number => a.serverKey - b.serverKey || a.process.pid - b.process.pid;
const ORDERS = {
  cpu: (a: Sight, b: Sight): number => byCpu(a, b) || byMemory(a, b) || byPlace(a, b),
  memory: (a: Sight, b: Sight): number => byMemory(a, b) || byCpu(a, b) || byPlace(a, b),
} as const;

/** Sights in memory beyond those of the page and the pages before it. */
const SPARE = 5000;

/** Ranks sights server by server and keeps no more of them than the page needs: a fleet has millions in two weeks. */
export function createRanking(rank: keyof typeof ORDERS, { limit, offset }: Page) {
  const order = ORDERS[rank];
  let kept: Sight[] = [];
  let total = 0;
  const trim = (): void => {
    kept = kept.toSorted(order).slice(0, offset + limit);
  };
  return {
    add: (sights: readonly Sight[]): void => {
      total += sights.length;
      kept.push(...sights);
      if (kept.length > 2 * (offset + limit) + SPARE) trim();
    },
    page: (): { rows: Sight[]; total: number } => {
      trim();
      return { rows: kept.slice(offset), total };
    },
  };
}
