import { CodedError } from './errors.ts';

/** Requests worked on at once, and how long one more waits for a place before it is sent away. */
const DEFAULT_LIMITS = { inFlight: 64, waitMs: 200 } as const;
/** Seconds, drawn at random so that those sent away do not come back together. */
const RETRY_AFTER = { least: 5, most: 30 } as const;

/** Keeps the work in progress, and so memory and database connections, bounded. */
export class ConcurrencyLimit {
  readonly #limits: { inFlight: number; waitMs: number };
  readonly #random: () => number;
  #inFlight = 0;
  readonly #waiting = new Set<() => void>();

  constructor(limits: { inFlight: number; waitMs: number } = DEFAULT_LIMITS, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Runs `work` when there is a place; throws `overloaded` when none comes free in time. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= this.#limits.inFlight) await this.#place();
    else this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Resolves when a leaving one hands its place over. */
  #place(): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        reject(this.#overloaded());
      }, this.#limits.waitMs);
      this.#waiting.add(take);
    });
  }

  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#inFlight -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #overloaded(): CodedError {
    const retryAfterSeconds =
      RETRY_AFTER.least + Math.floor(this.#random() * (RETRY_AFTER.most - RETRY_AFTER.least + 1));
    return new CodedError('overloaded', 'The server has too many reports in progress', {
      remedy: `Keep them and try again in ${String(retryAfterSeconds)} s.`,
      retryAfterSeconds,
    });
  }
}
