import type { GapReason, Resource } from '@plimsoll/contract/limits';
import type { Authorized, Owner } from '../domain/owner.ts';
import type { Sample, ServerWithLatest } from './ports.ts';

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
interface SparkBucket {
  serverId: string;
  /** Start, epoch ms. */
  at: number;
  /** Mean per cent; null when the samples do not hold this figure. */
  value: number | null;
}
/** The time-series seam: PostgreSQL today, a Prometheus-compatible store past one machine. */
export interface MetricSeries {
  /** Buckets with rows only, oldest first; per cents averaged, rates and counts summed over the servers. */
  hostSeries(owner: Owner, serverId: string | null, query: SeriesQuery): Promise<SeriesBucket[]>;
  networkSeries(owner: Owner, serverId: string | null, query: SeriesQuery): Promise<NetworkBucket[]>;
  /** Buckets with rows only, in no order; nothing for a server that is not the owner's. One statement for all of them. */
  sparks(owner: Owner, asked: readonly SparkAsked[], query: SeriesQuery): Promise<SparkBucket[]>;
}
export interface SampleHistory {
  /** Newest first. */
  listSamples(
    server: Authorized<ServerWithLatest>,
    range: { from: number; to: number },
    page: { limit: number; offset: number },
  ): Promise<{ samples: Sample[]; total: number }>;
}

interface GapRecord {
  serverId: string;
  from: number;
  to: number;
  reason: GapReason;
  detail: string;
}
export interface Gaps {
  /** Stretches longer than 2.5 intervals without a sample, explained from the ledger. */
  list(server: Authorized<ServerWithLatest>, range: { from: number; to: number }): Promise<GapRecord[]>;
}
