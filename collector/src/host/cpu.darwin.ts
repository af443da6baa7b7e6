import type { Runtime } from '../runtime/native.ts';
import type { Source } from '../source.ts';
import { type CpuCounters, type CpuTimes, shapeCpu } from './cpu.ts';

/** macOS counts no IO wait and no steal: both are unknown, not zero. */
export function cpuSourceDarwin(runtime: Runtime): Source {
  let before: CpuCounters | null = null;
  return {
    name: 'cpu',
    read: async () => {
      const now = countersOf(runtime.cpus());
      const cpu = { ...shapeCpu(before, now), io_wait_percent: null, steal_percent: null };
      before = now;
      return { part: { cpu } };
    },
  };
}

/** Milliseconds by core as the runtime gives them, added up for the host. Throws when it gives none. */
export function countersOf(cpus: ReturnType<Runtime['cpus']>): CpuCounters {
  if (cpus.length === 0) throw new Error('the system tells of no core');
  const all: CpuTimes = { user: 0, nice: 0, system: 0, idle: 0, ioWait: 0, irq: 0, softIrq: 0, steal: 0 };
  const cores = new Map<number, CpuTimes>();
  for (const [index, { times }] of cpus.entries()) {
    const { user, nice, sys, idle, irq } = times;
    cores.set(index, { user, nice, system: sys, idle, ioWait: 0, irq, softIrq: 0, steal: 0 });
    all.user += user;
    all.nice += nice;
    all.system += sys;
    all.idle += idle;
    all.irq += irq;
  }
  return { all, cores };
}
