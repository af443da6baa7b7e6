import { timerMs } from '@plimsoll/contract/rules/timer';
import { statfs } from 'node:fs';

/** Figures of statfs(2) for the filesystem of a path. */
export interface Space {
  sizeBytes: number;
  freeBytes: number;
  /** Free for a user without privileges. */
  availableBytes: number;
  inodes: number;
  inodesFree: number;
}
export type StatSpace = (path: string) => Promise<Space>;

/** A healthy filesystem answers within microseconds. */
const ANSWER_MS = 2000;

/**
 * statfs that does not wait for a dead mount: the call runs on a thread and is given up after two seconds. While the old
 * call hangs, the same path is not read again, because each call would hold one of four threads.
 */
export function spaceReader(answerMs: number = ANSWER_MS): StatSpace {
  const hanging = new Set<string>();
  return (path) =>
    new Promise((resolve, reject) => {
      if (hanging.has(path)) {
        reject(new Error('mount does not answer'));
        return;
      }
      hanging.add(path);
      const timer = setTimeout(
        () => reject(new Error(`mount does not answer within ${answerMs} ms`)),
        timerMs(answerMs),
      );
      statfs(path, (error, found) => {
        hanging.delete(path);
        clearTimeout(timer);
        if (error) {
          reject(error);
          return;
        }
        // Older runtimes lack frsize; on local filesystems it equals bsize.
        const unit = (found as { frsize?: number }).frsize ?? found.bsize;
        resolve({
          sizeBytes: found.blocks * unit,
          freeBytes: found.bfree * unit,
          availableBytes: found.bavail * unit,
          inodes: found.files,
          inodesFree: found.ffree,
        });
      });
    });
}
