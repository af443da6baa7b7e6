import type { ProcessPart, Report } from '@plimsoll/contract/wire/report';
import { containersAt } from './containers.ts';
import type { DemoHost, DemoRole } from './fleet.ts';
import { hardwareParts, isMetal } from './hardware.ts';
import { figuresAt, noise, type Figures } from './figures.ts';
import { exhaustedStory, exhaustingSince, LEAK_HOST, spikeStory, type Stories } from './stories.ts';

const GIB = 2 ** 30;
/** Seconds since each machine started, at the time of its newest report. */
const UPTIME_SECONDS = 41 * 86_400;

type Program = [name: string, command: string, user: string, cpuShare: number, memoryShare: number];
const PROGRAMS: Record<DemoRole, readonly Program[]> = {
  web: [
    ['node', 'node /srv/shop/server.js --port 3000', 'shop', 0.55, 0.4],
    ['nginx', 'nginx: worker process', 'www-data', 0.2, 0.05],
    ['redis-server', 'redis-server 127.0.0.1:6379', 'redis', 0.05, 0.12],
  ],
  database: [
    ['postgres', 'postgres: shop shop 10.0.3.7(51422) SELECT', 'postgres', 0.4, 0.5],
    ['postgres', 'postgres: checkpointer', 'postgres', 0.08, 0.2],
    ['pgbouncer', 'pgbouncer /etc/pgbouncer/pgbouncer.ini', 'postgres', 0.05, 0.01],
  ],
  cache: [['redis-server', 'redis-server *:6379', 'redis', 0.8, 0.9]],
  queue: [
    ['beam.smp', '/usr/lib/erlang/bin/beam.smp -- -root /usr/lib/erlang', 'rabbitmq', 0.6, 0.6],
    ['consumer', '/usr/bin/consumer --queue=orders', 'app', 0.2, 0.2],
  ],
  logs: [
    ['vector', '/usr/bin/vector --config /etc/vector/vector.yaml', 'vector', 0.5, 0.2],
    ['java', 'java -Xmx16g -cp /srv/search/lib/* Search', 'search', 0.3, 0.6],
  ],
  batch: [
    ['celery', 'celery -A jobs worker --queues default', 'jobs', 0.6, 0.5],
    ['celery', 'celery -A jobs beat', 'jobs', 0.05, 0.1],
  ],
  build: [
    ['dockerd', '/usr/bin/dockerd -H fd://', 'root', 0.2, 0.2],
    ['cc1plus', '/usr/lib/gcc/cc1plus -quiet main.cc', 'runner', 0.5, 0.2],
  ],
  backup: [['restic', 'restic backup /srv --repo sftp:vault:/backup', 'backup', 0.6, 0.4]],
  edge: [['haproxy', 'haproxy -f /etc/haproxy/haproxy.cfg', 'haproxy', 0.7, 0.4]],
  node: [
    ['kubelet', '/usr/bin/kubelet --config=/var/lib/kubelet/config.yaml', 'root', 0.1, 0.05],
    ['containerd', '/usr/bin/containerd', 'root', 0.08, 0.05],
    ['node', 'node dist/checkout.js', '1000', 0.25, 0.2],
    ['java', 'java -jar /app/catalog.jar', '1000', 0.2, 0.3],
  ],
};
const EVERYWHERE: readonly Program[] = [
  ['systemd', '/sbin/init', 'root', 0.01, 0.01],
  ['sshd', 'sshd: /usr/sbin/sshd -D', 'root', 0.002, 0.005],
  ['systemd-journald', '/lib/systemd/systemd-journald', 'root', 0.01, 0.02],
  ['chronyd', '/usr/sbin/chronyd', '_chrony', 0.001, 0.001],
  ['cron', '/usr/sbin/cron -f', 'root', 0.001, 0.001],
];
const SPIKING: Program = ['python3', 'python3 /srv/jobs/reindex.py --full --all-tenants', 'jobs', 0.88, 0.2];
const LEAKING: Program = ['java', 'java -Xmx28g -jar /srv/api/api.jar', 'api', 0.5, 0.85];
const EXHAUSTING: Program = ['python3', 'python3 /srv/edge/warm-cache.py --all-regions', 'edge', 0.3, 0];

/** The program of the host's story, and its start where that is part of the story. */
function storyProgram(
  host: DemoHost,
  at: number,
  { memoryPercent }: Figures,
  stories: Stories,
): { program: Program; startedAt: number | null } | null {
  if (spikeStory(host.name, at, stories) > 0.5) return { program: SPIKING, startedAt: stories.spikeAt };
  if (host.name === LEAK_HOST) return { program: LEAKING, startedAt: null };
  const exhausted = exhaustedStory(host.name, at, stories);
  if (exhausted === 0) return null;
  const [name, command, user, cpu] = EXHAUSTING;
  return { program: [name, command, user, cpu, exhausted / memoryPercent], startedAt: exhaustingSince(stories) };
}

/** The kernel and short-lived processes take the rest. */
const MOST_OF_HOST = 0.97;

/** Scales shares down where they add up to more than the host has. */
function withinHost(shares: readonly number[]): number[] {
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => (share * MOST_OF_HOST) / Math.max(MOST_OF_HOST, sum));
}

function processesOf(host: DemoHost, at: number, figures: Figures, stories: Stories): ProcessPart[] {
  const story = storyProgram(host, at, figures, stories);
  const [storyCpu, storyMemory] = [story?.program[3] ?? 0, story?.program[4] ?? 0];
  // The share of the story is not left to the others.
  const others = [...PROGRAMS[host.role], ...EVERYWHERE].map(([name, command, user, cpu, memory]): Program => [
    name,
    command,
    user,
    cpu * (1 - storyCpu),
    memory * 0.8 * (1 - storyMemory),
  ]);
  const programs = story === null ? others : [story.program, ...others];
  // A story that begins or ends changes nothing about the other processes.
  const first = story === null ? 0 : 1;
  const cpuShares = withinHost(
    programs.map(
      ([, , , share], index) => share * (0.85 + noise(host.seed * 31 + index - first, Math.floor(at / 60)) * 0.3),
    ),
  );
  const memoryShares = withinHost(programs.map(([, , , , share]) => share));
  const total = host.memoryGb * GIB;
  return programs.map(([name, command, user, cpuShare], index) => {
    const memory = total * (figures.memoryPercent / 100) * (memoryShares[index] ?? 0);
    const startedAt = index === 0 ? (story?.startedAt ?? null) : null;
    const number = index - first;
    return {
      pid: startedAt === null ? 400 + host.seed * 7 + number * 61 : 20_417,
      name,
      command,
      user,
      status: cpuShare > 0.2 ? 'R' : 'S',
      cpu_percent: figures.cpuPercent * host.cores * (cpuShares[index] ?? 0),
      memory_percent: (memory / total) * 100,
      memory_bytes: Math.round(memory),
      threads: 7 + number * 3,
      started_at: startedAt ?? stories.now - UPTIME_SECONDS + 30 + number,
    };
  });
}

const connectionCounts = (total: number) => ({
  total,
  established: Math.round(total * 0.6),
  listen: 14,
  time_wait: Math.round(total * 0.3),
  close_wait: 3,
  syn_sent: 1,
  syn_recv: 0,
});

/** The parts of a report that become stored figures. */
export function measuredParts(host: DemoHost, figures: Figures) {
  const total = host.memoryGb * GIB;
  const used = Math.round((figures.memoryPercent / 100) * total);
  const size = host.storageGb * GIB;
  const onDisk = Math.round((figures.diskPercent / 100) * size);
  const filesystem = { device: '/dev/nvme0n1p2', type: 'ext4', inodes_total: 13_000_000, inodes_used: 1_240_000 };
  return {
    cpu: {
      percent: figures.cpuPercent,
      io_wait_percent: figures.ioWaitPercent,
      steal_percent: 0,
      user_percent: figures.cpuPercent * 0.72,
      system_percent: figures.cpuPercent * 0.28,
      per_core_percent: Array.from({ length: host.cores }, (_, core) =>
        Math.min(100, figures.cpuPercent * (0.85 + (core % 4) * 0.1)),
      ),
    },
    memory: {
      total_bytes: total,
      used_bytes: used,
      available_bytes: total - used,
      swap_total_bytes: 4 * GIB,
      swap_used_bytes: Math.round((figures.memoryPercent > 75 ? (figures.memoryPercent - 75) * 0.02 : 0.01) * 4 * GIB),
    },
    filesystems: [
      {
        ...filesystem,
        mount: host.role === 'logs' ? '/var/log' : host.role === 'database' ? '/var/lib/postgresql' : '/',
        size_bytes: size,
        used_bytes: onDisk,
        available_bytes: size - onDisk,
      },
    ],
    disks: [
      {
        device: 'nvme0n1',
        read_operations_per_second: figures.operationsPerSecond * 0.35,
        write_operations_per_second: figures.operationsPerSecond * 0.65,
        read_bytes_per_second: figures.operationsPerSecond * 9000,
        write_bytes_per_second: figures.operationsPerSecond * 14_000,
        busy_percent: Math.min(100, figures.operationsPerSecond / 60),
      },
    ],
    interfaces: [
      {
        name: 'ens5',
        receive_bytes_per_second: figures.receiveBytesPerSecond,
        transmit_bytes_per_second: figures.transmitBytesPerSecond,
        receive_errors_per_second: 0,
        transmit_errors_per_second: 0,
        receive_drops_per_second: 0,
        transmit_drops_per_second: 0,
        up: true,
      },
    ],
    tcp: { retransmits_per_second: figures.connections / 900 },
    load: {
      one: (figures.cpuPercent / 100) * host.cores * 1.1,
      five: (figures.cpuPercent / 100) * host.cores,
      fifteen: (figures.cpuPercent / 100) * host.cores * 0.95,
    },
    connection_counts: connectionCounts(figures.connections),
  } satisfies Partial<Report>;
}

/** Ports from 32,768 to 60,999 (ip_local_port_range of Linux). */
const EPHEMERAL_PORTS = 28_232;
/** Most tracked connections of a machine with 32 GB (nf_conntrack_max of Linux). */
const TRACKED_CONNECTIONS = 262_144;

const kernelLimits = ({ cores }: DemoHost, { connections }: Figures) => ({
  conntrack: { used: Math.round(connections * 1.4), max: TRACKED_CONNECTIONS },
  // Debian 12 sets no limit.
  open_files: { used: 1900 + cores * 180 + Math.round(connections * 4), max: null },
  ephemeral_ports: { used: Math.round(connections * 0.2), max: EPHEMERAL_PORTS },
  clock_synchronized: true,
});

const source = { ok: true, duration_ms: 0.6, error: null };
const SOURCES = [
  'system',
  'cpu',
  'memory',
  'filesystem',
  'disk-io',
  'network',
  'load',
  'processes',
  'connections',
  'conntrack',
  'open-files',
  'clock',
].concat(['raid', 'pools', 'fans', 'power', 'smart', 'gpu', 'updates', 'journal']);

const connectionsOf = (host: DemoHost, at: number): NonNullable<Report['connections']> =>
  Array.from({ length: 18 }, (_, index) => ({
    remote_ip: `10.${String(host.seed % 250)}.${String((index * 13) % 250)}.0`,
    remote_port: 40_000 + Math.floor(noise(host.seed + index, Math.floor(at / 300)) * 20_000),
    local_port: [443, 5432, 6379, 22][index % 4] ?? 443,
    protocol: 'tcp' as const,
    family: 'ipv4' as const,
    state: index % 5 === 4 ? 'TIME_WAIT' : 'ESTABLISHED',
    pid: 400 + host.seed * 7,
    importance_score: 80 - index * 3,
  }));

/** Returns the whole report of a host at a moment; null while it does not report. */
export function reportAt(host: DemoHost, at: number, stories: Stories): Omit<Report, 'seq'> | null {
  const figures = figuresAt(host, at, stories);
  if (figures === null) return null;
  const uptime = UPTIME_SECONDS + (at - stories.now);
  const containers = containersAt(host, at, figures, stories.now);
  return {
    ts: at,
    up: uptime,
    kind: 'host',
    window_seconds: 60,
    ...measuredParts(host, figures),
    system: {
      hostname: host.name,
      platform: 'linux',
      os_type: 'debian',
      os_name: 'Debian GNU/Linux',
      os_version: '12',
      kernel: '6.1.0-28-amd64',
      architecture: 'amd64',
      cpu_model: 'AMD EPYC 7763',
      cpu_cores: host.cores,
      uptime_seconds: uptime,
      region: host.region,
      collector_version: '0.1.0',
      virtualization: isMetal(host) ? null : 'kvm',
    },
    ...kernelLimits(host, figures),
    ...hardwareParts(host, at, figures),
    processes: processesOf(host, at, figures, stories),
    connections: connectionsOf(host, at),
    ...(containers !== undefined && { containers }),
    agent: {
      version: '0.1.0',
      spool_bytes: 0,
      spool_oldest_age_seconds: null,
      retries: 0,
      last_error: null,
      clock_skew_seconds: 0.02,
      sources: Object.fromEntries(SOURCES.map((name) => [name, source])),
    },
  };
}
