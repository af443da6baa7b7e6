import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { Report } from '@plimsoll/contract/wire/report';

/** Figures of a host that are taken from all its filesystems, disks or interfaces. */

/** Returns null for a part larger than its whole: a reading gone wrong, not millions of per cent. */
export const share = (part: number, whole: number): number | null => (part <= whole ? percentOf(part, whole) : null);
/** Returns the sum of the known values; null when none is known. */
export const sum = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};
/** Returns the highest known value; null when none is known. */
export const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((top, value) => (value === null || (top !== null && top >= value) ? top : value), null);

type Filesystems = NonNullable<Report['filesystems']>;
/** Returns one filesystem of each device, and no dataset whose pool is among them: its pool counts it. */
export const distinctDevices = (filesystems: Filesystems): Filesystems => {
  const byDevice = new Map(filesystems.map((filesystem) => [filesystem.device, filesystem]));
  return [...byDevice.values()].filter(({ part_of: pool }) => pool === undefined || !byDevice.has(pool));
};
/** Returns the size of all filesystems, bytes. */
export const storageTotalOf = ({ filesystems }: Report): number | null =>
  filesystems ? sum(distinctDevices(filesystems).map((filesystem) => filesystem.size_bytes)) : null;

/** Returns the rate of all disks; null when none is known. */
export const sumOfDisks = (report: Report, rate: 'read_operations_per_second' | 'write_operations_per_second') =>
  sum((report.disks ?? []).map((disk) => disk[rate]));
/** Returns the rate of all interfaces; null when none is known. */
export const sumOfInterfaces = (report: Report, rate: 'receive_bytes_per_second' | 'transmit_bytes_per_second') =>
  sum((report.interfaces ?? []).map((one) => one[rate]));
