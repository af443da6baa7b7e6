import { interfaceKind } from '@plimsoll/contract/rules/machines/interfaces';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { cutText, isVisible, ownValue } from '@plimsoll/contract/rules/printable-text';
import { figureKey, metricSource, type NamedSource, type ReadingCollector } from './collect-readings.ts';
import type { Series, WriteRequest } from './remote-write.ts';
import { HARDWARE_LABELS, HARDWARE_METRICS, type KeyOf } from './node-exporter-hardware.ts';
import type { Wanted } from './types.ts';

type Labels = Series['labels'];

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
/** FreeBSD counts reads, writes and other transfers of a device apart, by a label. */
const transfers =
  (whats: Partial<Record<string, string>>): KeyOf =>
  (label) => {
    const what = ownValue(whats, label('type'));
    return what === undefined ? null : figureKey('disk', label('device'), what);
  };
/** Relations are kept of interfaces that their names do not decide about: a node has hundreds of others. */
const relation =
  (figure: string, ...labels: readonly string[]): KeyOf =>
  (label) =>
    interfaceKind(label('device'), null) === 'link' ? figureKey(figure, label('device'), ...labels.map(label)) : null;

/** Metrics of node_exporter that a report has a place for. */
const METRICS: Partial<Record<string, KeyOf>> = {
  ...HARDWARE_METRICS,
  node_cpu_seconds_total: (label) => figureKey('cpu', label('cpu'), label('mode')),
  node_pressure_cpu_waiting_seconds_total: of('pressure', 'cpu', 'waiting'),
  node_pressure_memory_waiting_seconds_total: of('pressure', 'memory', 'waiting'),
  node_pressure_memory_stalled_seconds_total: of('pressure', 'memory', 'stalled'),
  node_pressure_io_waiting_seconds_total: of('pressure', 'io', 'waiting'),
  node_pressure_io_stalled_seconds_total: of('pressure', 'io', 'stalled'),
  node_memory_MemTotal_bytes: of('memory', 'total'),
  node_memory_MemAvailable_bytes: of('memory', 'available'),
  node_memory_MemFree_bytes: of('memory', 'free'),
  node_memory_Buffers_bytes: of('memory', 'buffers'),
  node_memory_Cached_bytes: of('memory', 'cached'),
  node_memory_Shmem_bytes: of('memory', 'shared'),
  node_memory_SReclaimable_bytes: of('memory', 'reclaimable'),
  node_memory_HugePages_Free: of('memory', 'huge-free'),
  node_memory_HugePages_Rsvd: of('memory', 'huge-reserved'),
  node_memory_Hugepagesize_bytes: of('memory', 'huge-page'),
  node_zfs_arc_size: of('memory', 'arc'),
  node_zfs_arc_c_min: of('memory', 'arc-minimum'),
  node_memory_SwapTotal_bytes: of('swap', 'total'),
  node_memory_SwapFree_bytes: of('swap', 'free'),
  // macOS.
  node_memory_total_bytes: of('memory', 'total'),
  node_memory_compressed_bytes: of('memory', 'compressed'),
  node_memory_swap_total_bytes: of('swap', 'total'),
  // macOS and the BSDs.
  node_memory_active_bytes: of('memory', 'active'),
  node_memory_wired_bytes: of('memory', 'wired'),
  node_memory_free_bytes: of('memory', 'free'),
  node_memory_swap_used_bytes: of('swap', 'used'),
  // FreeBSD, DragonFly, OpenBSD, NetBSD. Only FreeBSD and Solaris name the cache of ZFS so.
  node_memory_size_bytes: of('memory', 'total'),
  node_memory_swap_size_bytes: of('swap', 'total'),
  node_zfs_arcstats_size_bytes: of('memory', 'arc'),
  node_zfs_arcstats_c_min_bytes: of('memory', 'arc-minimum'),
  node_filesystem_size_bytes: filesystem('size'),
  node_filesystem_free_bytes: filesystem('free'),
  node_filesystem_avail_bytes: filesystem('available'),
  node_filesystem_files: filesystem('inodes'),
  node_filesystem_files_free: filesystem('inodes-free'),
  node_filesystem_readonly: filesystem('read-only'),
  node_disk_reads_completed_total: device('disk', 'reads'),
  node_disk_writes_completed_total: device('disk', 'writes'),
  node_disk_read_bytes_total: device('disk', 'read-bytes'),
  node_disk_written_bytes_total: device('disk', 'write-bytes'),
  node_disk_io_time_seconds_total: device('disk', 'busy-seconds'),
  // FreeBSD, where the collector devstat is on.
  node_devstat_transfers_total: transfers({ read: 'reads', write: 'writes' }),
  node_devstat_bytes_total: transfers({ read: 'read-bytes', write: 'write-bytes' }),
  node_devstat_busy_time_seconds_total: device('disk', 'busy-seconds'),
  node_network_receive_bytes_total: device('interface', 'receive-bytes'),
  node_network_transmit_bytes_total: device('interface', 'transmit-bytes'),
  node_network_receive_errs_total: device('interface', 'receive-errors'),
  node_network_transmit_errs_total: device('interface', 'transmit-errors'),
  node_network_receive_drop_total: device('interface', 'receive-drops'),
  node_network_transmit_drop_total: device('interface', 'transmit-drops'),
  node_network_up: device('interface', 'up'),
  node_network_info: relation('interface-address', 'address', 'operstate'),
  node_network_iface_id: relation('interface-index'),
  node_network_iface_link: relation('interface-below'),
  node_bonding_slaves: (label) => figureKey('bond', label('master')),
  node_netstat_Tcp_RetransSegs: of('tcp', 'retransmits'),
  node_load1: of('load', 'one'),
  node_load5: of('load', 'five'),
  node_load15: of('load', 'fifteen'),
  node_boot_time_seconds: of('boot-time'),
  node_uname_info: (label) =>
    figureKey('uname', label('nodename'), label('sysname'), label('release'), label('machine')),
  node_os_info: (label) => figureKey('os', label('id'), label('pretty_name') || label('name'), label('version_id')),
  node_dmi_info: (label) => (label('product_uuid') === '' ? null : figureKey('machine-id', label('product_uuid'))),
  node_exporter_build_info: (label) => figureKey('agent-version', label('version')),
};

/** Labels that the figures above are named by. */
const LABELS = new Set([
  ...HARDWARE_LABELS,
  ...`job instance address operstate master device mountpoint fstype cpu mode nodename sysname release machine id pretty_name name version_id
   version type product_uuid machine_id`.split(/\s+/),
]);

/**
 * Labels that Prometheus adds to all series (external_labels, labels of a target) and that tell machines of one job and
 * instance apart. Labels of replicas are none: two replicas scrape one machine.
 */
const APART = [
  'cluster',
  'cluster_name',
  'cluster_id',
  'k8s_cluster',
  'kubernetes_cluster',
  'datacenter',
  'dc',
  'site',
  'region',
  'env',
  'environment',
  'tenant',
  'project',
  'node',
  'host',
  'hostname',
] as const;

export const NODE_EXPORTER: Wanted = {
  isMetric: (name) => Object.hasOwn(METRICS, name),
  isLabel: (name) => LABELS.has(name) || (APART as readonly string[]).includes(name),
};

/** The port of node_exporter names no machine. */
const withoutPort = (instance: string): string => instance.replace(/:\d+$/, '');

function sourceOf(labels: Labels): NamedSource | null {
  const instance = labels.get('instance') ?? '';
  if (!isVisible(instance)) return null;
  const source = metricSource('prometheus', {
    identity: [labels.get('job') ?? '', instance],
    name: withoutPort(instance),
  });
  if (source === null) return null;
  const apart = APART.flatMap((name) => {
    const value = labels.get(name) ?? '';
    return isVisible(value) ? [`${name} ${figureKey('', value).trim()}`] : [];
  });
  return { ...source, apart: cutText(apart.join(', '), EXTERNAL_METRICS_LIMITS.labelCharacters) };
}

/** Returns the machine of each series. The series of one follow one another, so its texts are read once. */
function sourceReader(): (labels: Labels) => NamedSource | null {
  let before: (string | undefined)[] = [];
  let source: NamedSource | null = null;
  return (labels) => {
    const names = [labels.get('job'), labels.get('instance'), ...APART.map((name) => labels.get(name))];
    if (names.some((text, index) => text !== before[index])) [before, source] = [names, sourceOf(labels)];
    return source;
  };
}

/** Some installations add the id of the machine to the series that describe it. */
function addMachineId(into: ReadingCollector, source: NamedSource, labels: Labels, samples: Series['samples']): void {
  const id = labels.get('machine_id') ?? '';
  const [newest] = samples.toSorted((a, b) => b.at - a.at);
  if (isVisible(id) && newest !== undefined) into.addFact(source, figureKey('machine-id', id), newest.at);
}

/** Takes the figures of node_exporter out of a remote write request. */
export function collectNodeExporter(request: WriteRequest, into: ReadingCollector): void {
  let wanted = 0;
  const readSource = sourceReader();
  for (const { labels, samples } of request.series) {
    const keyOf = METRICS[labels.get('__name__') ?? ''];
    const source = readSource(labels);
    if (keyOf === undefined || source === null) continue;
    const key = keyOf((name) => labels.get(name) ?? '');
    if (key === null) continue;
    wanted += samples.length;
    for (const { value, at } of samples) into.addValue(source, key, value, at);
    addMachineId(into, source, labels, samples);
  }
  into.ignored += request.samples - request.unreadable - wanted;
  into.unreadable += request.unreadable;
}
