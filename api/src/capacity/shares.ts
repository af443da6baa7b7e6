import { HOURS_A_MONTH } from '@plimsoll/contract/rules/capacity-settings';
import type { Price } from './advice.ts';
import type { ClusterShares, ShareRow, StoredPod } from './types.ts';

/** Computes the share of each workload in a cluster. A pod holds what it requests, or what it uses where that is more. */

const MOST_ROWS = 200;
const GB = 2 ** 30;

/** Returns what the placed pods of each workload hold together, the largest first. */
export function sharesOf(pods: readonly StoredPod[]): ClusterShares {
  const placed = pods.filter(({ node }) => node !== null);
  const groups = Map.groupBy(placed, ({ namespace, kind, owner, name }) =>
    JSON.stringify([namespace, kind ?? 'Pod', owner ?? name]),
  );
  const rows = [...groups.values()].flatMap((members): ShareRow[] => {
    const [first] = members;
    if (first === undefined) return [];
    return [
      {
        namespace: first.namespace,
        kind: first.kind ?? 'Pod',
        name: first.owner ?? first.name,
        pods: members.length,
        cpuCores: members.reduce((sum, { cpu, usedCpu }) => sum + Math.max(cpu ?? 0, usedCpu ?? 0), 0),
        memoryBytes: members.reduce((sum, { memory, usedMemory }) => sum + Math.max(memory ?? 0, usedMemory ?? 0), 0),
      },
    ];
  });
  const total = (of: (row: ShareRow) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  return {
    // One core costs about as much as 8 GB.
    rows: rows.toSorted((a, b) => weightOf(b) - weightOf(a) || a.name.localeCompare(b.name)).slice(0, MOST_ROWS),
    workloads: rows.length,
    cpuCores: total(({ cpuCores }) => cpuCores),
    memoryBytes: total(({ memoryBytes }) => memoryBytes),
    unknownPods: placed.filter(
      ({ cpu, memory, usedCpu, usedMemory }) =>
        (cpu === null && usedCpu === null) || (memory === null && usedMemory === null),
    ).length,
  };
}

const weightOf = ({ cpuCores, memoryBytes }: Pick<ShareRow, 'cpuCores' | 'memoryBytes'>): number =>
  cpuCores * 8 + memoryBytes / GB;

interface Amount {
  cpuCores: number | null;
  memoryBytes: number | null;
}
/** Returns the price of an amount for a month; what is not known costs nothing. */
export const monthlyPrice = ({ cpuCores, memoryBytes }: Amount, { coreHour, gbHour }: Price): number =>
  ((cpuCores ?? 0) * coreHour + ((memoryBytes ?? 0) / GB) * gbHour) * HOURS_A_MONTH;

/** Returns what nobody holds; null where the nodes do not report what they can give. */
export function idleOf(
  allocatable: Amount,
  held: Pick<ClusterShares, 'cpuCores' | 'memoryBytes'>,
): { cpuCores: number; memoryBytes: number } | null {
  const { cpuCores, memoryBytes } = allocatable;
  if (cpuCores === null || memoryBytes === null) return null;
  return {
    cpuCores: Math.max(0, cpuCores - held.cpuCores),
    memoryBytes: Math.max(0, memoryBytes - held.memoryBytes),
  };
}
