import type { SeriesFigure } from '@plimsoll/contract/wire/metrics';
import type { Authorized, Owner } from '../accounts/owner.ts';
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

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface SetAside {
  /** Returns the newest 100 of one account. */
  ofOwner(owner: Owner): Promise<BucketSetAside[]>;
  /** Returns up to 100 failures of all accounts since `time`, for the operator's log only. */
  since(time: number): Promise<BucketSetAside[]>;
  /** Counts the failures of all accounts by level. */
  count(): Promise<Map<string, number>>;
}

/** The time-series seam: PostgreSQL today, a Prometheus-compatible store past one machine. */
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
