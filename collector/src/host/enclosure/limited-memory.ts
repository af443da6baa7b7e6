import type { MemoryPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../../runtime/files.ts';
import type { Source, Taken } from '../../source.ts';
import { type ControlGroup, controlGroupOf, type SwapBytes } from './control-group.ts';
import { enclosureOf, isContainer } from './enclosure.ts';

/**
 * Returns the source of memory with the limit of this container, because /proc/meminfo is of the host unless lxcfs or
 * OpenVZ replaces it. The swap in that file is the host's too, and this container has what its control group allows.
 */
export function limitedMemory(files: Files, source: Source): Source {
  let group: ControlGroup | null | undefined;
  return {
    ...source,
    read: async (now): Promise<Taken> => {
      const taken = await source.read(now);
      group = group === undefined ? limitingGroup(files) : group;
      const { memory } = taken.part;
      if (group === null || memory === undefined) return taken;
      const swap = group.swap(memory.swap_total_bytes);
      const limited = shapeLimited(memory, group.memoryLimitBytes(), group.memoryUsedBytes(), swap);
      return { ...taken, part: { ...taken.part, memory: limited } };
    },
  };
}

function limitingGroup(files: Files): ControlGroup | null {
  const enclosure = enclosureOf(files);
  if (enclosure === null || !isContainer(enclosure) || enclosure.kind === 'openvz') return null;
  return enclosure.lxcfs.has('meminfo') ? null : controlGroupOf(files);
}

function shapeLimited(
  host: MemoryPart,
  limitBytes: number | null,
  usedBytes: number | null,
  swap: SwapBytes | null,
): MemoryPart {
  const withoutSwap = { ...host, swap_total_bytes: 0, swap_used_bytes: 0 };
  if (limitBytes === null || usedBytes === null || limitBytes >= host.total_bytes) return withoutSwap;
  const used = Math.min(limitBytes, usedBytes);
  return {
    total_bytes: limitBytes,
    used_bytes: used,
    available_bytes: limitBytes - used,
    swap_total_bytes: swap?.total ?? 0,
    swap_used_bytes: swap?.used ?? 0,
  };
}
