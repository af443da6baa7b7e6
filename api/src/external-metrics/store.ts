import type { ReadingsPiece } from './readings-piece.ts';
import type { DueSource, KnownMachine } from './types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Times are epoch milliseconds. */

/**
 * Readings wait here until their report interval has ended. Requests of one server may reach several replicas, so they
 * meet in the database; a request is acknowledged when they are durable.
 */
export interface ExternalReadings {
  /**
   * Stores the pieces one after the other. Returns how many samples it left out, because the requests of an interval
   * have too many of one server. Throws `overloaded` if the database takes too long.
   */
  add(organisationId: OrganisationId, pieces: readonly ReadingsPiece[], now: number): Promise<number>;
  /** Returns true if an interval that began at this time or earlier waits for its report. */
  hasEnded(beganBefore: number): Promise<boolean>;
  /** Returns null without running the work while another replica runs it. */
  exclusively<T>(work: () => Promise<T>): Promise<T | null>;
  /**
   * Returns sources whose interval began at `beganBefore` or earlier and which have sent nothing since
   * `quietSince`: of each account those that wait longest, the accounts in turn. Ends after `characters` of figures, in
   * the middle of a source if need be.
   */
  due(bounds: { beganBefore: number; quietSince: number; limit: number; characters: number }): Promise<DueSource[]>;
  /** Removes these readings and keeps the machines of the source, with the last figures of each. */
  settle(
    due: Pick<DueSource, 'organisationId' | 'source'>,
    ids: readonly string[],
    machines: readonly KnownMachine[],
    now: number,
  ): Promise<void>;
}
