import { countedMounts, mergeFilesystems, type Mount } from '@plimsoll/contract/rules/machines/filesystems';
import { cutList, REPORT_LISTS } from '@plimsoll/contract/rules/report-lists';
import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import type { Figures } from '../figures.ts';

/** Returns the filesystems that can fill, by the rules that the collector has. Undefined: none was sent. */
export function shapeFilesystems(figures: Figures): FilesystemPart[] | undefined {
  const mounts = new Map<string, Mount>();
  const parts = new Map<string, FilesystemPart>();
  const modes = modesOf(figures);
  for (const [device = '', mount = '', type = ''] of figures.labelsOf('filesystem')) {
    const key = figureKey('', device, mount, type);
    if (mounts.has(key)) continue;
    const part = filesystemOf(figures, { device, mount, type });
    const isReadOnly = isReadOnlyOf(figures, { device, mount, type }) ?? modes.get(key);
    mounts.set(key, { device, mount, type, ...(isReadOnly === undefined ? {} : { isReadOnly }) });
    if (part !== null) parts.set(key, part);
  }
  const measured = [...mounts].flatMap(([key, mount]) => (parts.has(key) ? [mount] : []));
  const filesystems = mergeFilesystems(
    countedMounts(measured).flatMap(({ device, mount, type }) => parts.get(figureKey('', device, mount, type)) ?? []),
  );
  return filesystems.length === 0 ? undefined : [...cutList(REPORT_LISTS.filesystems, filesystems).entries];
}

/** Null: the agent does not send a figure of it. */
function isReadOnlyOf(figures: Figures, { device, mount, type }: Mount): boolean | null {
  const value = figures.value(figureKey('filesystem', device, mount, type, 'read-only'));
  return value === null ? null : value > 0;
}

/** OpenTelemetry has "ro" or "rw" as an attribute of each point. The newest one holds. */
function modesOf(figures: Figures): Map<string, boolean> {
  const modes = new Map<string, boolean>();
  for (const [device = '', mount = '', type = '', mode = ''] of figures.labelsOf('filesystem-mode')) {
    const key = figureKey('', device, mount, type);
    if (!modes.has(key)) modes.set(key, mode.toLowerCase() === 'ro');
  }
  return modes;
}

function filesystemOf(figures: Figures, { device, mount, type }: Mount): FilesystemPart | null {
  const of = (what: string): number | null => figures.value(figureKey('filesystem', device, mount, type, what));
  const used = of('used');
  const size = of('size') ?? (used === null ? null : used + (of('free') ?? 0) + (of('reserved') ?? 0));
  const free = of('free');
  if (size === null || free === null || size <= 0) return null;
  const inodes = of('inodes') ?? (of('inodes-used') ?? 0) + (of('inodes-free') ?? 0);
  const inodesFree = of('inodes-free');
  return {
    device,
    mount,
    type,
    size_bytes: whole(size),
    used_bytes: whole(used ?? size - free),
    available_bytes: whole(of('available') ?? free),
    // btrfs and some others have no fixed number of inodes: 0 there means "no such figure".
    inodes_total: inodes > 0 ? whole(inodes) : null,
    inodes_used: inodes > 0 && inodesFree !== null ? whole(inodes - inodesFree) : null,
  };
}

const whole = (value: number): number => Math.round(Math.max(0, value));
