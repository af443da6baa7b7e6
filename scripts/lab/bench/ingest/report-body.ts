import { gzipSync } from 'node:zlib';

/** Figures that differ from report to report and are the same in every run (mulberry32). */
export const figures = (seed: number): ((most: number, digits?: number) => number) => {
  let state = seed;
  return (most, digits = 0) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    const share = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return Math.round(share * most * 10 ** digits) / 10 ** digits;
  };
};
type Figure = ReturnType<typeof figures>;

/** Makes a minute's report of one agent: 40 processes and 78 connections, 24 KB of JSON. */
const process = (figure: Figure) => (index: number) => ({
  pid: 1000 + index * 37,
  name: `worker-${index}`,
  command: `/usr/lib/app/bin/worker --config /etc/app/worker-${index}.conf --threads 8 --log-level info`,
  user: index % 3 === 0 ? 'root' : 'app',
  status: 'S',
  cpu_percent: figure(40, 1),
  memory_percent: figure(5, 2),
  memory_bytes: 50_000_000 + figure(12_000) * 4096,
  threads: 8,
  started_at: 1_700_000_000 + index,
});
const connection = (figure: Figure) => (index: number) => ({
  remote_ip: `203.0.${figure(255)}.0`,
  remote_port: 32_768 + figure(28_000),
  local_port: 443,
  protocol: 'tcp',
  family: 'ipv4',
  state: 'ESTABLISHED',
  pid: 1000 + (index % 50) * 37,
  importance_score: figure(100),
});
const list = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

const reportOf = (figure: Figure) => ({
  kind: 'host',
  window_seconds: 60,
  cpu: {
    percent: figure(60, 1),
    io_wait_percent: figure(3, 1),
    steal_percent: 0,
    user_percent: 30,
    system_percent: 7.5,
    per_core_percent: list(8, () => figure(100, 1)),
  },
  memory: {
    total_bytes: 16e9,
    available_bytes: 9e9,
    used_bytes: 7e9,
    swap_total_bytes: 2e9,
    swap_used_bytes: 1e8,
  },
  filesystems: ['/', '/boot', '/var', '/home'].map((mount, index) => ({
    mount,
    device: `/dev/nvme0n1p${index + 1}`,
    type: 'ext4',
    size_bytes: 5e11,
    used_bytes: 2e11,
    available_bytes: 2.8e11,
    inodes_total: 3e7,
    inodes_used: 1e6,
  })),
  disks: ['nvme0n1', 'nvme1n1'].map((device) => ({
    device,
    read_operations_per_second: figure(50, 2),
    write_operations_per_second: figure(200, 2),
    read_bytes_per_second: 1e6,
    write_bytes_per_second: 3e6,
    busy_percent: 4.5,
  })),
  interfaces: ['eth0', 'eth1'].map((name) => ({
    name,
    receive_bytes_per_second: figure(2e6, 1),
    transmit_bytes_per_second: figure(2e6, 1),
    receive_errors_per_second: 0,
    transmit_errors_per_second: 0,
    receive_drops_per_second: 0,
    transmit_drops_per_second: 0,
    up: true,
  })),
  system: {
    hostname: 'bench',
    platform: 'linux',
    os_type: 'debian',
    os_name: 'Debian GNU/Linux',
    os_version: '12',
    kernel: '6.1.0-18-amd64',
    architecture: 'amd64',
    cpu_model: 'AMD EPYC 7763',
    cpu_cores: 8,
    uptime_seconds: 100_000,
    region: null,
    collector_version: '0.1.0',
    virtualization: null,
  },
  processes: list(40, process(figure)),
  connections: list(78, connection(figure)),
  connection_counts: { total: 100, established: 90, listen: 10, time_wait: 0, close_wait: 0, syn_sent: 0, syn_recv: 0 },
  load: { one: 1.5, five: 1.2, fifteen: 1 },
  agent: {
    version: '0.1.0',
    spool_bytes: 4096,
    spool_oldest_age_seconds: 60,
    retries: 0,
    last_error: null,
    clock_skew_seconds: 0,
    sources: Object.fromEntries(
      ['cpu', 'memory', 'filesystem', 'disk-io', 'network', 'connections', 'processes', 'system'].map((name) => [
        name,
        { ok: true, duration_ms: 1.5, error: null },
      ]),
    ),
  },
});

/** `variant` decides the figures. The server stamps the sample with its time of arrival less the age, whenever it is sent. */
export const bodyOf = (serverId: string, seq: number, variant = seq, ageSeconds = 0): Buffer => {
  const up = 100_000 + seq * 60;
  return Buffer.from(
    JSON.stringify({
      v: 1,
      server_id: serverId,
      stream_id: serverId.replaceAll('-', ''),
      boot_id: 'bench-boot',
      sent_at: Date.now() / 1000,
      up_now: up + ageSeconds,
      dropped: [],
      reports: [{ seq, ts: Date.now() / 1000 - ageSeconds, up, ...reportOf(figures(variant)) }],
    }),
  );
};
export const gzipped = (body: Buffer): Buffer => gzipSync(body);
