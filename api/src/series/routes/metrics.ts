import {
  latestMetricsAnswer,
  timeseriesAnswer,
  type Figure,
  type LatestMetricsItem,
  type TimeseriesPoint,
  type TimeseriesPeak,
} from '@plimsoll/contract/wire/metrics';
import type { Scope } from '@plimsoll/contract/rules/scope';
import { at, dates, page, scope, serverId } from '@plimsoll/contract/wire/query';
import type { Owner } from '../../tenancy/owner.ts';
import type { Deps } from '../../deps.ts';
import { serversAsOf } from '../../servers/as-of.ts';
import { defineRoute, type Route, type SignedIn } from '../../http/define-route.ts';
import type { LatestState, ServerRecord, ServerWithLatest } from '../../servers/types.ts';
import { CHART_FIGURES, withoutSums } from '../chart-buckets.ts';
import { peakBuckets } from '../peaks.ts';
import { LATEST_FIGURES, valueOf } from '../stored-figures.ts';
import type { BandName, LatestField, LatestFigure, RollupField, Sample } from '../stored-figures.ts';
import type { Storage } from '../../storage.ts';
import type { Band, SeriesBucket } from '../types.ts';
import { serversInScope } from '../../servers/scope.ts';
import { given } from '@plimsoll/contract/rules/given';
import { rangeOf, requireMoment, todayOf, type Today } from '../range.ts';
import { requireServer } from '../../servers/require-server.ts';
import { seriesQuery, timeseriesOf } from './timeseries.ts';
import { epochSeconds, gigabytes, iso, rounded } from '../../http/units.ts';

const tag = 'Metrics';
/** The state of the servers: the newest, or at a moment of the past. Errors of sources are stored for the newest only. */
type When = 'latest' | 'moment';

/** Returns the reason for a missing figure. */
function reasonFor(
  { source, missingOn }: LatestFigure,
  { server, latest }: { server: ServerRecord; latest: LatestState },
  when: When,
): string {
  if (latest.sample === null) return when === 'latest' ? 'No report yet' : 'No report at that moment';
  const missing = missingOn?.[server.system?.platform ?? ''];
  if (missing !== undefined) return missing;
  return when === 'moment' ? 'Not stored for that minute' : (latest.sources[source]?.error ?? 'Not in the last report');
}

function shapeFigures(
  sample: Sample | null,
  of: { server: ServerRecord; latest: LatestState },
  when: When,
): Record<LatestField, Figure> {
  const shape = (figure: LatestFigure): Figure => {
    const base = sample && valueOf(sample, figure.name);
    const value = rounded(figure.unit === 'bytes' ? gigabytes(base) : base);
    return value === null ? { value, reason: reasonFor(figure, of, when) } : { value, reason: null };
  };
  return Object.fromEntries(LATEST_FIGURES.map((figure) => [figure.field, shape(figure)])) as Record<
    LatestField,
    Figure
  >;
}

const shapeItem = (
  sample: Sample | null,
  of: { server: ServerRecord; latest: LatestState },
  now: number,
  when: When = 'latest',
): LatestMetricsItem => ({
  server_id: of.server.id,
  timestamp: sample && epochSeconds(sample.sampleAt),
  age_seconds: sample && Math.max(0, (now - sample.sampleAt) / 1000),
  metrics: shapeFigures(sample, of, when),
});

interface LatestQuery {
  server_id?: string | undefined;
  scope?: Scope | undefined;
  start_date?: number | undefined;
  end_date?: number | undefined;
  limit: number;
  offset: number;
}

/** One server with dates: its samples in the range, newest first. Otherwise the latest of each server. */
async function listLatest(
  storage: Storage,
  actor: SignedIn,
  query: LatestQuery,
  today: Today,
): Promise<{ metrics: LatestMetricsItem[]; total: number }> {
  const { now } = today;
  const dated = query.start_date !== undefined || query.end_date !== undefined;
  const range = dated ? rangeOf({ hours: 24, ...query }, today) : { from: 0, to: Number.MAX_SAFE_INTEGER };
  if (query.server_id !== undefined) {
    const server = await requireServer(storage.servers, actor.owner, query.server_id);
    if (!dated) return { metrics: [shapeItem(server.latest.sample, server, now)], total: 1 };
    const found = await storage.history.listSamples(server, range, query);
    return { metrics: found.samples.map((sample) => shapeItem(sample, server, now)), total: found.total };
  }
  const { limit, offset } = query;
  const within = await serversInScope(storage.servers, actor.owner, query.scope, now);
  const { servers, total } = await storage.servers.list(actor.owner, {
    limit,
    offset,
    ...given('within', within),
    ...(dated && { sampled: range }),
  });
  const told = await withSources(storage, actor, servers);
  return { metrics: told.map((entry) => shapeItem(entry.latest.sample, entry, now)), total };
}

/** Figures of each server as they were at a moment; dates are refused beside it. */
async function listAt(
  deps: Deps,
  owner: Owner,
  { at: moment, server_id: id, scope: asked, limit, offset }: LatestQuery & { at: number },
): Promise<{ metrics: LatestMetricsItem[]; total: number }> {
  await requireMoment(deps, owner, moment, 'metrics');
  const [listed, samples, within] = await Promise.all([
    id === undefined ? deps.storage.servers.listAll(owner) : requireServer(deps.storage.servers, owner, id),
    deps.storage.history.samplesAt(owner, moment, id),
    serversInScope(deps.storage.servers, owner, asked, deps.clock.now()),
  ]);
  const chosen = within && new Set(within);
  const then = serversAsOf(Array.isArray(listed) ? listed : [listed], samples, moment).filter(
    ({ server }) => chosen?.has(server.key) ?? true,
  );
  const metrics = then
    .slice(offset, offset + limit)
    .map((each) => shapeItem(each.latest.sample, each, moment, 'moment'));
  return { metrics, total: then.length };
}

/** A fleet is listed without what its sources said of themselves: it is read for the servers that lack a figure. */
async function withSources(
  { servers }: Pick<Storage, 'servers'>,
  { owner }: SignedIn,
  shown: readonly ServerWithLatest[],
): Promise<readonly ServerWithLatest[]> {
  const lacking = shown.filter(({ server, latest }) =>
    Object.values(shapeFigures(latest.sample, { server, latest }, 'latest')).some(({ value }) => value === null),
  );
  if (lacking.length === 0) return shown;
  const found = await servers.sourcesOf(
    owner,
    lacking.map(({ server }) => server.id),
  );
  return shown.map(({ server, latest }) => ({
    server,
    latest: { ...latest, sources: found.get(server.id) ?? latest.sources },
  }));
}

const roundedBand = (band: Band): Band => ({ avg: rounded(band.avg), min: rounded(band.min), max: rounded(band.max) });

const shapePoint = (bucket: SeriesBucket): TimeseriesPoint => {
  const bands = Object.fromEntries(
    CHART_FIGURES.metrics.map(({ name, field }) => [field, roundedBand(bucket[name as BandName<'metrics'>])]),
  ) as Record<RollupField<'metrics'>, Band>;
  return {
    timestamp: epochSeconds(bucket.at),
    time: iso(bucket.at),
    cpu: bands.cpu.avg,
    memory: bands.memory.avg,
    disk: bands.disk.avg,
    bands,
    count: bucket.count,
  };
};

/** Returns the highest moment of each figure, as fine as it is stored: the start of a bucket is no moment of a spike. */
async function peaksOf(
  { storage }: Deps,
  owner: Owner,
  buckets: readonly SeriesBucket[],
  { bucketSeconds, server }: { bucketSeconds: number; server: ServerWithLatest | null },
) {
  const asked = peakBuckets(buckets, bucketSeconds, server?.server.key ?? null);
  const found = await storage.peaks.find(owner, asked);
  const shaped = (wanted: string): TimeseriesPeak | null => {
    const one = found.find(({ field }) => field === wanted);
    if (one === undefined) return null;
    const { at: time, value, serverId: id, stepSeconds } = one;
    return { timestamp: epochSeconds(time), value: rounded(value) ?? value, server_id: id, step_seconds: stepSeconds };
  };
  return { cpu: shaped('cpu'), memory: shaped('memory'), disk: shaped('disk') };
}

export const metricRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/metrics',
      actor: 'user',
      summary: 'Returns the latest figures of each server, or the samples of one server in a range',
      tag,
      query: { at, server_id: serverId.optional(), scope: scope.optional(), ...dates, ...page(1000) },
      answer: latestMetricsAnswer,
    },
    ({ actor, query }) =>
      query.at === undefined
        ? listLatest(deps.storage, actor, query, todayOf(deps))
        : listAt(deps, actor.owner, { ...query, at: query.at }),
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/metrics/timeseries',
      actor: 'user',
      summary: 'Returns CPU, memory and disk over time, of one server or averaged over your servers',
      tag,
      query: seriesQuery,
      answer: timeseriesAnswer,
    },
    ({ actor: { owner }, query }) =>
      timeseriesOf(deps, owner, query, {
        chart: 'metrics',
        withoutSums,
        point: shapePoint,
        extras: async (buckets, found) => ({ peaks: await peaksOf(deps, owner, buckets, found) }),
      }),
  ),
];
