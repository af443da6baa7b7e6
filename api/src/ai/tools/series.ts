import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { networkTimeseriesAnswer } from '@plimsoll/contract/wire/network';
import {
  comparisonAnswer,
  SERIES_FIGURES,
  timeseriesAnswer,
  type SeriesFigure,
  type TimeseriesPeak,
  type TimeseriesPoint,
} from '@plimsoll/contract/wire/metrics';
import { AI_LIMITS } from '@plimsoll/contract/rules/ai-limits';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import { z } from 'zod';
import { screens } from '../screen-links.ts';
import { anomalyOf, extremesOf, statisticsOf, type Extremes, type Point } from '../statistics.ts';
import type { Tool, ToolContext } from '../types.ts';
import { chartTitle } from '../chart-title.ts';
import { chosenServer, requireAllNamed, requireNamed } from './named-server.ts';
import { iso, tool } from './tool.ts';

const DAYS_BEFORE = 7;
/** Buckets of a series: enough for statistics, few for a model, and none shorter than a report. */
const MOST_BUCKETS = 120;
const FEWEST_BUCKETS = 10;
/** Length of the shortest means that outlive the samples. */
const ROLLUP_SECONDS = 300;
/** Share of buckets with figures below which wider ones may hold more. */
const SPARSE = 0.9;
/** Buckets of each server when several are compared: a bucket of a day is half an hour long. */
const MOST_COMPARED_BUCKETS = 49;
const bucketsOf = ({ from, to }: Range, most = MOST_BUCKETS): number =>
  Math.max(FEWEST_BUCKETS, Math.min(most, Math.floor((to - from) / REPORT_INTERVAL_SECONDS)));
/** Points a model is shown, so that it sees the shape. */
const SHOWN_POINTS = 24;
const MOST_COMPARED = 8;

export interface Range {
  from: number;
  to: number;
}
const UNITS: Record<SeriesFigure, string> = {
  cpu: 'per cent',
  memory: 'per cent',
  disk: 'per cent of the fullest filesystem',
  io_wait: 'per cent',
  iops: 'operations per second',
  swap: 'per cent',
  load: 'runnable tasks',
  tcp_retransmits: 'segments sent again per second',
};

/** Epoch seconds or ISO 8601. */
const moment = z.union([z.number(), z.string().max(40)]).describe('epoch seconds or ISO 8601');
export const rangeInput = {
  minutes: z.int().min(1).max(AI_LIMITS.maxRangeMinutes).optional().describe('the last minutes; default: as asked'),
  from: moment.optional(),
  to: moment.optional(),
};

/** Reads a moment; throws an error that the model can act on. */
export function secondsOf(value: number | string): number {
  const seconds = typeof value === 'number' ? value : Date.parse(value) / 1000;
  if (!Number.isFinite(seconds) || seconds < 0) throw new Error(`"${String(value)}" is not a moment: use ISO 8601.`);
  return seconds;
}

export function rangeFrom(
  given: { minutes?: number | undefined; from?: number | string | undefined; to?: number | string | undefined },
  { now, rangeMinutes }: ToolContext,
): Range {
  const to = given.to === undefined ? now : Math.min(now, secondsOf(given.to));
  if (given.from === undefined) return { from: to - (given.minutes ?? rangeMinutes) * 60, to };
  const from = secondsOf(given.from);
  if (from >= to) throw new Error('"from" must be before "to" and before now.');
  return { from, to };
}

const dates = ({ from, to }: Range): { start_date: number; end_date: number } => ({
  start_date: Math.floor(from),
  end_date: Math.ceil(to),
});

/** Returns CPU, memory, disk … of a server, or averaged over all of the asker's. */
export const hostSeries = async (
  context: ToolContext,
  serverId: string | null,
  range: Range,
): Promise<Record<SeriesFigure, Point[]>> => (await hostHistory(context, serverId, range)).series;

/** The newest bucket of a sum may hold the first reports of a minute only: their mean is not that of all servers. */
function withoutPartial(points: readonly TimeseriesPoint[]): readonly TimeseriesPoint[] {
  const [before, last] = points.slice(-2);
  const isPartial = (last?.servers_reported ?? 0) < (before?.servers_reported ?? 0);
  return isPartial ? points.slice(0, -1) : points;
}

type Timeseries = z.infer<typeof timeseriesAnswer>;
interface History {
  series: Record<SeriesFigure, Point[]>;
  gaps: Timeseries['gaps'];
  extremes: Record<SeriesFigure, Extremes>;
  /** The highest moments; null: the API does not return them. */
  peaks: Timeseries['peaks'] | null;
}
/** The same, with the gaps and their reasons. */
export async function hostHistory({ read }: ToolContext, serverId: string | null, range: Range): Promise<History> {
  const readBy = (buckets: number): Promise<Timeseries> =>
    read('/api/data/metrics/timeseries', timeseriesAnswer, {
      query: { ...dates(range), server_id: serverId ?? undefined, buckets },
    });
  const fine = await readBy(bucketsOf(range));
  // Samples are kept for a week, and their means of five minutes for longer: only wide buckets show all of those.
  const filled = fine.timeseries.filter(({ count }) => count > 0).length;
  const isSparse = fine.bucket_seconds < ROLLUP_SECONDS && filled < fine.timeseries.length * SPARSE;
  const wide = Math.max(FEWEST_BUCKETS, Math.floor((range.to - range.from) / (2 * ROLLUP_SECONDS)));
  const { timeseries, gaps, peaks } = isSparse ? await readBy(wide) : fine;
  const isFleet = serverId === null;
  const extremes = Object.fromEntries(
    SERIES_FIGURES.map((figure) => [figure, extremesOf(timeseries.map(({ bands }) => bands[figure]))]),
  ) as Record<SeriesFigure, Extremes>;
  const series = Object.fromEntries(
    SERIES_FIGURES.map((figure) => [
      figure,
      (isFleet ? withoutPartial(timeseries) : timeseries).map(({ timestamp, bands }) => ({
        at: timestamp,
        value: bands[figure]?.avg ?? null,
      })),
    ]),
  ) as Record<SeriesFigure, Point[]>;
  return { series, gaps, extremes, peaks: peaks ?? null };
}

export async function networkSeries(
  { read }: ToolContext,
  serverId: string | null,
  range: Range,
): Promise<Record<'receive' | 'transmit' | 'connections' | 'time_wait' | 'close_wait' | 'syn_recv', Point[]>> {
  const { timeseries } = await read('/api/data/network/timeseries', networkTimeseriesAnswer, {
    query: { ...dates(range), server_id: serverId ?? undefined, buckets: bucketsOf(range) },
  });
  const of = (pick: (point: (typeof timeseries)[number]) => number | null): Point[] =>
    timeseries.map((point) => ({ at: point.timestamp, value: pick(point) }));
  return {
    receive: of((point) => point.inbound_bytes_per_sec),
    transmit: of((point) => point.outbound_bytes_per_sec),
    connections: of((point) => point.total_connections),
    time_wait: of((point) => point.connections_time_wait),
    close_wait: of((point) => point.connections_close_wait),
    syn_recv: of((point) => point.connections_syn_recv),
  };
}

/** The same time of each of the days before. A day outside the stored history is left out. */
function daysBefore(
  context: ToolContext,
  serverId: string | null,
  range: Range,
  days = DAYS_BEFORE,
): Promise<Record<SeriesFigure, Point[]>[]> {
  const shifts = Array.from({ length: days }, (_, index) => (index + 1) * DAY_SECONDS);
  return Promise.all(
    shifts.map((shift) => hostSeries(context, serverId, { from: range.from - shift, to: range.to - shift })),
  );
}

async function namedPeak(
  context: ToolContext,
  peak: TimeseriesPeak | null,
  chosen: { hostname: string } | null,
): Promise<Record<string, unknown> | null> {
  if (peak === null) return null;
  const { hostname } = chosen ?? (await requireNamed(context, peak.server_id));
  return { hostname, value: peak.value, at: iso(peak.timestamp) };
}

/** Every n-th known point, and always the last. */
function shownPoints(points: readonly Point[]): { at: string; value: number | null }[] {
  const step = Math.max(1, Math.ceil(points.length / SHOWN_POINTS));
  return points
    .filter((_, index) => index % step === 0 || index === points.length - 1)
    .map(({ at, value }) => ({ at: iso(at), value }));
}

export const seriesTools: readonly Tool[] = [
  tool({
    name: 'figures_over_time',
    description:
      'Returns a figure over time with min, max, mean, p95 of the means of its buckets, the extremes of its samples, the highest moment with its server (peak: cpu, memory, disk), trend per hour, and whether it is unusual compared with the same hours of the 7 days before. Without a server: the average over all servers. Set chart to show it in the answer (cpu, memory, disk).',
    input: z.object({
      figure: z.enum(SERIES_FIGURES),
      server: z.string().max(200).optional(),
      ...rangeInput,
      chart: z.boolean().optional(),
    }),
    async run({ figure, server, chart, ...given }, context) {
      const chosen = await chosenServer(context, server);
      const range = rangeFrom(given, context);
      const id = chosen?.id ?? null;
      const { series, extremes, peaks } = await hostHistory(context, id, range);
      const points = series[figure];
      const before = (await daysBefore(context, id, range)).map((day) => day[figure]);
      const drawn = figure === 'cpu' || figure === 'memory' || figure === 'disk' ? figure : null;
      const title = drawn === null ? '' : chartTitle(drawn, chosen?.hostname ?? 'all servers');
      return {
        content: {
          figure,
          unit: UNITS[figure],
          server: chosen?.hostname ?? 'average of all servers',
          from: iso(range.from),
          to: iso(range.to),
          statistics: statisticsOf(points),
          // The lowest and highest of all servers are none of their average.
          extremes: chosen === null ? null : extremes[figure],
          peak: drawn === null ? null : await namedPeak(context, peaks?.[drawn] ?? null, chosen),
          same_hours_of_days_before: anomalyOf(points, before),
          points: shownPoints(points),
        },
        sources: [
          chosen === null ? screens.fleetChart(range) : screens.server(chosen.id, chosen.hostname, range, figure),
        ],
        ...(chart === true && drawn !== null && { charts: [{ server_id: id, title, metric: drawn, ...range }] }),
      };
    },
  }),
  tool({
    name: 'compare_servers',
    description: 'Returns statistics of one figure for up to 8 servers over the same range, each of at most 48 means.',
    input: z.object({
      figure: z.enum(SERIES_FIGURES),
      servers: z.array(z.string().max(200)).min(2).max(MOST_COMPARED),
      ...rangeInput,
    }),
    async run({ figure, servers, ...given }, context) {
      const range = rangeFrom(given, context);
      const named = await requireAllNamed(context, servers);
      const ids = named.map(({ id }) => id);
      const compared = await context.read('/api/data/metrics/compare', comparisonAnswer, {
        query: {
          ...dates(range),
          figure,
          server_ids: ids.join(','),
          buckets: bucketsOf(range, MOST_COMPARED_BUCKETS),
        },
      });
      const valuesOf = new Map(compared.servers.map(({ server_id: id, values }) => [id, values]));
      const rows = named.map(({ id, hostname }) => ({
        hostname,
        statistics: statisticsOf(
          (valuesOf.get(id) ?? []).map((value, index) => ({
            at: compared.from + index * compared.bucket_seconds,
            value,
          })),
        ),
      }));
      return {
        content: { figure, unit: UNITS[figure], from: iso(range.from), to: iso(range.to), servers: rows },
        sources: [screens.compared(ids, range)],
      };
    },
  }),
  tool({
    name: 'network_over_time',
    description: 'Returns received and transmitted bytes per second and open connections over time, with statistics.',
    input: z.object({ server: z.string().max(200).optional(), ...rangeInput }),
    async run({ server, ...given }, context) {
      const chosen = await chosenServer(context, server);
      const range = rangeFrom(given, context);
      const series = await networkSeries(context, chosen?.id ?? null, range);
      return {
        content: {
          server: chosen?.hostname ?? 'sum of all servers',
          from: iso(range.from),
          to: iso(range.to),
          receive_bytes_per_second: statisticsOf(series.receive),
          transmit_bytes_per_second: statisticsOf(series.transmit),
          connections: statisticsOf(series.connections),
          connections_time_wait: statisticsOf(series.time_wait),
          connections_close_wait: statisticsOf(series.close_wait),
        },
        sources: [screens.network(chosen?.id ?? null, range)],
      };
    },
  }),
];
