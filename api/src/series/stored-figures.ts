import type { Report } from '@plimsoll/contract/wire/report';
import { distinctDevices, highest, share, sum, sumOfDisks, sumOfInterfaces } from './part-totals.ts';

/**
 * The table of stored figures. One line adds a figure: insert parameters, sample columns, rollup and fleet SQL, bands and
 * the fields of the answers are generated from it. The migration and the contract name it once more each.
 */

/** Every value is in base units; a route converts bytes to gigabytes where the contract says so. */
type Unit =
  | 'percent'
  | 'bytes'
  | 'bytes per second'
  | 'operations per second'
  | 'segments per second'
  | 'tasks'
  | 'sockets';

/** The series call that answers a figure, and the field of its point. */
export type Chart = 'metrics' | 'network';

export interface Rollup {
  /** Prefix of its columns in the rollup tables and in fleet_rollup. */
  column: string;
  /** `band`: mean, least, most and the number of known values. `mean`: the mean alone. */
  keeps: 'band' | 'mean';
  /** Averages per cents over servers; sums rates and counts. */
  overServers: 'average' | 'sum';
  /** A sum over servers also keeps the server with the highest value, in NAME_top. */
  keepsTop?: true;
  chart: Chart;
  field: string;
}

interface Latest {
  /** Field of GET /api/data/metrics. */
  field: string;
  /** Source of the collector whose error says why the figure is missing. */
  source: string;
  /** Reason when the platform has no such figure. */
  missingOn?: Partial<Record<string, string>>;
}

interface FigureRow {
  unit: Unit;
  latest?: Latest;
  rollup?: Rollup;
}
interface StoredFigure extends FigureRow {
  /** The same in host_sample, in server_latest and in the JSON of a report's insert. */
  column: string;
  type: 'real' | 'double precision' | 'integer';
  read: (report: Report) => number | null | undefined;
}
interface DerivedFigure extends FigureRow {
  /** SQL over the columns of a sample. */
  expression: string;
}

const connections = <Column extends string, Field extends string>(
  column: Column,
  field: Field,
  read: (counts: NonNullable<Report['connection_counts']>) => number,
) => ({
  column,
  type: 'integer' as const,
  unit: 'sockets' as const,
  read: ({ connection_counts: counts }: Report) => counts && read(counts),
  rollup: { column, keeps: 'mean' as const, overServers: 'sum' as const, chart: 'network' as const, field },
});

/** Figures with a column in a sample, by their name in the code. */
export const STORED_FIGURES = {
  cpuPercent: {
    column: 'cpu_percent',
    type: 'real',
    unit: 'percent',
    read: ({ cpu }) => cpu?.percent,
    latest: { field: 'cpu_usage', source: 'cpu' },
    rollup: { column: 'cpu', keeps: 'band', overServers: 'average', keepsTop: true, chart: 'metrics', field: 'cpu' },
  },
  ioWaitPercent: {
    column: 'io_wait_percent',
    type: 'real',
    unit: 'percent',
    read: ({ cpu }) => cpu?.io_wait_percent,
    latest: { field: 'io_wait', source: 'cpu', missingOn: { darwin: 'Not available on macOS' } },
    rollup: { column: 'io_wait', keeps: 'band', overServers: 'average', chart: 'metrics', field: 'io_wait' },
  },
  memoryPercent: {
    column: 'memory_percent',
    type: 'real',
    unit: 'percent',
    read: ({ memory }) => memory && share(memory.used_bytes, memory.total_bytes),
    latest: { field: 'memory_usage', source: 'memory' },
    rollup: {
      column: 'memory',
      keeps: 'band',
      overServers: 'average',
      keepsTop: true,
      chart: 'metrics',
      field: 'memory',
    },
  },
  swapPercent: {
    column: 'swap_percent',
    type: 'real',
    unit: 'percent',
    read: ({ memory }) => memory && share(memory.swap_used_bytes, memory.swap_total_bytes),
    latest: { field: 'swap_usage', source: 'memory' },
    rollup: { column: 'swap', keeps: 'band', overServers: 'average', chart: 'metrics', field: 'swap' },
  },
  memoryUsedBytes: {
    column: 'memory_used_bytes',
    type: 'double precision',
    unit: 'bytes',
    read: ({ memory }) => memory?.used_bytes,
    latest: { field: 'memory_used_gb', source: 'memory' },
  },
  /** The fullest filesystem as df shows it: used ÷ (used + available). */
  diskPercent: {
    column: 'disk_percent',
    type: 'real',
    unit: 'percent',
    read: ({ filesystems }) =>
      highest((filesystems ?? []).map((one) => share(one.used_bytes, one.used_bytes + one.available_bytes))),
    latest: { field: 'disk_usage', source: 'filesystem' },
    rollup: { column: 'disk', keeps: 'band', overServers: 'average', keepsTop: true, chart: 'metrics', field: 'disk' },
  },
  diskUsedBytes: {
    column: 'disk_used_bytes',
    type: 'double precision',
    unit: 'bytes',
    read: ({ filesystems }) => filesystems && sum(distinctDevices(filesystems).map((one) => one.used_bytes)),
    latest: { field: 'storage_used_gb', source: 'filesystem' },
  },
  readOperationsPerSecond: {
    column: 'read_operations_per_second',
    type: 'real',
    unit: 'operations per second',
    read: (report) => sumOfDisks(report, 'read_operations_per_second'),
    latest: { field: 'read_iops', source: 'disk-io' },
  },
  writeOperationsPerSecond: {
    column: 'write_operations_per_second',
    type: 'real',
    unit: 'operations per second',
    read: (report) => sumOfDisks(report, 'write_operations_per_second'),
    latest: { field: 'write_iops', source: 'disk-io' },
  },
  receiveBytesPerSecond: {
    column: 'receive_bytes_per_second',
    type: 'real',
    unit: 'bytes per second',
    read: (report) => sumOfInterfaces(report, 'receive_bytes_per_second'),
    latest: { field: 'inbound_bytes_per_sec', source: 'network' },
    rollup: { column: 'receive', keeps: 'band', overServers: 'sum', chart: 'network', field: 'inbound' },
  },
  transmitBytesPerSecond: {
    column: 'transmit_bytes_per_second',
    type: 'real',
    unit: 'bytes per second',
    read: (report) => sumOfInterfaces(report, 'transmit_bytes_per_second'),
    latest: { field: 'outbound_bytes_per_sec', source: 'network' },
    rollup: { column: 'transmit', keeps: 'band', overServers: 'sum', chart: 'network', field: 'outbound' },
  },
  tcpRetransmitsPerSecond: {
    column: 'tcp_retransmits_per_second',
    type: 'real',
    unit: 'segments per second',
    read: ({ tcp }) => tcp?.retransmits_per_second,
    latest: {
      field: 'tcp_retransmits_per_sec',
      source: 'network',
      missingOn: { darwin: 'Not available on macOS' },
    },
    rollup: {
      column: 'tcp_retransmits',
      keeps: 'band',
      overServers: 'sum',
      chart: 'metrics',
      field: 'tcp_retransmits',
    },
  },
  loadOne: {
    column: 'load_one',
    type: 'real',
    unit: 'tasks',
    read: ({ load }) => load?.one,
    latest: { field: 'load_1m', source: 'load' },
    rollup: { column: 'load', keeps: 'band', overServers: 'average', chart: 'metrics', field: 'load' },
  },
  connectionsTotal: connections('connections_total', 'total_connections', (counts) => counts.total),
  connectionsEstablished: connections(
    'connections_established',
    'connections_established',
    (counts) => counts.established,
  ),
  connectionsListen: connections('connections_listen', 'connections_listen', (counts) => counts.listen),
  connectionsTimeWait: connections('connections_time_wait', 'connections_time_wait', (counts) => counts.time_wait),
  connectionsCloseWait: connections('connections_close_wait', 'connections_close_wait', (counts) => counts.close_wait),
  connectionsSynSent: connections('connections_syn_sent', 'connections_syn_sent', (counts) => counts.syn_sent),
  connectionsSynRecv: connections('connections_syn_recv', 'connections_syn_recv', (counts) => counts.syn_recv),
} as const satisfies Record<string, StoredFigure>;

/** Figures that SQL and routes compute from stored ones. */
const DERIVED_FIGURES = {
  operationsPerSecond: {
    expression: 'read_operations_per_second + write_operations_per_second',
    unit: 'operations per second',
    latest: { field: 'iops', source: 'disk-io' },
    rollup: { column: 'operations', keeps: 'band', overServers: 'sum', chart: 'metrics', field: 'iops' },
  },
} as const satisfies Record<string, DerivedFigure>;

type Stored = typeof STORED_FIGURES;
type All = Stored & typeof DERIVED_FIGURES;
/** Names of the figures whose line in the table has this shape. */
type Named<Shape> = { [Name in keyof All]: All[Name] extends Shape ? Name : never }[keyof All];

export type StoredFigureName = keyof Stored;
export type FigureName = keyof All;
export type SampleColumn = Stored[StoredFigureName]['column'];
export type LatestField = Extract<All[FigureName], { latest: Latest }>['latest']['field'];
export type BandName<C extends Chart> = Named<{ rollup: { chart: C; keeps: 'band' } }>;
export type MeanName<C extends Chart> = Named<{ rollup: { chart: C; keeps: 'mean' } }>;
export type RollupField<C extends Chart> = Extract<All[FigureName], { rollup: { chart: C } }>['rollup']['field'];

const storedEntries = Object.entries<StoredFigure>(STORED_FIGURES) as [StoredFigureName, StoredFigure][];
/** Every figure, with the SQL that reads it from a sample. */
export const FIGURES: [FigureName, FigureRow & { expression: string }][] = [
  ...storedEntries.map(([name, figure]): [FigureName, FigureRow & { expression: string }] => [
    name,
    { ...figure, expression: figure.column },
  ]),
  ...Object.entries(DERIVED_FIGURES).map(([name, figure]) => [name, figure] as [FigureName, DerivedFigure]),
];

/** Column and type of each figure of a sample. */
export const SAMPLE_COLUMNS = Object.fromEntries(storedEntries.map(([, { column, type }]) => [column, type])) as Record<
  SampleColumn,
  StoredFigure['type']
>;
export const SAMPLE_COLUMN_NAMES = Object.keys(SAMPLE_COLUMNS) as SampleColumn[];
export type SampleFigures = Record<SampleColumn, number | null>;

/** Returns the figures of one report, by column. A filesystem whose mount point is hidden is not the fullest one. */
export function figuresOf(report: Report, hiddenMounts?: ReadonlySet<string>): SampleFigures {
  const figures = Object.fromEntries(
    storedEntries.map(([, { column, read }]) => [column, read(report) ?? null]),
  ) as SampleFigures;
  if (hiddenMounts === undefined || report.filesystems === undefined) return figures;
  const filesystems = report.filesystems.filter(({ mount }) => !hiddenMounts.has(mount));
  return { ...figures, disk_percent: STORED_FIGURES.diskPercent.read({ ...report, filesystems }) ?? null };
}

/** One sample of a host; null is unknown. */
export type Sample = { sampleAt: number } & Record<StoredFigureName, number | null>;

/** Returns the sample of a row of host_sample or server_latest. */
export const sampleOf = (row: SampleFigures & { at: number }): Sample => ({
  sampleAt: row.at,
  ...(Object.fromEntries(storedEntries.map(([name, { column }]) => [name, row[column as SampleColumn]])) as Record<
    StoredFigureName,
    number | null
  >),
});

/** Returns disk operations per second, read and written; null when neither is known. */
export const operationsOf = (sample: Sample | null): number | null =>
  sample === null ? null : sum([sample.readOperationsPerSecond, sample.writeOperationsPerSecond]);

/** Returns the value of any figure, stored or derived. */
export const valueOf = (sample: Sample, name: FigureName): number | null =>
  name === 'operationsPerSecond' ? operationsOf(sample) : sample[name];

/** A figure of GET /api/data/metrics. */
export interface LatestFigure extends Latest {
  name: FigureName;
  unit: Unit;
}
export const LATEST_FIGURES: readonly LatestFigure[] = FIGURES.flatMap(([name, { unit, latest }]) =>
  latest === undefined ? [] : [{ name, unit, ...latest }],
);
