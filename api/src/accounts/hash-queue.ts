import { timerMs } from '@plimsoll/contract/rules/timer';
import { CodedError } from '../errors.ts';

export interface HashQueueLimits {
  atOnce: number;
  /** Waiting at most, for remembered devices and for strangers each. */
  mostWaiting: number;
  waitMs: number;
}
/**
 * A hash takes about 90 ms: 16 waiting are served within a second. A slow machine takes 10 s, within a request's 15.
 */
const LIMITS: HashQueueLimits = { atOnce: 2, mostWaiting: 16, waitMs: 10_000 };
/** Seconds, drawn at random so that those refused do not come back together. */
const RETRY_AFTER = { least: 2, most: 6 } as const;

/**
 * Bounds password hashing, the only expensive work an anonymous caller can cause. Remembered devices are served first
 * and have places of their own, so a flood of strangers does not keep the owner out.
 */
export class HashQueue {
  readonly #limits: HashQueueLimits;
  readonly #random: () => number;
  #running = 0;
  readonly #trusted = new Set<() => void>();
  readonly #strangers = new Set<() => void>();

  constructor(limits: HashQueueLimits = LIMITS, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  /** Runs `work` when its turn comes. Throws `overloaded` if too many wait or the turn does not come in time. */
  async run<T>(work: () => Promise<T>, isTrusted: boolean): Promise<T> {
    if (this.#running >= this.#limits.atOnce) await this.#turn(isTrusted ? this.#trusted : this.#strangers);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Resolves when a finished hash hands its place over. */
  #turn(lane: Set<() => void>): Promise<void> {
    if (lane.size >= this.#limits.mostWaiting) return Promise.reject(this.#overloaded());
    return new Promise((resolve, reject) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        lane.delete(take);
        reject(this.#overloaded());
      }, timerMs(this.#limits.waitMs));
      lane.add(take);
    });
  }

  #leave(): void {
    for (const lane of [this.#trusted, this.#strangers]) {
      const [next] = lane;
      if (next === undefined) continue;
      lane.delete(next);
      next();
      return;
    }
    this.#running -= 1;
  }

  #overloaded(): CodedError {
    const seconds = RETRY_AFTER.least + Math.floor(this.#random() * (RETRY_AFTER.most - RETRY_AFTER.least + 1));
    return new CodedError('overloaded', 'Too many sign-ins are in progress', {
      remedy: `Try again in ${String(seconds)} s.`,
      retryAfterSeconds: seconds,
    });
  }
}
