import { headroomOf } from '@plimsoll/contract/rules/headroom';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { LoadLines } from '@plimsoll/contract/wire/servers';

/** Finds room for a load on machines that no scheduler manages. */

export interface ServerLoad {
  cores: number | null;
  memoryTotalBytes: number | null;
  cpuPercent: number | null;
  memoryPercent: number | null;
  diskPercent: number | null;
  /** Its figures are of now. */
  isActive: boolean;
  lines: LoadLines;
}
export interface WantedSize {
  cores: number;
  memoryBytes: number;
}
export interface Placing {
  cpuPercentAfter: number | null;
  memoryPercentAfter: number | null;
  headroom: number | null;
  headroomAfter: number | null;
  /** True: every load line holds afterwards. Null: not known, for `reason`. */
  fits: boolean | null;
  reason: string | null;
}

/** Returns the headroom of a server before and after it takes a load. The load uses its whole request. */
export function placeOnServer(server: ServerLoad, { cores, memoryBytes }: WantedSize): Placing {
  const { cpuPercent, memoryPercent, diskPercent: disk, lines } = server;
  const added = (percent: number | null, share: number | null): number | null =>
    percent === null || share === null ? null : percent + share;
  const cpuAfter = added(cpuPercent, percentOf(cores, server.cores));
  const memoryAfter = added(memoryPercent, percentOf(memoryBytes, server.memoryTotalBytes));
  const reason = unknownReason(server, cpuAfter, memoryAfter);
  const before = headroomOf(lines, { cpu: cpuPercent, memory: memoryPercent, disk });
  const after = reason === null ? headroomOf(lines, { cpu: cpuAfter, memory: memoryAfter, disk }) : null;
  return {
    cpuPercentAfter: reason === null ? cpuAfter : null,
    memoryPercentAfter: reason === null ? memoryAfter : null,
    headroom: before?.points ?? null,
    headroomAfter: after?.points ?? null,
    fits: after === null ? null : after.points > 0,
    reason,
  };
}

function unknownReason(server: ServerLoad, cpuAfter: number | null, memoryAfter: number | null): string | null {
  if (!server.isActive) return 'It does not report now.';
  if (cpuAfter === null)
    return server.cores === null ? 'Its number of cores is not known.' : 'Its CPU usage is not known.';
  if (memoryAfter === null) return 'Its memory is not known.';
  return null;
}

/** Orders servers: those with most headroom afterwards first, the unknown last. */
export const byRoom = (a: Pick<Placing, 'headroomAfter'>, b: Pick<Placing, 'headroomAfter'>): number =>
  (b.headroomAfter ?? Number.NEGATIVE_INFINITY) - (a.headroomAfter ?? Number.NEGATIVE_INFINITY) || 0;
