import { figureKey, type ReadingCollector } from './collect-readings.ts';
import type { Series, WriteRequest } from './remote-write.ts';
import type { FigureKey, MetricSource } from './types.ts';

type Labels = Series['labels'];
type KeyOf = (label: (name: string) => string) => FigureKey;

const of =
  (figure: string, ...parts: readonly string[]): KeyOf =>
  () =>
    figureKey(figure, ...parts);
const filesystem =
  (what: string): KeyOf =>
  (label) =>
    figureKey('filesystem', label('device'), label('mountpoint'), label('fstype'), what);
const device =
  (figure: 'disk' | 'interface', what: string): KeyOf =>
  (label) =>
    figureKey(figure, label('device'), what);

/** Metrics of node_exporter that a report has a place for. */
const METRICS: Partial<Record<string, KeyOf>> = {
  node_cpu_seconds_total: (label) => figureKey('cpu', label('cpu'), label('mode')),
  node_memory_MemTotal_bytes: of('memory', 'total'),
  node_memory_MemAvailable_bytes: of('memory', 'available'),
  node_memory_MemFree_bytes: of('memory', 'free'),
  node_memory_Buffers_bytes: of('memory', 'buffers'),
  node_memory_Cached_bytes: of('memory', 'cached'),
  node_memory_SwapTotal_bytes: of('swap', 'total'),
  node_memory_SwapFree_bytes: of('swap', 'free'),
  node_filesystem_size_bytes: filesystem('size'),
  node_filesystem_free_bytes: filesystem('free'),
  node_filesystem_avail_bytes: filesystem('available'),
  node_filesystem_files: filesystem('inodes'),
  node_filesystem_files_free: filesystem('inodes-free'),
  node_disk_reads_completed_total: device('disk', 'reads'),
  node_disk_writes_completed_total: device('disk', 'writes'),
  node_disk_read_bytes_total: device('disk', 'read-bytes'),
  node_disk_written_bytes_total: device('disk', 'write-bytes'),
  node_disk_io_time_seconds_total: device('disk', 'busy-seconds'),
  node_network_receive_bytes_total: device('interface', 'receive-bytes'),
  node_network_transmit_bytes_total: device('interface', 'transmit-bytes'),
  node_network_receive_errs_total: device('interface', 'receive-errors'),
  node_network_transmit_errs_total: device('interface', 'transmit-errors'),
  node_network_receive_drop_total: device('interface', 'receive-drops'),
  node_network_transmit_drop_total: device('interface', 'transmit-drops'),
  node_network_up: device('interface', 'up'),
  node_netstat_Tcp_RetransSegs: of('tcp', 'retransmits'),
  node_load1: of('load', 'one'),
  node_load5: of('load', 'five'),
  node_load15: of('load', 'fifteen'),
  node_boot_time_seconds: of('boot-time'),
  node_uname_info: (label) =>
    figureKey('uname', label('nodename'), label('sysname'), label('release'), label('machine')),
  node_os_info: (label) => figureKey('os', label('id'), label('pretty_name') || label('name'), label('version_id')),
  node_exporter_build_info: (label) => figureKey('agent-version', label('version')),
};

export const isNodeExporterMetric = (name: string): boolean => Object.hasOwn(METRICS, name);

/** The port of node_exporter names no machine. */
const withoutPort = (instance: string): string => instance.replace(/:\d+$/, '');

function sourceOf(labels: Labels): MetricSource | null {
  const instance = labels.get('instance');
  if (instance === undefined || instance === '') return null;
  const identity = figureKey(labels.get('job') ?? '', instance);
  return { agent: 'prometheus', identity, name: figureKey(withoutPort(instance)) };
}

/** Takes the figures of node_exporter out of a remote write request. */
export function collectNodeExporter(request: WriteRequest, into: ReadingCollector): void {
  let wanted = 0;
  for (const { labels, samples } of request.series) {
    const keyOf = METRICS[labels.get('__name__') ?? ''];
    const source = sourceOf(labels);
    if (keyOf === undefined || source === null) continue;
    wanted += samples.length;
    const key = keyOf((name) => labels.get(name) ?? '');
    for (const { value, at } of samples) into.addValue(source, key, value, at);
  }
  into.ignored += request.samples - wanted;
}
