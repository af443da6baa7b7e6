import type { Exec } from '../runtime/exec.ts';
import type { Moment, Source } from '../source.ts';
import { type DiskCounters, shapeDisks } from './disk-io.ts';

const ARGUMENTS = ['-r', '-c', 'IOBlockStorageDriver', '-l', '-w', '0'];

/** Operations and bytes of each whole disk. macOS tells no share of busy time. */
export function diskIoSourceDarwin(exec: Exec): Source {
  let before: { up: number; disks: Map<string, DiskCounters> } | null = null;
  return {
    name: 'disk-io',
    read: async (now: Moment) => {
      const disks = parseIoreg(await exec('ioreg', ARGUMENTS));
      const part = shapeDisks(before, disks, now.up).map((disk) => ({ ...disk, busy_percent: null }));
      before = { up: now.up, disks };
      return { part: { disks: part } };
    },
  };
}

/** The driver's statistics come before the name of its whole disk, which is the first media below it. */
export function parseIoreg(text: string): Map<string, DiskCounters> {
  const disks = new Map<string, DiskCounters>();
  let pending: DiskCounters | null = null;
  for (const line of text.split('\n')) {
    if (line.includes('"Statistics" =')) pending = parseStatistics(line) ?? pending;
    const name = /"BSD Name" = "(disk\d+)"/.exec(line)?.[1];
    if (name !== undefined && pending) {
      disks.set(name, pending);
      pending = null;
    }
  }
  return disks;
}

function parseStatistics(line: string): DiskCounters | null {
  const figure = (name: string): number | null => {
    const at = line.indexOf(`"${name}"=`);
    return at === -1 ? null : Number.parseInt(line.slice(at + name.length + 3), 10);
  };
  const [reads, writes] = [figure('Operations (Read)'), figure('Operations (Write)')];
  const [readBytes, writeBytes] = [figure('Bytes (Read)'), figure('Bytes (Write)')];
  if (reads === null || writes === null || readBytes === null || writeBytes === null) return null;
  return { reads, writes, readBytes, writeBytes, busyMs: 0 };
}
