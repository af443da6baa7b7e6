import type { Clock } from '../clock.ts';

/** Clones are rare and stay clones for long, so every report need not look for them. */
const FRESH_MS = 60_000;

/** Names of the servers that share a machine id, read once a minute for all collectors of this process. */
export class SharedMachineIds {
  readonly #read: () => Promise<Map<number, string[]>>;
  readonly #clock: Clock;
  #names: Promise<Map<number, string[]>> | null = null;
  #readAt = 0;

  constructor(read: () => Promise<Map<number, string[]>>, clock: Clock) {
    this.#read = read;
    this.#clock = clock;
  }

  /** Returns the names of the other servers with the machine id of this one; empty where they cannot be read. */
  async of(serverKey: number): Promise<string[]> {
    const now = this.#clock.now();
    if (this.#names === null || now - this.#readAt >= FRESH_MS) {
      this.#readAt = now;
      // A report is stored by now: it must not fail for a note.
      this.#names = this.#read().catch(() => new Map<number, string[]>());
    }
    return (await this.#names).get(serverKey) ?? [];
  }
}
