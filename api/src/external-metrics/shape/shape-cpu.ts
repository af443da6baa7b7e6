import { cpuKind, cpuTimeGrowth, type CpuKind } from '@plimsoll/contract/rules/machines/cpu-modes';
import { operatingSystemOf } from '@plimsoll/contract/rules/machines/interfaces';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { CpuPart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import type { Figures } from '../figures.ts';

type Shares = Record<'busy' | 'ioWait' | 'steal' | 'user' | 'system', number | null>;

/** OpenTelemetry may send the sum of all CPUs, without a number. */
export const ALL_CPUS = 'all';

/** By number, the sum of all only where nothing else is known. */
export function cpusOf(figures: Figures): string[] {
  const labels = [...figures.labelsOf('cpu'), ...figures.labelsOf('cpu-share')];
  const cpus = [...new Set(labels.map(([cpu = '']) => cpu))].toSorted(
    (a, b) => Number(a) - Number(b) || (a < b ? -1 : 1),
  );
  const single = cpus.filter((cpu) => cpu !== ALL_CPUS);
  return single.length > 0 ? single : cpus;
}

export function shapeCpu(figures: Figures): CpuPart | undefined {
  const cpus = cpusOf(figures);
  if (cpus.length === 0) return undefined;
  const modes = modesOf(figures, cpus);
  const shares = cpuShares(figures, cpus, modes);
  return {
    percent: shares.busy,
    io_wait_percent: shares.ioWait,
    steal_percent: shares.steal,
    user_percent: shares.user,
    system_percent: shares.system,
    per_core_percent:
      cpus.length > REPORT_LIMITS.cpus || cpus[0] === ALL_CPUS
        ? []
        : cpus.map((cpu) => cpuShares(figures, [cpu], modes).busy),
  };
}

/**
 * Returns the names of the modes that an agent sends of every CPU: each system has names of its own. A mode of some CPUs
 * only has no sum, and leaving it out keeps the work within the number of values.
 */
function modesOf(figures: Figures, cpus: readonly string[]): string[] {
  const cpusByMode = new Map<string, Set<string>>();
  for (const [cpu = '', mode = ''] of [...figures.labelsOf('cpu'), ...figures.labelsOf('cpu-share')])
    cpusByMode.set(mode, (cpusByMode.get(mode) ?? new Set()).add(cpu));
  return [...cpusByMode].filter(([, having]) => cpus.every((cpu) => having.has(cpu))).map(([mode]) => mode);
}

/** Without these the other shares still hold. */
const DISPENSABLE: ReadonlySet<CpuKind> = new Set(['io-wait', 'steal', 'inside']);

/**
 * Without IO wait or steal the rest still holds: the kernel lets iowait fall back now and then (proc(5)), and steal jumps
 * when a virtual machine moves to another host.
 */
function cpuShares(figures: Figures, cpus: readonly string[], modes: readonly string[]): Shares {
  const [, kernel = ''] = figures.labelsOf('uname')[0] ?? [];
  const agentSystem = operatingSystemOf(kernel);
  const kindOf = (mode: string): CpuKind => cpuKind(mode, agentSystem);
  const needed = modes.filter((mode) => !DISPENSABLE.has(kindOf(mode)));
  const amountOf = (cpu: string, mode: string): number | null => timeOf(figures, cpu, mode, kindOf(mode));
  // A CPU that was added, or whose counters began anew, has no share of the time that passed: the others have.
  const measured = cpus.filter((cpu) => needed.every((mode) => amountOf(cpu, mode) !== null));
  const grown = (mode: string): number | null =>
    measured.length === 0
      ? null
      : measured.reduce<number | null>((sum, cpu) => {
          const amount = amountOf(cpu, mode);
          return sum === null || amount === null ? null : sum + amount;
        }, 0);
  const byKind = Map.groupBy(modes, kindOf);
  /** Null: no mode of this kind has grown. */
  const together = (kind: CpuKind): number | null => {
    const known = (byKind.get(kind) ?? []).map(grown).filter((amount) => amount !== null);
    return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
  };
  const [user, system, steal] = [together('user'), together('system'), together('steal')];
  const [idle, ioWait] = [together('idle'), together('io-wait')];
  const busy = (user ?? 0) + (system ?? 0) + (steal ?? 0);
  const total = idle === null ? null : busy + idle + (ioWait ?? 0);
  const share = (amount: number | null): number | null => boundedPercentOf(amount, total);
  return { busy: share(busy), ioWait: share(ioWait), steal: share(steal), user: share(user), system: share(system) };
}

/** Seconds that a CPU spent in a mode, or its share of the time. Null: unknown. */
function timeOf(figures: Figures, cpu: string, mode: string, kind: CpuKind): number | null {
  const changed = figures.changed(figureKey('cpu', cpu, mode));
  if (changed === null) return figures.value(figureKey('cpu-share', cpu, mode));
  if (kind === 'io-wait' && changed.amount < 0) return null;
  // The sum of all CPUs may grow by more than the time that passed.
  const possibleSeconds = kind === 'steal' && cpu !== ALL_CPUS ? changed.seconds : null;
  return cpuTimeGrowth(changed.amount, { unitsPerSecond: 1, possibleSeconds });
}
