import { orNull } from '../../runtime/or-null.ts';
import type { Files } from '../../runtime/files.ts';

/** Sizes the kernel hands to every program (getauxval(3)); they differ between architectures. */
export interface KernelUnits {
  pageBytes: number;
  ticksPerSecond: number;
}

const AT_PAGESZ = 6;
const AT_CLKTCK = 17;
const ENTRY_BYTES = 16;

/** From /proc/self/auxv of a 64-bit little-endian kernel; the usual values where it cannot be read. */
export function kernelUnits(files: Files): KernelUnits {
  const units: KernelUnits = { pageBytes: 4096, ticksPerSecond: 100 };
  const bytes = orNull(() => files.bytes('proc/self/auxv')) ?? Buffer.alloc(0);
  for (let offset = 0; offset + ENTRY_BYTES <= bytes.length; offset += ENTRY_BYTES) {
    const type = Number(bytes.readBigUInt64LE(offset));
    const value = Number(bytes.readBigUInt64LE(offset + 8));
    if (type === AT_PAGESZ && value >= 1024) units.pageBytes = value;
    if (type === AT_CLKTCK && value > 0) units.ticksPerSecond = value;
  }
  return units;
}
