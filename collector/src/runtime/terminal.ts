import { fstatSync, statSync, writeSync } from 'node:fs';
import { orNull } from './or-null.ts';

/**
 * Standard output (1) and error (2) without `process.stdout`: touching that loads the runtime's streams, 0.9 MB of
 * private memory for as long as the collector runs.
 */
export function writeText(descriptor: 1 | 2, text: string, write: typeof writeSync = writeSync): void {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length;) {
    try {
      written += write(descriptor, bytes, written);
    } catch (error) {
      // EAGAIN: the pipe is full, and the stream can wait for it. Any other error: nobody reads it.
      if ((error as { code?: unknown }).code === 'EAGAIN') streamOf(descriptor).write(bytes.subarray(written));
      return;
    }
  }
}

const streamOf = (descriptor: 1 | 2): NodeJS.WriteStream => (descriptor === 1 ? process.stdout : process.stderr);

/** Returns true if a person reads the descriptor: a character device that is not /dev/null. */
export function isTerminal(descriptor: number): boolean {
  const found = orNull(() => fstatSync(descriptor));
  return found?.isCharacterDevice() === true && found.rdev !== orNull(() => statSync('/dev/null'))?.rdev;
}
