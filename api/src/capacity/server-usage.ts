import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import { diskTrend } from '../series/disk-trend.ts';
import type { DiskTrend } from '../series/types.ts';

/** Which servers nobody needs, from their use of two weeks. */

export const IDLE = {
  days: 14,
  /** Below both of these, per cent: the p95 of CPU over five minutes, and the highest memory. */
  cpuPercent: 5,
  memoryPercent: 20,
  /** Points that the mean of the newer week may lie over that of the older one. */
  growth: { cpu: 1, memory: 2 },
  /** Hours of the two weeks that must have figures. */
  leastHours: 319,
  /** An established connection all the time beside the collector's own: somebody may need the server. */
  fewConnections: 2,
  /** Figures older than this say nothing of now (ms). */
  staleMs: 4 * HOUR_MS,
} as const;

/** The use of a server over two weeks, in per cent; null: not known. Times are epoch milliseconds. */
export interface ServerUsage {
  serverKey: number;
  computedAt: number;
  /** Hours with figures. */
  hours: number;
  /** Null: the server is too busy for anyone to need it. */
  cpuP95: number | null;
  memoryMax: number | null;
  cpuOlder: number | null;
  cpuNewer: number | null;
  memoryOlder: number | null;
  memoryNewer: number | null;
  connectionsMean: number | null;
  connectionsMax: number | null;
}

type IdleVerdict = 'idle' | 'connected' | 'needed' | 'unknown';
export interface Idleness {
  verdict: IdleVerdict;
  /** Why it is not known, or what speaks against it. */
  reason: string | null;
}

/** Returns whether a server can be given back, and the evidence against it. */
export function idlenessOf(usage: ServerUsage | null, isActive: boolean, now: number): Idleness {
  if (!isActive) return unknown('It does not report now.');
  if (usage === null || now - usage.computedAt > IDLE.staleMs) return unknown('Its use is not computed yet.');
  if (usage.hours < IDLE.leastHours) return unknown(`Its use is known for ${daysWords(usage)}.`);
  const { cpuP95, memoryMax, connectionsMean } = usage;
  if (memoryMax === null) return unknown('Its memory usage is not known.');
  if (memoryMax >= IDLE.memoryPercent || cpuP95 === null || cpuP95 >= IDLE.cpuPercent) return needed(null);
  if (grows(usage.cpuOlder, usage.cpuNewer, IDLE.growth.cpu)) return needed('Its CPU usage grows.');
  if (grows(usage.memoryOlder, usage.memoryNewer, IDLE.growth.memory)) return needed('Its memory usage grows.');
  if (connectionsMean === null) return { verdict: 'connected', reason: 'Its connections are not known.' };
  if (connectionsMean < IDLE.fewConnections) return { verdict: 'idle', reason: null };
  return { verdict: 'connected', reason: 'Programs stay connected to it or from it. Ask their owners first.' };
}

const unknown = (reason: string): Idleness => ({ verdict: 'unknown', reason });
const needed = (reason: string | null): Idleness => ({ verdict: 'needed', reason });

const grows = (older: number | null, newer: number | null, most: number): boolean =>
  older === null || newer === null || newer - older > most;

function daysWords({ hours }: Pick<ServerUsage, 'hours'>): string {
  const days = Math.floor(hours / 24);
  const known = days >= 1 ? `${String(days)} of ${String(IDLE.days)} days` : `${String(hours)} hours`;
  return `${known}; an answer needs two weeks`;
}

export type MemoryPoint = readonly [at: number, percent: number];

/** Returns the growth of the memory of a server from the means of its hours. */
export const memoryTrend = (points: readonly MemoryPoint[], totalBytes: number, now: number): DiskTrend =>
  diskTrend(
    points.map(([at, percent]) => ({ at, usedBytes: (percent / 100) * totalBytes })),
    totalBytes,
    now,
  );

/** The two weeks before `now`, and their middle. */
export const idleWindow = (now: number): { from: number; middle: number } => ({
  from: now - IDLE.days * DAY_MS,
  middle: now - (IDLE.days / 2) * DAY_MS,
});
