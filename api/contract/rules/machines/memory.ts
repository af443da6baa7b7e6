import type { MemoryPart } from '../../wire/report.ts';

/**
 * How much memory is in use, by the figures that each operating system has. The agents map their names to these, in
 * bytes; absent: the agent does not send it.
 */
export interface MemoryFigures {
  total?: number | null;
  /** MemAvailable of Linux: free, and what the kernel gives back without swapping. */
  available?: number | null;
  /** Linux, and the states of OpenTelemetry. */
  free?: number | null;
  buffers?: number | null;
  cached?: number | null;
  /** Shmem of Linux: it is part of `cached`, but cannot be given back. */
  shared?: number | null;
  /** SReclaimable of Linux: the kernel's own caches of files and folders, which are not part of `cached`. */
  reclaimable?: number | null;
  /** OpenTelemetry computes it; on Linux it holds neither buffers nor cache. */
  used?: number | null;
  /** OpenTelemetry, where it is enabled: `used` as a part of the total, 0–1. */
  usedShare?: number | null;
  /** OpenTelemetry on macOS and the BSDs: given back at need. */
  inactive?: number | null;
  /** macOS and the BSDs. */
  active?: number | null;
  wired?: number | null;
  /** macOS: pages that hold compressed ones. */
  compressed?: number | null;
  /** Cache of ZFS, and the size that it keeps (c_min). */
  arc?: number | null;
  arcMinimum?: number | null;
  /** Huge pages of Linux that no process has or was promised. */
  hugePagesFree?: number | null;
}

export interface MemoryUse extends Pick<MemoryPart, 'total_bytes' | 'available_bytes' | 'used_bytes'> {
  /** The system has no figure of what is available. */
  isEstimated: boolean;
}

/** Returns the use of memory. Null: the figures do not suffice. */
export function memoryUse(figures: MemoryFigures): MemoryUse | null {
  const { used, free, buffers, cached, inactive } = figures;
  const states = [used, free, buffers, cached, inactive].reduce<number>((sum, state) => sum + (state ?? 0), 0);
  // Newer agents of OpenTelemetry send "used" and "available" in place of the other states, or states that overlap.
  const total =
    figures.total ??
    totalOf(used, figures.usedShare) ??
    (used == null ? null : Math.max(states, used + (figures.available ?? 0)));
  if (total === null || total <= 0) return null;
  const left = availableOf(figures, total);
  if (left === null) return null;
  const available = Math.min(total, Math.max(0, left + givenBackByZfs(figures, total - left)));
  return {
    total_bytes: total,
    available_bytes: available,
    used_bytes: total - available - Math.min(figures.hugePagesFree ?? 0, total - available),
    isEstimated: figures.available == null,
  };
}

const totalOf = (used: number | null | undefined, share: number | null | undefined): number | null =>
  used == null || share == null || share <= 0 || share > 1 ? null : used / share;

function availableOf(figures: MemoryFigures, total: number): number | null {
  const { available, active, wired, used, free } = figures;
  if (available != null) return available;
  if (active != null && wired != null) return total - active - wired - (figures.compressed ?? 0);
  if (used != null) return total - used;
  if (free == null) return null;
  return free + (figures.buffers ?? 0) + (figures.cached ?? 0) + (figures.reclaimable ?? 0) - (figures.shared ?? 0);
}

/**
 * Returns what the cache of ZFS gives back when programs need memory. No kernel counts it as available; on FreeBSD it is
 * wired memory. A cache larger than all used memory is that of the host, which a container of LXC sees.
 */
const givenBackByZfs = ({ arc, arcMinimum }: MemoryFigures, used: number): number =>
  arc == null || arcMinimum == null || arc > used ? 0 : Math.max(0, arc - arcMinimum);
