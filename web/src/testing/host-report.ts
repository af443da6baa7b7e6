import type { Report } from '@plimsoll/contract/wire/report';
import type { FleetServer } from './fleet.ts';

type Inside = 'pressure' | 'temperatures' | 'containers' | 'units';

/** Figures that differ from one report to the next; per cents 0–100. */
export interface HostSample {
  cpu: number;
  memory: number;
  disk: number;
  ioWait?: number | null;
  operations?: number;
  receive?: number;
  transmit?: number;
  cores?: number;
  memoryGb?: number;
  storageGb?: number;
  os?: { name: string; version: string };
  platform?: 'linux' | 'darwin';
  processes?: Report['processes'];
  connections?: Report['connections'];
  events?: Report['events'];
  /** Parts that stand instead of the usual ones. */
  instead?: Partial<Pick<Report, 'filesystems' | 'interfaces' | 'connection_counts' | 'agent' | Inside>>;
}

const GB = 2 ** 30;

interface ReportOptions {
  seq: number;
  secondsAgo: number;
  /** Seconds since the machine started, now. */
  uptime: number;
  server: FleetServer;
  sample: HostSample;
}

function systemOf({ server, sample, uptime, secondsAgo }: ReportOptions): NonNullable<Report['system']> {
  const os = sample.os ?? { name: 'Debian', version: '12' };
  return {
    hostname: server.hostname,
    platform: sample.platform ?? 'linux',
    os_type: os.name.toLowerCase(),
    os_name: os.name,
    os_version: os.version,
    kernel: '6.1.0-28',
    architecture: 'amd64',
    cpu_model: 'AMD EPYC 7763',
    cpu_cores: sample.cores ?? 8,
    uptime_seconds: uptime - secondsAgo,
    region: server.region ?? null,
    collector_version: '0.1.0',
    virtualization: null,
  };
}

/** A whole report of a host around a few figures. */
export function hostReport(options: ReportOptions): Report {
  const { seq, secondsAgo, uptime, sample } = options;
  const { memoryGb = 32, storageGb = 500, cores = 8, operations = 800 } = sample;
  const used = (sample.memory / 100) * memoryGb * GB;
  const size = storageGb * GB;
  return {
    seq,
    ts: Date.now() / 1000 - secondsAgo,
    up: uptime - secondsAgo,
    kind: 'host',
    window_seconds: 60,
    cpu: {
      percent: sample.cpu,
      io_wait_percent: sample.ioWait === undefined ? 1 : sample.ioWait,
      steal_percent: 0,
      user_percent: sample.cpu * 0.7,
      system_percent: sample.cpu * 0.3,
      per_core_percent: Array.from({ length: cores }, (_, core) => Math.min(100, sample.cpu * (0.8 + (core % 4) / 8))),
    },
    memory: {
      total_bytes: memoryGb * GB,
      used_bytes: used,
      available_bytes: memoryGb * GB - used,
      swap_total_bytes: 0,
      swap_used_bytes: 0,
    },
    filesystems: [
      {
        mount: '/',
        device: '/dev/nvme0n1p2',
        type: 'ext4',
        size_bytes: size,
        used_bytes: (sample.disk / 100) * size,
        available_bytes: (1 - sample.disk / 100) * size,
        inodes_total: 1_000_000,
        inodes_used: 120_000,
      },
    ],
    disks: [
      {
        device: 'nvme0n1',
        read_operations_per_second: operations * 0.3,
        write_operations_per_second: operations * 0.7,
        read_bytes_per_second: operations * 4096,
        write_bytes_per_second: operations * 8192,
        busy_percent: 12,
      },
    ],
    interfaces: [
      {
        name: 'eth0',
        receive_bytes_per_second: sample.receive ?? 20 * 1_048_576,
        transmit_bytes_per_second: sample.transmit ?? 9 * 1_048_576,
        receive_errors_per_second: 0,
        transmit_errors_per_second: 0,
        receive_drops_per_second: 0,
        transmit_drops_per_second: 0,
        up: true,
      },
    ],
    connection_counts: {
      total: 1600,
      established: 318,
      listen: 24,
      time_wait: 1204,
      close_wait: 12,
      syn_sent: 1,
      syn_recv: 0,
    },
    system: systemOf(options),
    ...(sample.processes && { processes: sample.processes }),
    ...(sample.connections && { connections: sample.connections }),
    ...(sample.events && { events: sample.events }),
    load: { one: 2.5, five: 2, fifteen: 1.5 },
    conntrack: { used: 1830, max: 262_144 },
    open_files: { used: 4224, max: 3_248_127 },
    ephemeral_ports: { used: 412, max: 28_232 },
    clock_synchronized: true,
    agent: {
      version: '0.1.0',
      spool_bytes: 0,
      spool_oldest_age_seconds: null,
      retries: 0,
      last_error: null,
      clock_skew_seconds: 0.1,
      sources: {
        cpu: { ok: true, duration_ms: 0.4, error: null },
        memory: { ok: true, duration_ms: 0.2, error: null },
      },
    },
    ...sample.instead,
  };
}
