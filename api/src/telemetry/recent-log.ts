import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The file and the one before it hold this much each. A disk that is nearly full must not be filled by its log. */
const FILE_BYTES = 1_048_576;
/** Lines kept while the data folder does not exist yet. */
const MOST_WAITING = 200;

const fileOf = (dataDir: string): string => join(dataDir, 'api.log');
const olderOf = (dataDir: string): string => `${fileOf(dataDir)}.1`;

/**
 * Keeps the last lines of the log in the data folder, for the support bundle: standard error of a process that ended is
 * gone on many machines. Each line is written at once, so that the last one before a crash is there. A line that cannot
 * be written is dropped, because the log must never stop the API.
 */
export class RecentLog {
  readonly #dataDir: string;
  #descriptor: number | null = null;
  #bytes = 0;
  #waiting: string[] = [];

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  /** Takes a finished line, without secrets. */
  write(line: string): void {
    try {
      if (this.#bytes >= FILE_BYTES) this.#turn();
      const descriptor = (this.#descriptor ??= this.#open());
      const text = this.#waiting.join('') + line;
      this.#waiting = [];
      this.#bytes += writeSync(descriptor, text);
    } catch {
      if (this.#descriptor === null && this.#waiting.length < MOST_WAITING) this.#waiting.push(line);
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #open(): number {
    const descriptor = openSync(fileOf(this.#dataDir), 'a', 0o600);
    this.#bytes = fstatSync(descriptor).size;
    return descriptor;
  }

  #turn(): void {
    this.close();
    this.#bytes = 0;
    renameSync(fileOf(this.#dataDir), olderOf(this.#dataDir));
  }
}

/** Returns the last `count` lines, oldest first. An API that never ran there has none. */
export function readRecentLog(dataDir: string, count: number): string[] {
  const files = [olderOf(dataDir), fileOf(dataDir)].filter((file) => existsSync(file));
  return files
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line !== '')
    .slice(-count);
}
