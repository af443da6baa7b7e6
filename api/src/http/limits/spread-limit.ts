import { tooMany } from './too-many.ts';

interface Bucket {
  tokens: number;
  at: number;
  /** The last time that a refused caller was given, epoch milliseconds. */
  lastSlot: number;
}
/** Callers who are refused wait at most this long. */
const LONGEST_WAIT_MS = 600_000;
const MAX_KEYS = 10_000;

/**
 * Token bucket per key that gives each refused caller a time of its own, so that a fleet which calls at once does not call
 * at once again. Only keys that proved good have a bucket, so that a stranger cannot make buckets.
 */
export class SpreadLimit {
  readonly #perMs: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor({ perSecond, burst }: { perSecond: number; burst: number }) {
    if (!(perSecond > 0) || !(burst >= 1)) throw new RangeError('rate and burst must be positive');
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
  }

  isProven(key: string): boolean {
    return this.#buckets.has(key);
  }

  /** Notes that a key is good. Past a bound the oldest are forgotten. */
  prove(key: string, now: number): void {
    if (this.#buckets.has(key)) return;
    this.#buckets.set(key, { tokens: this.#burst, at: now, lastSlot: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MAX_KEYS && oldest !== undefined) this.#buckets.delete(oldest);
  }

  /** Throws `too_many_requests` with Retry-After: the time in the queue of those who were refused. */
  require(key: string, now: number): void {
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) return;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, now - bucket.at) * this.#perMs);
    bucket.at = now;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return;
    }
    const first = now + (1 - bucket.tokens) / this.#perMs;
    const next = Math.max(first, bucket.lastSlot + 1 / this.#perMs);
    // A queue that is full begins anew: whoever waits longest may share a time with another.
    bucket.lastSlot = next - now > LONGEST_WAIT_MS ? first : next;
    throw tooMany((bucket.lastSlot - now) / 1000);
  }
}
