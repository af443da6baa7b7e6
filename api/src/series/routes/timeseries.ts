import { SERIES_BUCKETS } from '@plimsoll/contract/rules/limits';
import type { Scope } from '@plimsoll/contract/rules/scope';
import { dates, hours, scope, serverId, wholeNumber } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { fillBuckets, leaveOutEarlySum, widenedForSums } from '../buckets.ts';
import type { Owner } from '../../accounts/owner.ts';
import { bucketRange, gapsOf, requireServer, todayOf, type AskedRange } from '../range.ts';
import { serversInScope } from '../../servers/scope.ts';
import { reportingOf } from '../reporting.ts';
import { topServersOf } from '../top-servers.ts';
import type { BucketFacts, SeriesQuery } from '../types.ts';
import { epochSeconds } from '../../http/units.ts';

/** Query of every time series. */
export const seriesQuery = {
  hours,
  ...dates,
  server_id: serverId.optional(),
  /** Has no effect beside server_id. */
  scope: scope.optional(),
  /** Narrower buckets than the 400 a chart takes. */
  buckets: wholeNumber(10, SERIES_BUCKETS.max).default(SERIES_BUCKETS.default),
};

interface SeriesShape<Bucket, Point> {
  read: (serverId: string | null, query: SeriesQuery) => Promise<Bucket[]>;
  empty: (at: number) => Bucket;
  /** The bucket without what is summed over servers. */
  withoutSums: (bucket: Bucket) => Bucket;
  point: (bucket: Bucket) => Point;
}

/** Returns how many servers each bucket of a sum is over and which was highest; nothing of a series of one server. */
async function factsOfSums(
  { storage, clock, config }: Deps,
  owner: Owner,
  { within, bucketSeconds }: Pick<SeriesQuery, 'within' | 'bucketSeconds'>,
  buckets: readonly BucketFacts[],
) {
  const chosen = within === undefined ? null : new Set(within);
  const installations = await storage.servers.installations(owner);
  const reporting = reportingOf(
    buckets,
    installations.filter(({ key }) => chosen?.has(key) ?? true),
    { bucketSeconds, now: clock.now(), reportIntervalSeconds: config.reportIntervalSeconds },
  );
  return { reporting, ...topServersOf(buckets, installations) };
}

/** Parts of every time series: each bucket of the range, null for an empty one, and the gaps of one server. */
export async function timeseriesOf<Bucket extends BucketFacts, Point>(
  deps: Deps,
  owner: Owner,
  query: AskedRange & { buckets: number; server_id?: string | undefined; scope?: Scope | undefined },
  { read, empty, withoutSums, point }: SeriesShape<Bucket, Point>,
) {
  const { storage } = deps;
  const asked = bucketRange(query, todayOf(deps));
  const server = query.server_id === undefined ? null : await requireServer(storage.servers, owner, query.server_id);
  const within =
    server === null ? await serversInScope(storage.servers, owner, query.scope, deps.clock.now()) : undefined;
  const buckets = within === undefined ? asked : widenedForSums(asked);
  const [rows, gaps] = await Promise.all([
    read(server?.server.id ?? null, { ...buckets, within }),
    gapsOf(storage.gaps, server, buckets),
  ]);
  const filled = fillBuckets(rows, buckets, empty);
  const { reportIntervalSeconds } = deps.config;
  const known =
    server === null ? leaveOutEarlySum(filled, deps.clock.now(), reportIntervalSeconds, withoutSums) : filled;
  const { reporting, tops, servers } =
    server === null
      ? await factsOfSums(deps, owner, { ...buckets, within }, known)
      : { reporting: [], tops: [], servers: null };
  return {
    timeseries: known.map((bucket, index) => ({
      ...point(bucket),
      ...(tops[index] && { top: tops[index] }),
      servers_reported: reporting[index]?.reported ?? null,
      servers_installed: reporting[index]?.installed ?? null,
    })),
    aggregated: server === null,
    bucket_seconds: buckets.bucketSeconds,
    from: epochSeconds(buckets.from),
    to: epochSeconds(buckets.to),
    ...(servers && { top_servers: servers }),
    gaps,
  };
}
