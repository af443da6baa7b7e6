import type { Report } from '@plimsoll/contract/wire/report';
import type { Sample } from './types.ts';

/** Column and type of each figure of a sample; the same names in host_sample, in server_latest and in the JSON of accept. */
export const SAMPLE_COLUMNS = {
  cpu_percent: 'real',
  io_wait_percent: 'real',
  memory_percent: 'real',
  swap_percent: 'real',
  memory_used_bytes: 'double precision',
  disk_percent: 'real',
  disk_used_bytes: 'double precision',
  read_operations_per_second: 'real',
  write_operations_per_second: 'real',
  receive_bytes_per_second: 'real',
  transmit_bytes_per_second: 'real',
  load_one: 'real',
  connections_total: 'integer',
  connections_established: 'integer',
  connections_listen: 'integer',
  connections_time_wait: 'integer',
  connections_close_wait: 'integer',
  connections_syn_sent: 'integer',
  connections_syn_recv: 'integer',
} as const;
export type SampleColumn = keyof typeof SAMPLE_COLUMNS;
export type SampleFigures = Record<SampleColumn, number | null>;
export const SAMPLE_COLUMN_NAMES = Object.keys(SAMPLE_COLUMNS) as SampleColumn[];

/** A part larger than its whole is a reading gone wrong: unknown, and no figure of millions of per cent. */
const share = (part: number, whole: number): number | null =>
  whole > 0 && part <= whole ? Math.min(100, (100 * part) / whole) : null;
/** Sum of what is known; unknown when nothing is. */
const sum = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};
const highest = (values: (number | null)[]): number | null =>
  values.reduce<number | null>((top, value) => (value === null || (top !== null && top >= value) ? top : value), null);

type Filesystems = NonNullable<Report['filesystems']>;
/** A device mounted twice counts once. */
const distinctDevices = (filesystems: Filesystems): Filesystems => [
  ...new Map(filesystems.map((filesystem) => [filesystem.device, filesystem])).values(),
];
export const storageTotalOf = ({ filesystems }: Report): number | null =>
  filesystems ? sum(distinctDevices(filesystems).map((filesystem) => filesystem.size_bytes)) : null;

const connectionFigures = (counts: Report['connection_counts']) => {
  const of = (count: number | undefined) => count ?? null;
  return {
    connections_total: of(counts?.total),
    connections_established: of(counts?.established),
    connections_listen: of(counts?.listen),
    connections_time_wait: of(counts?.time_wait),
    connections_close_wait: of(counts?.close_wait),
    connections_syn_sent: of(counts?.syn_sent),
    connections_syn_recv: of(counts?.syn_recv),
  };
};

/**
 * The figures of one report. Disk per cent is that of the fullest filesystem as df shows it, used ÷ (used + available);
 * disk bytes are sums over distinct devices; rates are sums over disks and interfaces.
 */
export const figuresOf = (report: Report): SampleFigures => {
  const { cpu, memory, filesystems, disks = [], interfaces = [] } = report;
  return {
    cpu_percent: cpu?.percent ?? null,
    io_wait_percent: cpu?.io_wait_percent ?? null,
    memory_percent: memory ? share(memory.used_bytes, memory.total_bytes) : null,
    swap_percent: memory ? share(memory.swap_used_bytes, memory.swap_total_bytes) : null,
    memory_used_bytes: memory?.used_bytes ?? null,
    disk_percent: highest((filesystems ?? []).map((f) => share(f.used_bytes, f.used_bytes + f.available_bytes))),
    disk_used_bytes: filesystems ? sum(distinctDevices(filesystems).map((f) => f.used_bytes)) : null,
    read_operations_per_second: sum(disks.map((disk) => disk.read_operations_per_second)),
    write_operations_per_second: sum(disks.map((disk) => disk.write_operations_per_second)),
    receive_bytes_per_second: sum(interfaces.map((one) => one.receive_bytes_per_second)),
    transmit_bytes_per_second: sum(interfaces.map((one) => one.transmit_bytes_per_second)),
    load_one: report.load?.one ?? null,
    ...connectionFigures(report.connection_counts),
  };
};

/** The reverse, from a row of host_sample or server_latest. */
export const sampleOf = (row: SampleFigures & { at: number }): Sample => ({
  sampleAt: row.at,
  cpuPercent: row.cpu_percent,
  ioWaitPercent: row.io_wait_percent,
  memoryPercent: row.memory_percent,
  swapPercent: row.swap_percent,
  memoryUsedBytes: row.memory_used_bytes,
  diskPercent: row.disk_percent,
  diskUsedBytes: row.disk_used_bytes,
  readOperationsPerSecond: row.read_operations_per_second,
  writeOperationsPerSecond: row.write_operations_per_second,
  receiveBytesPerSecond: row.receive_bytes_per_second,
  transmitBytesPerSecond: row.transmit_bytes_per_second,
  loadOne: row.load_one,
  connections: connectionsOf(row),
});

type ConnectionFigures = Pick<SampleFigures, Extract<SampleColumn, `connections_${string}`>>;
/** Null when the source of connections told nothing. */
export const connectionsOf = (row: ConnectionFigures): Sample['connections'] =>
  row.connections_total === null
    ? null
    : {
        total: row.connections_total,
        established: row.connections_established ?? 0,
        listen: row.connections_listen ?? 0,
        timeWait: row.connections_time_wait ?? 0,
        closeWait: row.connections_close_wait ?? 0,
        synSent: row.connections_syn_sent ?? 0,
        synRecv: row.connections_syn_recv ?? 0,
      };
