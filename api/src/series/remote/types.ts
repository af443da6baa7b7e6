/** Times are epoch milliseconds. */

/**
 * Why an hour is not known to be whole in the store. late: samples arrived after its verification. missing: the store
 * lacked samples, and they were sent again. refused: the store refuses samples. lost: PostgreSQL has the samples no
 * longer.
 */
type HourReason = 'late' | 'missing' | 'refused' | 'lost';

export interface UnverifiedHour {
  tenant: number;
  at: number;
  reason: HourReason;
  /** Text of the store, of what it refused. */
  detail: string | null;
  attempts: number;
  retryAt: number;
}

/** Hours of a server in the store. */
export interface Coverage {
  tenant: number;
  since: number;
  verifiedTo: number;
  /** Hours of the range that are not known to be whole in the store. */
  hours: Pick<UnverifiedHour, 'at' | 'reason' | 'detail'>[];
}

export interface ShippingState {
  /** The store has no sample from before. */
  since: number;
  shippedTo: number;
  verifiedTo: number;
  recheckedTo: number;
  succeededAt: number | null;
  failedAt: number | null;
  error: string | null;
}

export interface StoredHours {
  unverifiedHours: number;
  waitingDeletions: number;
}

export interface SeriesDeletion {
  serverId: string;
  tenant: number;
  deletedAt: number | null;
  attempts: number;
  error: string | null;
}

/** A store that cannot be used now: it is away, slow, or refuses the credentials. Everything is tried again. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store works and does not take these samples, such as those that are out of order. */
export class SamplesRefused extends Error {
  override readonly name = 'SamplesRefused';
}
