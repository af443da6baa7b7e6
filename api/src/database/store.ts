import type { PoolClient } from 'pg';

/**
 * An open transaction. A port whose first parameter is one writes within the transaction of another noun; only adapters
 * have one to pass, and only adapters run statements on it.
 */
export type Transaction = PoolClient;

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/**
 * Actions of the jobs. Each is safe to repeat and to run on several replicas: one does the work, the others return
 * null.
 */
export interface Maintenance {
  /** Partitions for the days ahead; rows that had none move into theirs. Answers the names made. */
  makePartitions(now: number): Promise<string[] | null>;
  /** Removes what is older than its retention. Answers rows or partitions removed, by what they were. */
  prune(now: number): Promise<Record<string, number> | null>;
  /** Reports that were taken, never came and were not declared dropped within 26 h, over all servers. */
  countUnexplained(now: number): Promise<number>;
  /** Records that this API runs, so that a gap can be laid at its own door. */
  startRun(now: number, version: string): Promise<string>;
  /** Call every minute. `jobs`: how the last runs of each job of this process ended. */
  recordRun(id: string, now: number, jobs: readonly object[]): Promise<void>;
}

/** Rates that all replicas count together. */
export interface RateLimits {
  /**
   * Takes one try of a key. Returns null, or the milliseconds until there is one: a try each `spacingMs`, `burst` of them
   * at once.
   */
  take(key: Buffer, rate: { spacingMs: number; burst: number }, now: number): Promise<number | null>;
}
