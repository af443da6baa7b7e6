import type { Clock } from '../../clock.ts';
import { StoreUnavailable } from './types.ts';

/** Failures in a row after which the store is left alone. */
const MOST_FAILURES = 2;
/** Then one request in so many milliseconds finds out whether it answers again. */
const PAUSE_MS = 30_000;

/**
 * Keeps readers from waiting for a store that does not answer: they are refused at once until one of them has found it
 * well again.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  #failures = 0;
  #askAgainAt = 0;
  #lastError = '';

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    const now = this.#clock.now();
    if (this.#failures >= MOST_FAILURES) {
      if (now < this.#askAgainAt) throw new StoreUnavailable(this.#lastError);
      // This one asks; the others are refused meanwhile.
      this.#askAgainAt = now + PAUSE_MS;
    }
    try {
      const answer = await read();
      this.#failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof StoreUnavailable) {
        this.#failures += 1;
        this.#lastError = error.message;
        this.#askAgainAt = this.#clock.now() + PAUSE_MS;
      }
      throw error;
    }
  }
}
