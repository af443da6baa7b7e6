import { isDiskLayer, NETWORK_DISK, wholeDisks } from '@plimsoll/contract/rules/machines/disks';
import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import type { DiskPart } from '@plimsoll/contract/wire/report';
import { containerName } from '@plimsoll/contract/rules/machines/virtualization';
import type { Files } from '../runtime/files.ts';
import { enclosureOf, isContainer } from './enclosure/enclosure.ts';
import { ratePerSecond, sameRun } from './rate.ts';
import type { Moment, Source } from '../source.ts';

/** Counters since boot of one line of /proc/diskstats. */
export interface DiskCounters {
  reads: number;
  readBytes: number;
  writes: number;
  writeBytes: number;
  /** Milliseconds with at least one request in flight. */
  busyMs: number;
}
interface Before {
  up: number;
  disks: Map<string, DiskCounters>;
}

/** Sectors of /proc/diskstats are 512 bytes whatever the device (Documentation/admin-guide/iostats.rst). */
const SECTOR_BYTES = 512;
/** A way to an NVMe disk that may have several; with how the disk itself is called. */
const NVME_PATH = /^(nvme\d+)c\d+(n\d+)$/;

/**
 * Operations and bytes of each whole disk, as means since the read before. In a container the kernel counts what the whole
 * host does, so they are left out with the reason.
 */
export function diskIoSource(files: Files): Source {
  let before: Before | null = null;
  let foreign: string | null | undefined;
  return {
    name: 'disk-io',
    read: async (now: Moment) => {
      const text = files.text('proc/diskstats');
      foreign = foreign === undefined ? foreignDisks(files) : foreign;
      if (foreign !== null) return { part: {}, note: foreign };
      const whole = new Set(files.list('sys/block'));
      const disks = parseDiskstats(text, whole);
      const part = shapeDisks(before, disks, now.up);
      before = { up: now.up, disks };
      return { part: { disks: part } };
    },
  };
}

/** Returns the reason why the disks are not this machine's; null when they are. */
function foreignDisks(files: Files): string | null {
  const enclosure = enclosureOf(files);
  // lxcfs and OpenVZ show a container its own operations. The agent of a node runs in a pod, and the node has the disks.
  if (enclosure === null || !isContainer(enclosure) || enclosure.lxcfs.has('diskstats')) return null;
  if (enclosure.kind === 'openvz' || enclosure.kind === 'kubernetes') return null;
  return `The disks are those of the host, not of this ${containerName(enclosure.kind) ?? 'container'}`;
}

/** `whole`: names of whole disks, empty when unknown. */
export function parseDiskstats(text: string, whole: ReadonlySet<string>): Map<string, DiskCounters> {
  const disks = new Map<string, DiskCounters>();
  const networkDisks = new Map<string, DiskCounters>();
  for (const line of text.split('\n')) {
    const [, , name, ...fields] = line.trim().split(/\s+/);
    if (name === undefined) continue;
    const isNetworkDisk = NETWORK_DISK.test(name);
    if (isDiskLayer(name) && !isNetworkDisk) continue;
    if (whole.size > 0 && !whole.has(name.replaceAll('/', '!'))) continue;
    const [reads, , readSectors, , writes, , writeSectors, , , busyMs] = fields.map(Number);
    if (reads === undefined || readSectors === undefined || writes === undefined) continue;
    if (writeSectors === undefined || busyMs === undefined) continue;
    (isNetworkDisk ? networkDisks : disks).set(name, {
      reads,
      readBytes: readSectors * SECTOR_BYTES,
      writes,
      writeBytes: writeSectors * SECTOR_BYTES,
      busyMs,
    });
  }
  if (disks.size === 0) return withoutUnused(networkDisks);
  return withoutPaths(whole.size > 0 ? disks : withoutPartitions(disks));
}

/** The driver makes sixteen network disks in advance, and most of them stay unused. */
const withoutUnused = (disks: ReadonlyMap<string, DiskCounters>): Map<string, DiskCounters> =>
  new Map([...disks].filter(([, { reads, writes }]) => reads + writes > 0));

function withoutPartitions(disks: ReadonlyMap<string, DiskCounters>): Map<string, DiskCounters> {
  const whole = new Set(wholeDisks([...disks.keys()]));
  return new Map([...disks].filter(([name]) => whole.has(name)));
}

/** Linux counts what goes to such an NVMe disk for its paths alone, and since 6.4 for the disk as well: once is enough. */
function withoutPaths(disks: Map<string, DiskCounters>): Map<string, DiskCounters> {
  for (const name of disks.keys()) {
    const [, controller, namespace] = NVME_PATH.exec(name) ?? [];
    const head = `${controller ?? ''}${namespace ?? ''}`;
    const counted = disks.get(head);
    if (counted) disks.delete(counted.reads + counted.writes > 0 ? name : head);
  }
  return disks;
}

export function shapeDisks(before: Before | null, disks: Map<string, DiskCounters>, up: number): DiskPart[] {
  const window = before ? up - before.up : null;
  return [...disks].map(([device, now]) => {
    const then = sameRun(before?.disks.get(device), now, ['reads', 'writes', 'readBytes', 'writeBytes']);
    const rate = (key: keyof DiskCounters): number | null => ratePerSecond(then?.[key], now[key], window);
    return {
      device,
      read_operations_per_second: rate('reads'),
      write_operations_per_second: rate('writes'),
      read_bytes_per_second: rate('readBytes'),
      write_bytes_per_second: rate('writeBytes'),
      busy_percent: boundedPercentOf(rate('busyMs'), 1000),
    };
  });
}
