import type { GapReason, Resource } from '@plimsoll/contract/rules/limits';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

/** One sample of a host; null is unknown. */
export interface Sample {
  sampleAt: number;
  cpuPercent: number | null;
  ioWaitPercent: number | null;
  memoryPercent: number | null;
  swapPercent: number | null;
  memoryUsedBytes: number | null;
  diskPercent: number | null;
  diskUsedBytes: number | null;
  readOperationsPerSecond: number | null;
  writeOperationsPerSecond: number | null;
  receiveBytesPerSecond: number | null;
  transmitBytesPerSecond: number | null;
  loadOne: number | null;
  connections: {
    total: number;
    established: number;
    listen: number;
    timeWait: number;
    closeWait: number;
    synSent: number;
    synRecv: number;
  } | null;
}

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

export interface SeriesBucket {
  at: number;
  count: number;
  cpuPercent: Band;
  memoryPercent: Band;
  diskPercent: Band;
  ioWaitPercent: Band;
  operationsPerSecond: Band;
}

export interface NetworkBucket {
  at: number;
  count: number;
  receiveBytesPerSecond: Band;
  transmitBytesPerSecond: Band;
  connections: Sample['connections'];
}

/** Of which resource of a server a small chart is wanted. */
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
