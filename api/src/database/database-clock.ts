import type { Clock } from '../clock.ts';

/** A difference that a person should correct, in milliseconds. Smaller ones are usual between machines. */
const WORTH_A_WARNING_MS = 2000;

/**
 * The clock of PostgreSQL, which all replicas share. With clocks of their own, a replica that is five minutes off stores
 * samples in the future, and alerts of samples that then look late are lost.
 */
export class DatabaseClock implements Clock {
  readonly #local: Clock;
  #offsetMs = 0;

  constructor(local: Clock) {
    this.#local = local;
  }

  now(): number {
    return Math.round(this.#local.now() + this.#offsetMs);
  }

  /** The lag of the clock of this machine behind that of PostgreSQL, in milliseconds. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Returns true if the clock of this machine is far off. `readTime` returns PostgreSQL's time, epoch milliseconds. */
  async sync(readTime: () => Promise<number>): Promise<boolean> {
    const begun = performance.now();
    const read = await readTime();
    const tookMs = performance.now() - begun;
    // PostgreSQL read its clock somewhere between question and answer. Within this doubt nothing is corrected.
    const [earliest, latest] = [read, read + tookMs].map((time) => time - this.#local.now()) as [number, number];
    this.#offsetMs = Math.min(latest, Math.max(earliest, this.#offsetMs));
    return Math.abs(this.#offsetMs) >= WORTH_A_WARNING_MS;
  }
}
