import { cpuTimeGrowth } from '@plimsoll/contract/rules/machines/cpu-modes';
import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { CpuPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import { limitedCpu } from './enclosure/limited-cpu.ts';
import type { Moment, Source } from '../source.ts';

/** Ticks since boot of one line of /proc/stat. guest and guest_nice are inside user and nice already. */
export interface CpuTimes {
  user: number;
  nice: number;
  system: number;
  idle: number;
  ioWait: number;
  irq: number;
  softIrq: number;
  steal: number;
}
export interface CpuCounters {
  all: CpuTimes;
  /** By the kernel's number: cores may be taken offline between two reads. */
  cores: Map<number, CpuTimes>;
}

const OWN_LIMIT =
  'per cent of the CPU limit of this container; its control group counts no IO wait, steal or single cores';

/**
 * CPU of the whole host and of each core, in per cent of the time since the read before. A container with a limit has its
 * own time in per cent of that limit, because /proc/stat is of the host unless lxcfs replaces it.
 */
export function cpuSource(files: Files): Source {
  const limited = limitedCpu(files);
  let before: { up: number; counters: CpuCounters } | null = null;
  return {
    name: 'cpu',
    read: async ({ up }: Moment) => {
      const text = files.text('proc/stat');
      const own = limited(text, up);
      if (own !== null) return { part: { cpu: own }, note: OWN_LIMIT };
      const counters = parseStat(text);
      const part = shapeCpu(before?.counters ?? null, counters, before === null ? null : up - before.up);
      before = { up, counters };
      return { part: { cpu: part } };
    },
  };
}

/** Text of /proc/stat. Throws when the summary line is missing. */
export function parseStat(text: string): CpuCounters {
  let all: CpuTimes | null = null;
  const cores = new Map<number, CpuTimes>();
  for (const line of text.split('\n')) {
    if (!line.startsWith('cpu')) continue;
    const [name = '', ...fields] = line.trim().split(/\s+/);
    const times = parseTimes(fields);
    if (!times) continue;
    if (name === 'cpu') all = times;
    else cores.set(Number(name.slice(3)), times);
  }
  if (!all) throw new Error('/proc/stat has no "cpu" line');
  return { all, cores };
}

/** Old kernels have fewer columns: what is missing counts as 0 there, for it was counted elsewhere. */
function parseTimes(fields: string[]): CpuTimes | null {
  const [user, nice, system, idle, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = fields.map(Number);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return null;
  const times = { user, nice, system, idle, ioWait, irq, softIrq, steal };
  return Object.values(times).every(Number.isFinite) ? times : null;
}

/** USER_HZ, the unit of /proc/stat. It is 100 on every architecture that has this collector. */
const TICKS_PER_SECOND = 100;

/** `seconds`: how much time passed; null: unknown. */
export function shapeCpu(before: CpuCounters | null, now: CpuCounters, seconds: number | null = null): CpuPart {
  const cpus = Math.max(before?.cores.size ?? 0, now.cores.size, 1);
  const shares = cpuShares(before?.all, now.all, seconds === null ? null : seconds * cpus);
  return {
    percent: shares.busy,
    io_wait_percent: shares.ioWait,
    steal_percent: shares.steal,
    user_percent: shares.user,
    system_percent: shares.system,
    per_core_percent: [...now.cores].map(([core, times]) => cpuShares(before?.cores.get(core), times, seconds).busy),
  };
}

type Shares = Record<'busy' | 'ioWait' | 'steal' | 'user' | 'system', number | null>;
const UNKNOWN: Shares = { busy: null, ioWait: null, steal: null, user: null, system: null };

/**
 * Returns the shares of the time that passed. Without IO wait or steal the rest still holds: the kernel lets iowait fall
 * back now and then (proc(5)), and steal jumps when a virtual machine moves to another host.
 */
export function cpuShares(before: CpuTimes | undefined, now: CpuTimes, possibleSeconds: number | null = null): Shares {
  if (before === undefined) return UNKNOWN;
  // A kernel with nohz_full may count the user time of minutes at once, so only steal has a bound.
  const grown = (key: keyof CpuTimes, most: number | null = null): number | null =>
    cpuTimeGrowth(now[key] - before[key], { unitsPerSecond: TICKS_PER_SECOND, possibleSeconds: most });
  const [user, nice, system, idle] = [grown('user'), grown('nice'), grown('system'), grown('idle')];
  const [irq, softIrq, steal] = [grown('irq'), grown('softIrq'), grown('steal', possibleSeconds)];
  if (user === null || nice === null || system === null || idle === null) return UNKNOWN;
  if (irq === null || softIrq === null) return UNKNOWN;
  const ioWait = now.ioWait < before.ioWait ? null : grown('ioWait');
  const busy = user + nice + system + irq + softIrq + (steal ?? 0);
  const total = busy + idle + (ioWait ?? 0);
  return {
    busy: boundedPercentOf(busy, total),
    ioWait: boundedPercentOf(ioWait, total),
    steal: boundedPercentOf(steal, total),
    user: boundedPercentOf(user + nice, total),
    system: boundedPercentOf(system + irq + softIrq, total),
  };
}
