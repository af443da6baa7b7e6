import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { Authorized, Owner } from '../../tenancy/owner.ts';
import type { RetentionSettings } from '../../accounts/store.ts';
import type { Clock } from '../../clock.ts';
import type { ServerWithLatest } from '../../servers/types.ts';
import type { BucketOf, Chart } from '../chart-buckets.ts';
import { COARSEST_SECONDS, exactFrom } from '../series-level.ts';
import type { MetricSeries, SampleOutbox, SeriesStore } from '../store.ts';
import type { SeriesQuery } from '../types.ts';
import { coldEnd, splitSeries, type Unavailable } from './split-series.ts';
import { StoreUnavailable } from './types.ts';

export interface ChartDeps {
  series: MetricSeries;
  outbox: Pick<SampleOutbox, 'coverage'>;
  store: SeriesStore | null;
  retention: Pick<RetentionSettings, 'get'>;
  clock: Clock;
}

interface Read<C extends Chart> {
  buckets: BucketOf[C][];
  unavailable: Unavailable[];
}

const readPostgres = async <C extends Chart>(
  { series }: ChartDeps,
  chart: C,
  owner: Owner,
  serverId: string | null,
  query: SeriesQuery,
): Promise<BucketOf[C][]> =>
  (chart === 'metrics'
    ? await series.hostSeries(owner, serverId, query)
    : await series.networkSeries(owner, serverId, query)) as BucketOf[C][];

const orNull = async <T>(read: Promise<T>): Promise<T | null> => {
  try {
    return await read;
  } catch (error) {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
};

/** Returns the first whole bucket that the account keeps samples of; the store has no limit for each account. */
async function keptSince(
  { retention, clock }: ChartDeps,
  owner: Owner,
  { bucketSeconds }: SeriesQuery,
): Promise<number> {
  const kept = await retention.get(owner);
  const width = bucketSeconds * 1000;
  return kept?.metrics == null ? 0 : Math.ceil((clock.now() - kept.metrics * DAY_MS) / width) * width;
}

/**
 * Reads a series: the newest part from PostgreSQL, and what it no longer has at this resolution from the time-series
 * store. Sums over servers are read from PostgreSQL alone.
 */
export async function readChart<C extends Chart>(
  deps: ChartDeps,
  chart: C,
  { owner, server }: { owner: Owner; server: Authorized<ServerWithLatest> | null },
  query: SeriesQuery,
): Promise<Read<C>> {
  const { store, outbox, clock } = deps;
  const serverId = server?.server.id ?? null;
  const fromPostgres = (range: SeriesQuery) => readPostgres(deps, chart, owner, serverId, range);
  const end = store === null || server === null ? query.from : coldEnd(query, clock.now());
  const old =
    end <= query.from ? query : { ...query, from: Math.max(query.from, await keptSince(deps, owner, query)), to: end };
  const coverage = server === null || end <= old.from ? null : await outbox.coverage(server, old);
  if (store === null || serverId === null || coverage === null || end <= coverage.since)
    return { buckets: await fromPostgres(query), unavailable: [] };
  const [coarse, cold, hot] = await Promise.all([
    fromPostgres(old),
    orNull(store.series(chart, { tenant: coverage.tenant, serverId }, old)),
    end < query.to ? fromPostgres({ ...query, from: end }) : [],
  ]);
  const rollupsFrom = exactFrom(COARSEST_SECONDS, clock.now());
  const { buckets, unavailable } = splitSeries(coarse, { buckets: cold, coverage }, old, rollupsFrom);
  return { buckets: [...buckets, ...hot], unavailable };
}
