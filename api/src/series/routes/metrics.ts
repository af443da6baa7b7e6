import {
  latestMetricsAnswer,
  timeseriesAnswer,
  type Figure,
  type LatestMetricsItem,
  type TimeseriesPoint,
} from '@plimsoll/contract/wire/metrics';
import { dates, page, serverId } from '@plimsoll/contract/wire/query';
import type { Deps } from '../../deps.ts';
import { operationsOf } from '../../servers/fleet.ts';
import { defineRoute, type Route, type SignedIn } from '../../http/define-route.ts';
import type { LatestState, ServerRecord, ServerWithLatest } from '../../servers/types.ts';
import type { Sample } from '../types.ts';
import type { Storage } from '../../storage.ts';
import type { Band, SeriesBucket } from '../types.ts';
import { rangeOf, requireServer, todayOf, type Today } from '../range.ts';
import { NO_BAND, seriesQuery, timeseriesOf } from './timeseries.ts';
import { epochSeconds, gigabytes, iso, rounded } from '../../http/units.ts';

const tag = 'Metrics';
/** Why a figure is missing, as far as the report tells. */
function reasonFor(source: string, latest: LatestState, server: ServerRecord): string {
  if (latest.sample === null) return 'No report yet';
  const error = latest.sources[source]?.error;
  if (error) return error;
  if (source === 'io_wait' && server.system?.platform === 'darwin') return 'macOS does not tell';
  return 'Not in the last report';
}

function shapeFigures(sample: Sample | null, latest: LatestState, server: ServerRecord): LatestMetricsItem['metrics'] {
  const figure = (value: number | null | undefined, source: string): Figure =>
    value == null
      ? { value: null, reason: reasonFor(source, latest, server) }
      : { value: rounded(value), reason: null };
  return {
    cpu_usage: figure(sample?.cpuPercent, 'cpu'),
    memory_usage: figure(sample?.memoryPercent, 'memory'),
    disk_usage: figure(sample?.diskPercent, 'filesystem'),
    iops: figure(operationsOf(sample), 'disk-io'),
    io_wait: figure(sample?.ioWaitPercent, 'io_wait'),
    swap_usage: figure(sample?.swapPercent, 'memory'),
    memory_used_gb: figure(gigabytes(sample?.memoryUsedBytes), 'memory'),
    storage_used_gb: figure(gigabytes(sample?.diskUsedBytes), 'filesystem'),
    inbound_bytes_per_sec: figure(sample?.receiveBytesPerSecond, 'network'),
    outbound_bytes_per_sec: figure(sample?.transmitBytesPerSecond, 'network'),
    read_iops: figure(sample?.readOperationsPerSecond, 'disk-io'),
    write_iops: figure(sample?.writeOperationsPerSecond, 'disk-io'),
    load_1m: figure(sample?.loadOne, 'load'),
  };
}

const shapeItem = (
  sample: Sample | null,
  { server, latest }: { server: ServerRecord; latest: LatestState },
  now: number,
): LatestMetricsItem => ({
  server_id: server.id,
  timestamp: sample && epochSeconds(sample.sampleAt),
  age_seconds: sample && Math.max(0, (now - sample.sampleAt) / 1000),
  metrics: shapeFigures(sample, latest, server),
});

interface LatestQuery {
  server_id?: string | undefined;
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
  const all = await storage.servers.listAll(actor.owner);
  const within = all.filter(
    ({ latest: { sample } }) =>
      !dated || (sample !== null && sample.sampleAt >= range.from && sample.sampleAt < range.to),
  );
  const shown = within.slice(query.offset, query.offset + query.limit);
  const told = await withSources(storage, actor, shown);
  return { metrics: told.map((entry) => shapeItem(entry.latest.sample, entry, now)), total: within.length };
}

/** A fleet is listed without what its sources said of themselves: it is read for the servers that lack a figure. */
async function withSources(
  { servers }: Pick<Storage, 'servers'>,
  { owner }: SignedIn,
  shown: readonly ServerWithLatest[],
): Promise<readonly ServerWithLatest[]> {
  const lacking = shown.filter(({ server, latest }) =>
    Object.values(shapeFigures(latest.sample, latest, server)).some(({ value }) => value === null),
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
const emptyBucket = (at: number): SeriesBucket => ({
  at,
  count: 0,
  cpuPercent: NO_BAND,
  memoryPercent: NO_BAND,
  diskPercent: NO_BAND,
  ioWaitPercent: NO_BAND,
  operationsPerSecond: NO_BAND,
});

const shapePoint = (bucket: SeriesBucket): TimeseriesPoint => ({
  timestamp: epochSeconds(bucket.at),
  time: iso(bucket.at),
  cpu: rounded(bucket.cpuPercent.avg),
  memory: rounded(bucket.memoryPercent.avg),
  disk: rounded(bucket.diskPercent.avg),
  bands: {
    cpu: roundedBand(bucket.cpuPercent),
    memory: roundedBand(bucket.memoryPercent),
    disk: roundedBand(bucket.diskPercent),
    io_wait: roundedBand(bucket.ioWaitPercent),
    iops: roundedBand(bucket.operationsPerSecond),
  },
  count: bucket.count,
});

export const metricRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/metrics',
      actor: 'user',
      summary: 'The latest figures of each server; of one server with dates, its samples',
      tag,
      query: { server_id: serverId.optional(), ...dates, ...page(1000) },
      answer: latestMetricsAnswer,
    },
    ({ actor, query }) => listLatest(deps.storage, actor, query, todayOf(deps)),
  ),
  defineRoute(
    {
      method: 'GET',
      path: '/api/data/metrics/timeseries',
      actor: 'user',
      summary: 'CPU, memory and disk over time, of one server or averaged over yours',
      tag,
      query: seriesQuery,
      answer: timeseriesAnswer,
    },
    ({ actor: { owner }, query }) =>
      timeseriesOf(deps, owner, query, {
        read: (id, buckets) => deps.storage.series.hostSeries(owner, id, buckets),
        empty: emptyBucket,
        withoutSums: (bucket) => ({ ...bucket, operationsPerSecond: NO_BAND }),
        point: shapePoint,
      }),
  ),
];
