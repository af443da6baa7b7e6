import { z } from 'zod';
import { GAP_REASONS, RESOURCES, UNAVAILABLE_REASONS } from '../rules/limits.ts';

/** A figure with its age: null value means unknown, and `reason` then says why. */
export const figure = z.object({ value: z.number().nullable(), reason: z.string().nullable() });

/** GET /api/data/metrics: the latest of each server. Latest values never expire: they get an age. */
export const latestMetricsItem = z.object({
  server_id: z.uuid(),
  /** Epoch seconds of the sample; null when there never was one. */
  timestamp: z.number().nullable(),
  age_seconds: z.number().nonnegative().nullable(),
  metrics: z.object({
    cpu_usage: figure,
    memory_usage: figure,
    disk_usage: figure,
    iops: figure,
    io_wait: figure,
    swap_usage: figure,
    memory_used_gb: figure,
    storage_used_gb: figure,
    inbound_bytes_per_sec: figure,
    outbound_bytes_per_sec: figure,
    read_iops: figure,
    write_iops: figure,
    load_1m: figure,
    /** Absent from a server of version 0.1.0. */
    tcp_retransmits_per_sec: figure.optional(),
  }),
});
export const latestMetricsAnswer = z.object({ metrics: z.array(latestMetricsItem), total: z.int() });

const band = z.object({ avg: z.number().nullable(), min: z.number().nullable(), max: z.number().nullable() });
/** Servers in a bucket of a sum, and those that were installed; null of one server, and where it is not known. */
export const reporting = {
  servers_reported: z.int().nonnegative().nullable().optional(),
  servers_installed: z.int().nonnegative().nullable().optional(),
};
/** A bucket; all three series are null in a gap. cpu, memory, disk repeat the averages under the spec's names. */
export const timeseriesPoint = z.object({
  timestamp: z.number(),
  time: z.iso.datetime(),
  cpu: z.number().nullable(),
  memory: z.number().nullable(),
  disk: z.number().nullable(),
  bands: z.object({
    cpu: band,
    memory: band,
    disk: band,
    io_wait: band,
    iops: band,
    swap: band.optional(),
    load: band.optional(),
    tcp_retransmits: band.optional(),
  }),
  count: z.int().nonnegative(),
  /** The server of each `bands.*.max`, by its place in `top_servers`; null where it is not known. Of a sum only. */
  top: z.object({ cpu: z.int().nullable(), memory: z.int().nullable(), disk: z.int().nullable() }).optional(),
  ...reporting,
});
export const gap = z.object({
  server_id: z.uuid(),
  from: z.number(),
  to: z.number(),
  reason: z.enum(GAP_REASONS),
  detail: z.string(),
});
/**
 * A stretch whose samples the time-series store does not answer; the buckets in it come from rollups, where there are
 * any. Epoch seconds.
 */
export const unavailable = z.object({
  from: z.number(),
  to: z.number(),
  reason: z.enum(UNAVAILABLE_REASONS),
  detail: z.string(),
});
/** The moment of the highest value of a figure: of the sample itself, where samples are stored. Epoch seconds. */
const peak = z.object({
  timestamp: z.number(),
  value: z.number(),
  server_id: z.uuid(),
  /** Length of the rollup that begins at `timestamp`; 0: `timestamp` is that of the sample. */
  step_seconds: z.int(),
});
export const timeseriesAnswer = z.object({
  timeseries: z.array(timeseriesPoint),
  bucket_seconds: z.number().positive(),
  from: z.number(),
  to: z.number(),
  /** True when more than one server was put together. */
  aggregated: z.boolean(),
  /** Servers that were the highest of all in a bucket; absent from a server of version 0.1.0. */
  top_servers: z.array(z.object({ server_id: z.uuid(), name: z.string() })).optional(),
  /** The highest moment of the range; null: not known. Absent from an older server. */
  peaks: z.object({ cpu: peak.nullable(), memory: peak.nullable(), disk: peak.nullable() }).optional(),
  gaps: z.array(gap),
  /** Absent if there is none. */
  unavailable: z.array(unavailable).optional(),
});

/**
 * GET /api/data/metrics/sparks: a small chart of each server, of the resource nearest its line. Servers that are not
 * the caller's, or that never reported, are absent.
 */
export const spark = z.object({
  server_id: z.uuid(),
  resource: z.enum(RESOURCES),
  /** Mean per cent of each bucket from `from` on; null where nothing came. */
  values: z.array(z.number().nullable()),
});
export const sparksAnswer = z.object({
  /** Epoch seconds of the first bucket's start and the last one's end, which may lie ahead. */
  from: z.number(),
  to: z.number(),
  bucket_seconds: z.number().positive(),
  sparks: z.array(spark),
});

/** Figures of a series of hosts: the names of its bands. */
export const SERIES_FIGURES = ['cpu', 'memory', 'disk', 'io_wait', 'iops', 'swap', 'load', 'tcp_retransmits'] as const;
export type SeriesFigure = (typeof SERIES_FIGURES)[number];
/** GET /api/data/metrics/compare: one figure of several servers, in the order asked. Servers that are not the caller's are absent. */
export const comparisonAnswer = z.object({
  /** Epoch seconds of the first bucket's start and the last one's end, which may lie ahead. */
  from: z.number(),
  to: z.number(),
  bucket_seconds: z.number().positive(),
  /** Mean of each bucket from `from` on; null where nothing came. */
  servers: z.array(z.object({ server_id: z.uuid(), values: z.array(z.number().nullable()) })),
});

export type Figure = z.infer<typeof figure>;
export type LatestMetricsItem = z.infer<typeof latestMetricsItem>;
export type LatestMetricsAnswer = z.infer<typeof latestMetricsAnswer>;
export type TimeseriesPeak = z.infer<typeof peak>;
export type TimeseriesPoint = z.infer<typeof timeseriesPoint>;
export type TimeseriesAnswer = z.infer<typeof timeseriesAnswer>;
export type Spark = z.infer<typeof spark>;
export type SparksAnswer = z.infer<typeof sparksAnswer>;
export type ComparisonAnswer = z.infer<typeof comparisonAnswer>;
export type Gap = z.infer<typeof gap>;
export type Unavailable = z.infer<typeof unavailable>;
