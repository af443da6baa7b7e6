import type { ForecastConfidence, NoForecastReason } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import type { GapReason, Resource } from '@plimsoll/contract/rules/limits';
import type { BandName, MeanName } from './stored-figures.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

export type { Sample } from './stored-figures.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** A bucket that a rollup failed on; it is tried again at `retryAt`. Times in epoch ms. */
export interface BucketSetAside {
  /** Null: of a server without an account. */
  organisationId: OrganisationId | null;
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
  /** Keys of the servers in the scope, of a series over several; left out: every server. */
  within?: readonly number[] | undefined;
}

export interface Band {
  avg: number | null;
  min: number | null;
  max: number | null;
}

/** The part of a bucket that is no figure of a host. */
export interface BucketFacts {
  at: number;
  /** Samples in it. */
  count: number;
  /** Servers that reported in it; null in a sum stored by an older version. */
  servers: number | null;
  /** Key of the server with the highest value, by field; null where it is not known. Only in a sum over servers. */
  tops?: Readonly<Record<string, number | null>>;
}

/** A bucket of GET /api/data/metrics/timeseries. */
export type SeriesBucket = BucketFacts & Record<BandName<'metrics'>, Band>;

/** A bucket of GET /api/data/network/timeseries: bands of the rates, means of the connection counts. */
export type NetworkBucket = BucketFacts &
  Record<BandName<'network'>, Band> &
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
  /** Mean; null when the samples do not hold this figure. */
  value: number | null;
}

export interface GapRecord {
  serverId: string;
  from: number;
  to: number;
  reason: GapReason;
  detail: string;
}

/** Use of one filesystem at a moment. */
export interface FilesystemPoint {
  at: number;
  usedBytes: number;
}

/** Growth of a filesystem, independent of any line. */
export type DiskTrend =
  | {
      kind: 'growing';
      bytesPerDay: number;
      /** Fitted use at `levelAt`; with a rhythm, the upper edge of it. */
      levelBytes: number;
      levelAt: number;
      /** Length of the history the trend was found in. */
      spanMs: number;
      confidence: ForecastConfidence;
    }
  | { kind: 'none'; reason: Extract<NoForecastReason, 'too_little_history' | 'not_growing' | 'no_steady_trend'> };

/** Growth of the memory of a server, independent of any line. */
export interface MemoryTrend {
  /** Time of its computation. */
  at: number;
  trend: DiskTrend;
}

/** Trend of one filesystem with its state at the newest point. */
export interface FilesystemTrend {
  mount: string;
  /** Time of the newest point. */
  at: number;
  usedBytes: number;
  /** used + available, as in df. */
  capacityBytes: number;
  trend: DiskTrend;
}

/** Stored points of the filesystems of a server, oldest first, and their capacity by the last report. */
export interface FilesystemsOfServer {
  serverKey: number;
  filesystems: { mount: string; capacityBytes: number; points: FilesystemPoint[] }[];
}

export type DiskForecast =
  | { kind: 'reaches'; reachesAt: number; bytesPerDay: number; confidence: ForecastConfidence; basedOnMs: number }
  | { kind: 'none'; reason: NoForecastReason };
