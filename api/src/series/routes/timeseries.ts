import { SERIES_BUCKETS, type UnavailableReason } from '@plimsoll/contract/rules/limits';
import type { Scope } from '@plimsoll/contract/rules/scope';
import type { Gap } from '@plimsoll/contract/wire/metrics';
import { dates, hours, scope, serverId, wholeNumber } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { fillBuckets, leaveOutEarlySum, widenedForSums } from '../buckets.ts';
import type { Authorized, Owner } from '../../tenancy/owner.ts';
import { emptyBucket, type BucketOf, type Chart } from '../chart-buckets.ts';
import { readChart, type ChartDeps } from '../remote/read-chart.ts';
import { bucketRange, todayOf, type AskedRange } from '../range.ts';
import type { ServerWithLatest } from '../../servers/types.ts';
import type { Gaps } from '../store.ts';
import { requireServer } from '../../servers/require-server.ts';
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

interface SeriesShape<C extends Chart, Point, Extras extends object> {
  chart: C;
  /** The bucket without what is summed over servers. */
  withoutSums: (bucket: BucketOf[C]) => BucketOf[C];
  point: (bucket: BucketOf[C]) => Point;
  /** More fields of the answer. */
  extras?: (
    buckets: readonly BucketOf[C][],
    found: { bucketSeconds: number; server: ServerWithLatest | null },
  ) => Promise<Extras>;
}

const chartDeps = ({ storage, seriesStore, clock }: Deps): ChartDeps => ({
  series: storage.series,
  outbox: storage.sampleOutbox,
  store: seriesStore,
  retention: storage.identity.retention,
  clock,
});

const UNAVAILABLE_WORDS: Record<UnavailableReason, string> = {
  store_unavailable: 'The time-series store does not answer. Rollups are shown instead.',
  not_verified: 'The time-series store may still lack samples, which are sent again. Rollups are shown instead.',
  refused: 'The time-series store refuses samples of this time. Rollups are shown instead.',
  lost: 'The time-series store lacks the samples of this time. Rollups are shown instead.',
};

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

/** Gaps of one server; over several servers a gap of one is not a gap of the sum. */
async function gapsOf(
  gaps: Gaps,
  server: Authorized<ServerWithLatest> | null,
  range: { from: number; to: number },
): Promise<Gap[]> {
  if (server === null) return [];
  const found = await gaps.list(server, range);
  return found.map((gap) => ({
    server_id: gap.serverId,
    from: epochSeconds(gap.from),
    to: epochSeconds(gap.to),
    reason: gap.reason,
    detail: gap.detail,
  }));
}

/** Parts of every time series: each bucket of the range, null for an empty one, and the gaps of one server. */
export async function timeseriesOf<C extends Chart, Point, Extras extends object = object>(
  deps: Deps,
  owner: Owner,
  query: AskedRange & { buckets: number; server_id?: string | undefined; scope?: Scope | undefined },
  { chart, withoutSums, point, extras }: SeriesShape<C, Point, Extras>,
) {
  const { storage } = deps;
  const asked = bucketRange(query, todayOf(deps));
  const server = query.server_id === undefined ? null : await requireServer(storage.servers, owner, query.server_id);
  const within =
    server === null ? await serversInScope(storage.servers, owner, query.scope, deps.clock.now()) : undefined;
  const buckets = within === undefined ? asked : widenedForSums(asked, within.length);
  const [{ buckets: rows, unavailable }, gaps] = await Promise.all([
    readChart(chartDeps(deps), chart, { owner, server }, { ...buckets, within }),
    gapsOf(storage.gaps, server, buckets),
  ]);
  const filled = fillBuckets<BucketOf[C]>(rows, buckets, (at) => emptyBucket(chart, at));
  const { reportIntervalSeconds } = deps.config;
  const known =
    server === null ? leaveOutEarlySum(filled, deps.clock.now(), reportIntervalSeconds, withoutSums) : filled;
  const { reporting, tops, servers } =
    server === null
      ? await factsOfSums(deps, owner, { ...buckets, within }, known)
      : { reporting: [], tops: [], servers: null };
  const more = await extras?.(known, { bucketSeconds: buckets.bucketSeconds, server });
  return {
    ...more,
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
    ...(unavailable.length > 0 && {
      unavailable: unavailable.map(({ from, to, reason }) => ({
        from: epochSeconds(from),
        to: epochSeconds(to),
        reason,
        detail: UNAVAILABLE_WORDS[reason],
      })),
    }),
  };
}
