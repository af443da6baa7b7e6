import type { Disk } from '../runtime/disk.ts';

export interface MemoryDisk extends Disk {
  files: Map<string, Buffer>;
  /** Set to make the next writes fail, or the disk look full. */
  fault: { writes: boolean; freeBytes: number; freeShare: number };
}

/** A directory in memory with the faults a real one can have. */
export function memoryDisk(files: Map<string, Buffer> = new Map()): MemoryDisk {
  const fault = { writes: false, freeBytes: 1e12, freeShare: 0.5 };
  const read = (name: string): Buffer => {
    const bytes = files.get(name);
    if (!bytes) throw Object.assign(new Error(`ENOENT: ${name}`), { code: 'ENOENT' });
    return bytes;
  };
  const failing = (): void => {
    if (fault.writes) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  return {
    files,
    fault,
    list: () => [...files.keys()].toSorted(),
    read,
    readAt: (name, offset, length) => Buffer.from(read(name).subarray(offset, offset + length)),
    append: (name, bytes) => {
      const known = files.get(name) ?? Buffer.alloc(0);
      if (fault.writes) {
        // A full disk takes the first half of a write before it refuses.
        files.set(name, Buffer.concat([known, bytes.subarray(0, bytes.length >> 1)]));
        failing();
      }
      files.set(name, Buffer.concat([known, bytes]));
    },
    truncate: (name, length) => void files.set(name, read(name).subarray(0, length)),
    replace: (name, text) => {
      failing();
      files.set(name, Buffer.from(text));
    },
    remove: (name) => void files.delete(name),
    free: () => ({ bytes: fault.freeBytes, share: fault.freeShare }),
  };
}
