import type { Clock } from '../clock.ts';
import type { HiddenParts } from './store.ts';

/** A change that another process made counts after this. */
const MOST_AGE_MS = 30_000;
const NOTHING: ReadonlyMap<number, ReadonlySet<string>> = new Map();

/**
 * Keeps the hidden mount points of all servers in memory, so that a report costs no query for them: only few servers have
 * some. Until they are read, and while they cannot be, the last ones count, so no report waits or fails for them.
 */
export class HiddenMounts {
  readonly #parts: Pick<HiddenParts, 'mounts'>;
  readonly #clock: Clock;
  #mounts = NOTHING;
  #readAt: number | null = null;
  #reading: Promise<void> | null = null;

  constructor(parts: Pick<HiddenParts, 'mounts'>, clock: Clock) {
    this.#parts = parts;
    this.#clock = clock;
  }

  /** Returns the hidden mount points of a server; undefined: none. */
  async of(serverKey: number): Promise<ReadonlySet<string> | undefined> {
    const age = this.#readAt === null ? Infinity : Math.abs(this.#clock.now() - this.#readAt);
    if (age >= MOST_AGE_MS) {
      const reading = this.refresh();
      // Only the first report waits: later ones use what was read before.
      if (this.#readAt === null) await reading;
    }
    return this.#mounts.get(serverKey);
  }

  /** Reads them again. A failure keeps the last ones. */
  async refresh(): Promise<void> {
    this.#reading ??= this.#read();
    await this.#reading;
  }

  async #read(): Promise<void> {
    const startedAt = this.#clock.now();
    try {
      this.#mounts = await this.#parts.mounts();
    } catch {
      // The report's own statement fails too where the database is away, and its sender tries again.
    } finally {
      this.#readAt = startedAt;
      this.#reading = null;
    }
  }
}
