import type { GapReason, Resource } from '@plimsoll/contract/rules/limits';
import type { BandName, MeanName } from './stored-figures.ts';

export type { Sample } from './stored-figures.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** A bucket that a rollup failed on; it is tried again at `retryAt`. Times in epoch ms. */
export interface BucketSetAside {
  /** Null: of a server without an account. */
  accountId: string | null;
  /** '5m', '1h', 'kubernetes-5m', 'fleet-5m', 'fleet-1h'. */
  level: string;
  /** Id of the server or name of the node; null: the bucket over all servers. */
  subject: string | null;
  at: number;
  attempts: number;
  failedAt: number;
  retryAt: number;
  /** SQLSTATE and text of the last failure. */
  error: string;
}

/** Times in epoch ms; buckets begin at whole multiples of their length. */
export interface SeriesQuery {
  from: number;
  to: number;
  bucketSeconds: number;
}

export interface Band {
  avg: number | null;
  min: number | null;
  max: number | null;
}

/** A bucket of GET /api/data/metrics/timeseries. */
export type SeriesBucket = { at: number; count: number } & Record<BandName<'metrics'>, Band>;

/** A bucket of GET /api/data/network/timeseries: bands of the rates, means of the connection counts. */
export type NetworkBucket = { at: number; count: number } & Record<BandName<'network'>, Band> &
  Record<MeanName<'network'>, number | null>;

/** Server and resource of a small chart. */
export interface SparkAsked {
  serverId: string;
  resource: Resource;
}

export interface SparkBucket {
  serverId: string;
  /** Start, epoch ms. */
  at: number;
  /** Mean per cent; null when the samples do not hold this figure. */
  value: number | null;
}

export interface GapRecord {
  serverId: string;
  from: number;
  to: number;
  reason: GapReason;
  detail: string;
}
