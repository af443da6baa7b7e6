import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A filesystem of its own in memory, so that filling it harms nothing else. */
export interface SmallDisk {
  folder: string;
  /** Writes until no byte is free. */
  fill(): void;
  /** Gives back what `fill` took. */
  empty(): void;
  remove(): void;
}

const PIECE = Buffer.alloc(2 ** 20);

export const missingSmallDisk = (): string | null =>
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'needs Linux and root, to mount a filesystem';

export function mountSmallDisk(mebibytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'));
  const options = `size=${String(mebibytes)}m,mode=0711`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: () => {
      const file = openSync(ballast, 'a');
      try {
        while (statfsSync(folder).bavail > 0) writeSync(file, PIECE);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}
