import type { DueSource, Reading, StoredReading } from './types.ts';

/** Times are epoch milliseconds. */

/**
 * Readings wait here until their report interval has ended. Requests of one server may reach several replicas, so they
 * meet in the database; a request is acknowledged when they are durable.
 */
export interface ExternalReadings {
  add(accountId: string, readings: readonly Reading[], now: number): Promise<void>;
  /** Returns true if an interval that began at this time or earlier waits for its report. */
  hasEnded(beganBefore: number): Promise<boolean>;
  /** Returns null without running the work while another replica runs it. */
  exclusively<T>(work: () => Promise<T>): Promise<T | null>;
  /**
   * Returns sources with an interval that began at `beganBefore` or earlier and of which nothing has come since
   * `quietSince`, those that wait longest first.
   */
  due(bounds: { beganBefore: number; quietSince: number; limit: number }): Promise<DueSource[]>;
  /** Removes these readings and keeps the last of them, for the counters of the next report. */
  settle(
    due: Pick<DueSource, 'accountId' | 'source'>,
    ids: readonly string[],
    last: Pick<StoredReading, 'intervalAt' | 'values'> | null,
    now: number,
  ): Promise<void>;
}
