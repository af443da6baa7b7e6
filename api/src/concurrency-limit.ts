import { timerMs } from '@plimsoll/contract/rules/timer';
import { CodedError } from './errors.ts';

export interface ConcurrencyLimits {
  inFlight: number;
  /** Sum over all in flight. */
  bytes: number;
  /** Time that one more waits for a place before it is sent away. */
  waitMs: number;
}

/** Requests worked on at once. */
export const REQUESTS_IN_FLIGHT: ConcurrencyLimits = { inFlight: 64, bytes: Infinity, waitMs: 200 };
/**
 * Bytes of reports, inflated, that are held at once until they are stored. In memory they take four times as much. One
 * request may have 8 MiB; a batch of 60 full reports has 1.4.
 */
export const REPORTS_IN_MEMORY: ConcurrencyLimits = { inFlight: Infinity, bytes: 16 * 2 ** 20, waitMs: 200 };
/** Places of one account that sends metrics by another agent. Prometheus opens up to 50 connections at once. */
export const METRICS_OF_ACCOUNT: ConcurrencyLimits = { inFlight: 8, bytes: Infinity, waitMs: 1000 };
/** Half of what all may hold in memory. */
export const METRICS_MEMORY_OF_ACCOUNT: ConcurrencyLimits = { inFlight: Infinity, bytes: 8 * 2 ** 20, waitMs: 5000 };
/** Seconds, drawn at random so that those sent away do not come back together. */
const RETRY_AFTER = { least: 5, most: 30 } as const;

interface Waiting {
  bytes: number;
  take: () => void;
}

/** Keeps the work in progress, and so memory and database connections, bounded. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyLimits;
  readonly #random: () => number;
  #inFlight = 0;
  #bytes = 0;
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();

  constructor(limits: ConcurrencyLimits, random: () => number = Math.random) {
    this.#limits = limits;
    this.#random = random;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Returns true if nothing is worked on and nothing waits. */
  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.size === 0;
  }

  /**
   * Runs `work` when there is a place for it; throws `overloaded` when none comes free in time. `bytes` is the length of
   * what it holds. One that is larger than all may have together runs alone.
   */
  async run<T>(work: () => Promise<T>, bytes = 0): Promise<T> {
    if (this.#waiting.size > 0 || !this.#fits(bytes)) await this.#place(bytes);
    else this.#enter(bytes);
    try {
      return await work();
    } finally {
      this.#leave(bytes);
    }
  }

  #fits(bytes: number): boolean {
    if (this.#inFlight === 0) return true;
    return this.#inFlight < this.#limits.inFlight && this.#bytes + bytes <= this.#limits.bytes;
  }

  #enter(bytes: number): void {
    this.#inFlight += 1;
    this.#bytes += bytes;
  }

  /** Resolves when leaving ones hand their places over. */
  #place(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        bytes,
        take: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        reject(this.#overloaded());
        // It may have been in the way of smaller ones.
        this.#admit();
      }, timerMs(this.#limits.waitMs));
      this.#waiting.add(waiting);
    });
  }

  #leave(bytes: number): void {
    this.#inFlight -= 1;
    this.#bytes -= bytes;
    this.#admit();
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) return;
      this.#waiting.delete(waiting);
      this.#enter(waiting.bytes);
      waiting.take();
    }
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

/** Gives each sender a limit of its own, so that the flood of one does not take the places of the others. */
export class SenderLimits {
  readonly #limits: ConcurrencyLimits;
  readonly #ofSender = new Map<string, ConcurrencyLimit>();

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Senders with work in progress. */
  get senders(): number {
    return this.#ofSender.size;
  }

  async run<T>(sender: string, work: () => Promise<T>, bytes = 0): Promise<T> {
    const limit = this.#ofSender.get(sender) ?? new ConcurrencyLimit(this.#limits);
    this.#ofSender.set(sender, limit);
    try {
      return await limit.run(work, bytes);
    } finally {
      if (limit.isIdle) this.#ofSender.delete(sender);
    }
  }
}
