import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import snappyjs from 'snappyjs';

const { Bit64, LengthDelimited, Varint } = WireType;

/** A series as a sender of remote write has it; `at` in epoch milliseconds. */
export interface SentSeries {
  labels: Record<string, string>;
  samples: { value: number; at: number }[];
}

const pairsOf = ({ labels }: SentSeries): [string, string][] =>
  Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));

function writeSamples(writer: BinaryWriter, { samples }: SentSeries): void {
  for (const { value, at } of samples)
    writer.tag(2, LengthDelimited).fork().tag(1, Bit64).double(value).tag(2, Varint).int64(at).join();
}

/** Encodes prometheus.WriteRequest. */
export function writeRequestOne(series: readonly SentSeries[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const one of series) {
    writer.tag(1, LengthDelimited).fork();
    for (const [name, value] of pairsOf(one))
      writer
        .tag(1, LengthDelimited)
        .fork()
        .tag(1, LengthDelimited)
        .string(name)
        .tag(2, LengthDelimited)
        .string(value)
        .join();
    writeSamples(writer, one);
    writer.join();
  }
  return writer.finish();
}

/** Encodes io.prometheus.write.v2.Request. */
export function writeRequestTwo(series: readonly SentSeries[]): Uint8Array {
  const symbols = ['', ...new Set(series.flatMap((one) => pairsOf(one).flat()))];
  const writer = new BinaryWriter();
  for (const symbol of symbols) writer.tag(4, LengthDelimited).string(symbol);
  for (const one of series) {
    writer.tag(5, LengthDelimited).fork().tag(1, LengthDelimited).fork();
    for (const text of pairsOf(one).flat()) writer.uint32(symbols.indexOf(text));
    writer.join();
    writeSamples(writer, one);
    writer.join();
  }
  return writer.finish();
}

export const snappy = (bytes: Uint8Array): Uint8Array => snappyjs.compress(bytes);

const PROTO = 'application/x-protobuf';
export const REMOTE_WRITE_ONE = { 'content-type': PROTO, 'content-encoding': 'snappy' };
export const REMOTE_WRITE_TWO = {
  'content-type': `${PROTO};proto=io.prometheus.write.v2.Request`,
  'content-encoding': 'snappy',
};

const GB = 2 ** 30;

/**
 * What node_exporter says of a machine of two cores at a moment: `seconds` after its boot each core was busy a quarter of
 * the time, and a second brought 2,000 bytes and four writes.
 */
export function nodeExporter(instance: string, at: number, seconds: number): SentSeries[] {
  const series = (name: string, value: number, labels: Record<string, string> = {}): SentSeries => ({
    labels: { __name__: name, job: 'node', instance, ...labels },
    samples: [{ value, at }],
  });
  const root = { device: '/dev/vda1', mountpoint: '/', fstype: 'ext4' };
  return [
    ...['0', '1'].flatMap((cpu) => [
      series('node_cpu_seconds_total', seconds * 0.75, { cpu, mode: 'idle' }),
      series('node_cpu_seconds_total', seconds * 0.05, { cpu, mode: 'system' }),
      series('node_cpu_seconds_total', seconds * 0.2, { cpu, mode: 'user' }),
      series('node_cpu_seconds_total', 0, { cpu, mode: 'iowait' }),
    ]),
    series('node_memory_MemTotal_bytes', 8 * GB),
    series('node_memory_MemAvailable_bytes', 6 * GB),
    series('node_memory_SwapTotal_bytes', 2 * GB),
    series('node_memory_SwapFree_bytes', GB),
    series('node_filesystem_size_bytes', 100 * GB, root),
    series('node_filesystem_free_bytes', 40 * GB, root),
    series('node_filesystem_avail_bytes', 20 * GB, root),
    series('node_filesystem_size_bytes', GB, { device: 'tmpfs', mountpoint: '/run', fstype: 'tmpfs' }),
    series('node_filesystem_free_bytes', GB, { device: 'tmpfs', mountpoint: '/run', fstype: 'tmpfs' }),
    series('node_disk_writes_completed_total', seconds * 4, { device: 'vda' }),
    series('node_disk_writes_completed_total', seconds * 4, { device: 'dm-0' }),
    series('node_network_receive_bytes_total', seconds * 2000, { device: 'eth0' }),
    series('node_network_receive_bytes_total', seconds * 2000, { device: 'docker0' }),
    series('node_load1', 0.5),
    series('node_load5', 0.4),
    series('node_load15', 0.3),
    series('node_boot_time_seconds', at / 1000 - seconds),
    series('node_uname_info', 1, { nodename: 'web-1', sysname: 'Linux', release: '6.1.0', machine: 'x86_64' }),
    series('go_goroutines', 8),
  ];
}
