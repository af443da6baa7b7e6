import type { SeriesFigure } from '@plimsoll/contract/wire/metrics';
import type { Authorized, Owner } from '../tenancy/owner.ts';
import type {
  BucketSetAside,
  FilesystemsOfServer,
  FilesystemTrend,
  GapRecord,
  NetworkBucket,
  Sample,
  SeriesBucket,
  SeriesQuery,
  SparkAsked,
  SparkBucket,
} from './types.ts';
import type { ServerWithLatest } from '../servers/types.ts';
import type { BucketOf, Chart } from './chart-buckets.ts';
import type { Peak, PeakAsked } from './peaks.ts';
import type { ShippedSample } from './remote/shipped-figures.ts';
import type { Coverage, SeriesDeletion, ShippingState, StoredHours, UnverifiedHour } from './remote/types.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface SetAside {
  /** Returns the newest 100 of one account. */
  ofOwner(owner: Owner): Promise<BucketSetAside[]>;
  /** Returns up to 100 failures of all accounts since `time`, for the operator's log only. */
  since(time: number): Promise<BucketSetAside[]>;
  /** Counts the failures of all accounts by level. */
  count(): Promise<Map<string, number>>;
}

/** Series of the samples and rollups in PostgreSQL. */
export interface MetricSeries {
  /** Buckets with rows only, oldest first; per cents averaged, rates and counts summed over the servers. */
  hostSeries(owner: Owner, serverId: string | null, query: SeriesQuery): Promise<SeriesBucket[]>;
  networkSeries(owner: Owner, serverId: string | null, query: SeriesQuery): Promise<NetworkBucket[]>;
  /**
   * Buckets with rows only, in no order; nothing for a server that is not the owner's. One statement for all of them.
   */
  sparks(owner: Owner, asked: readonly SparkAsked[], query: SeriesQuery): Promise<SparkBucket[]>;
  /** Returns the same of one figure of each server. */
  compare(owner: Owner, serverIds: readonly string[], figure: SeriesFigure, query: SeriesQuery): Promise<SparkBucket[]>;
}

export interface Peaks {
  /**
   * Returns the highest value of each figure in its stretch, from the samples if they are still stored, else from rollups.
   * A figure without one is absent.
   */
  find(owner: Owner, asked: readonly PeakAsked[]): Promise<Peak[]>;
}

export interface SampleHistory {
  /** Lists rows, newest first. */
  listSamples(
    server: Authorized<ServerWithLatest>,
    range: { from: number; to: number },
    page: { limit: number; offset: number },
  ): Promise<{ samples: Sample[]; total: number }>;
  /**
   * Returns the newest sample at or before `at` of each server by its key; of a server that had none it is absent. Where
   * the samples were removed, it has the means of the rollup at that time, and null for what is not rolled up.
   */
  samplesAt(owner: Owner, at: number, serverId?: string): Promise<ReadonlyMap<number, Sample>>;
}

export interface FilesystemHistory {
  /**
   * Stores the use of every filesystem reported in the current half hour, once per server. Returns the keys of the
   * servers that got a new point. Safe to repeat.
   */
  record(now: number): Promise<number[]>;
  /** Reads the history of these servers up to `now`. */
  read(serverKeys: readonly number[], now: number): Promise<FilesystemsOfServer[]>;
  saveTrends(serverKey: number, trends: readonly FilesystemTrend[], now: number): Promise<void>;
}

export interface Gaps {
  /** Stretches longer than GAP_INTERVALS without a sample, explained from the ledger. */
  list(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<GapRecord[]>;
}

export interface Rollups {
  /**
   * Rolls up the buckets that closed since the last run and those that late samples changed. Returns the rows written;
   * null while another replica does it. Safe to repeat. After `mostMs` for a level or the fleets, the rest is left for
   * the next run.
   */
  rollUp(now: number, mostMs?: number): Promise<number | null>;
}

/** Numbers of figures by server id. */
export type Counts = ReadonlyMap<string, number>;

/**
 * The raw history in a Prometheus-compatible store. It may lose what it acknowledged, and it may be away. Every call
 * throws `StoreUnavailable`; `append` also throws `SamplesRefused`.
 */
export interface SeriesStore {
  /** Neither its addresses nor a header name a tenant: every tenant reads the series of all. */
  isShared: boolean;
  /** Sends samples of one tenant. The same sample several times is one. */
  append(tenant: number, samples: readonly ShippedSample[]): Promise<void>;
  /** Returns the number of figures of each server in the hour that begins at `hour`. */
  counts(tenant: number, hour: number): Promise<Counts>;
  /** Returns the times of the stored samples of one server in that hour, by the name of the figure. */
  times(tenant: number, serverId: string, hour: number): Promise<ReadonlyMap<string, ReadonlySet<number>>>;
  /** Returns buckets with samples only, oldest first. */
  series<C extends Chart>(
    chart: C,
    at: { tenant: number; serverId: string },
    query: SeriesQuery,
  ): Promise<BucketOf[C][]>;
  /** Deletes the series of a server. Null: there is no address for it. */
  drop: ((tenant: number, serverId: string) => Promise<void>) | null;
  /** Returns true if the store answers a sample of this server. */
  holds(tenant: number, serverId: string, now: number): Promise<boolean>;
  ping(): Promise<void>;
}

/** Reads and writes of a job that holds its lock; all of them are one transaction. */
export interface OutboxWork {
  /** Creates the state at the first use: everything that PostgreSQL has is still to be sent. */
  state(now: number): Promise<ShippingState>;
  /** Returns the samples of the reports received since `from`, as many as one step takes. */
  receivedFrom(from: number, before: number): Promise<{ to: number; samples: ShippedSample[] }>;
  /** Returns the number of figures of each server in an hour, by tenant. */
  counts(hour: number): Promise<ReadonlyMap<number, Counts>>;
  samplesOf(serverIds: readonly string[], hour: number): Promise<ShippedSample[]>;
  /** Returns the tenants with rollups in this hour, whose samples PostgreSQL has no longer. */
  tenantsOf(hour: number): Promise<number[]>;
  dueHours(now: number, limit: number): Promise<UnverifiedHour[]>;
  saveShipped(to: number): Promise<void>;
  saveVerified(to: number): Promise<void>;
  saveRechecked(to: number): Promise<void>;
  /** Stores that an hour is open. `isAttempt`: adds one to its attempts. */
  saveHour(hour: Omit<UnverifiedHour, 'attempts'> & { isAttempt: boolean }): Promise<void>;
  forgetHour(tenant: number, hour: number): Promise<void>;
}

export interface SampleOutbox {
  /** Runs `work` under the lock of this job. Returns null while another replica holds it. */
  exclusively<T>(job: 'ship' | 'verify', work: (outbox: OutboxWork) => Promise<T>): Promise<T | null>;
  /** Returns null if the store was never used. */
  state(): Promise<(ShippingState & StoredHours) | null>;
  recordSuccess(now: number): Promise<void>;
  recordFailure(now: number, error: string): Promise<void>;
  /** Returns null if the store was never used. */
  coverage(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<Coverage | null>;
  /** Returns the deletions that are due, and those that are due to be checked. */
  dueDeletions(now: number, limit: number): Promise<SeriesDeletion[]>;
  saveDeletion(deletion: SeriesDeletion, retryAt: number): Promise<void>;
  forgetDeletion(serverId: string): Promise<void>;
}
