import {
  changed,
  climb,
  DECOY_CHANGES,
  DECOY_EVENTS,
  DECOYS,
  edited,
  event,
  fault,
  GIB,
  line,
  MIB,
  none,
  running,
  seen,
  step,
  updated,
  type OtherFault,
} from '../other-faults/host-told.ts';
import { ago, field } from '../shop.ts';

/** Faults that a person on call meets on a machine. */

const decoys = { changes: DECOY_CHANGES, events: DECOY_EVENTS };
const never = DECOYS;

export const hostsOnCall: readonly OtherFault[] = [
  fault(
    'miner',
    [/process xmrig/],
    {
      metric: 'cpu_usage',
      ...decoys,
      series: { cpu: step(22, 99, 20) },
      processes: running(seen('xmrig', { cpuPercent: 620, startedAt: ago(20), command: '/tmp/.x/xmrig -o pool' })),
    },
    { never },
  ),
  fault('browsers-pile-up', [/process chrome/], {
    metric: 'memory_usage',
    series: { memory: climb(40, 90, 200) },
    processes: running(
      ...Array.from({ length: 44 }, (_, pid) => seen('chrome', { pid: 2000 + pid, memoryBytes: 0.35 * GIB })),
    ),
    processesBefore: running(
      ...Array.from({ length: 5 }, (_, pid) => seen('chrome', { pid: 2000 + pid, memoryBytes: 0.35 * GIB })),
    ),
  }),
  fault(
    'model-server-takes-memory',
    [/process ollama/],
    {
      metric: 'memory_usage',
      ...decoys,
      series: { memory: step(50, 93, 15), swap: step(0, 12, 12) },
      processes: running(seen('ollama', { memoryBytes: 14 * GIB, startedAt: ago(15), cpuPercent: 90 })),
    },
    { never },
  ),
  fault('copy-by-hand-saturates-the-disk', [/process dd/], {
    metric: 'io_wait',
    series: { io_wait: step(1, 38, 12), iops: step(120, 900, 12) },
    processes: running(seen('dd', { cpuPercent: 35, startedAt: ago(12) })),
  }),
  fault(
    'database-reads-all-tables',
    [/process postgres/],
    {
      metric: 'io_wait',
      ...decoys,
      series: { io_wait: step(1, 30, 14), iops: step(120, 2600, 14) },
      processes: running(seen('postgres', { pid: 955, cpuPercent: 160, memoryBytes: 3 * GIB })),
    },
    { never },
  ),
  fault(
    'logs-flood-the-disk',
    [/filesystem \/var\/log/],
    {
      metric: 'disk_usage',
      subject: '/var/log',
      ...decoys,
      series: { disk: climb(60, 94, 120) },
      processes: running(seen('rsyslogd', { cpuPercent: 45 })),
    },
    { never },
  ),
  fault('images-fill-the-disk', [/filesystem \/var\/lib\/docker/], {
    metric: 'disk_usage',
    subject: '/var/lib/docker',
    series: { disk: climb(70, 92, 60) },
    processes: running(seen('buildkitd', { cpuPercent: 120, startedAt: ago(70) })),
  }),
  fault(
    'sort-fills-tmp',
    [/filesystem \/tmp/],
    {
      metric: 'disk_usage',
      subject: '/tmp',
      ...decoys,
      series: { disk: climb(20, 96, 40) },
      processes: running(seen('sort', { cpuPercent: 95, startedAt: ago(42) })),
    },
    { never },
  ),
  fault(
    'directive-unknown-to-redis',
    [/unit redis-server\.service/, /change files-4/],
    {
      metric: 'systemd_unit_failed',
      subject: 'redis-server.service',
      changes: [...DECOY_CHANGES, edited('/etc/redis/redis-server.conf', 4)],
      events: [
        ...DECOY_EVENTS,
        event('config_change', '', '/etc/redis/redis-server.conf changed', 4),
        event('service_stop', 'redis-server.service', 'redis-server.service failed', 3.5),
      ],
      lines: [
        line(
          'journal_error',
          'redis-server.service',
          'FATAL CONFIG FILE ERROR: Bad directive or wrong number of arguments',
          3.5,
        ),
      ],
      failedUnits: ['redis-server.service'],
    },
    { never },
  ),
  fault('stopped-by-a-person', [/unit nginx\.service/], {
    metric: 'check_failed',
    events: [event('service_stop', 'nginx.service', 'nginx.service stopped', 4)],
  }),
  fault(
    'database-setting-lowered',
    [/unit postgresql/, /change files-6/],
    {
      metric: 'check_failed',
      changes: [...DECOY_CHANGES, edited('/etc/postgresql/17/main/postgresql.conf', 6)],
      events: [
        ...DECOY_EVENTS,
        event('config_change', '', '/etc/postgresql/17/main/postgresql.conf changed', 6),
        event('service_restart', 'postgresql.service', 'postgresql.service restarted', 5.5),
      ],
      lines: [line('journal_error', 'postgresql.service', 'FATAL: sorry, too many clients already', 4)],
    },
    { never },
  ),
  fault('drive-times-out', [/disk nvme0n1/], {
    metric: 'io_wait',
    series: { io_wait: step(1, 55, 9), iops: step(120, 15, 9) },
    lines: [
      line('io_error', 'nvme0n1', 'nvme nvme0: I/O 23 QID 4 timeout, aborting; I/O error, dev nvme0n1, sector 8', 8),
    ],
  }),
  fault(
    'restarted-for-a-kernel',
    [/server web-1/],
    {
      metric: 'offline',
      ...decoys,
      gaps: [{ from: ago(6), to: ago(2), reason: 'rebooted', detail: 'boot id changed' }],
      changes: [
        ...DECOY_CHANGES,
        changed('system', 2, 'kernel 6.1.0-40 → 6.1.0-41', [field('kernel', '6.1.0-40', '6.1.0-41')]),
      ],
    },
    { never },
  ),
  fault('switched-off', [/server web-1/], {
    metric: 'offline',
    gaps: [{ from: ago(8), to: ago(1), reason: 'host_off', detail: 'the machine was off' }],
  }),
  fault('visitors-double', [/server web-1/], {
    metric: 'cpu_usage',
    series: {
      cpu: step(30, 88, 18),
      connections: step(210, 640, 18, 12),
      receive: step(2 * MIB, 6 * MIB, 18, 1e5),
      transmit: step(3 * MIB, 9 * MIB, 18, 1e5),
    },
    processes: running(seen('node', { pid: 901, cpuPercent: 420, memoryBytes: 1.5 * GIB })),
  }),
  fault('sockets-left-open', [/server web-1|process/], {
    metric: 'connections',
    series: { close_wait: climb(3, 900, 200), connections: climb(210, 1100, 200) },
  }),
  fault(
    'half-open-connections',
    [/server web-1/],
    {
      metric: 'connections',
      ...decoys,
      series: {
        syn_recv: step(1, 480, 8),
        receive: step(2 * MIB, 9 * MIB, 8, 1e5),
        connections: step(210, 900, 8, 12),
      },
    },
    { never },
  ),
  fault('clock-runs-away', [/server web-1/], {
    metric: 'collector_late',
    clockSkewSeconds: 140,
    limits: { ...none, clockSynchronized: false },
  }),
  fault(
    'mail-certificate-expired',
    [/server web-1|unit postfix/],
    {
      metric: 'check_failed',
      ...decoys,
      lines: [
        line(
          'journal_error',
          'postfix.service',
          'TLS library problem: certificate verify failed: certificate has expired',
          4,
        ),
      ],
    },
    { never },
  ),
  fault(
    'forwarding-switched-off',
    [/change sysctls-4/],
    {
      metric: 'check_failed',
      changes: [
        ...DECOY_CHANGES,
        changed('sysctls', 4, 'net.ipv4.ip_forward 1 → 0', [field('net.ipv4.ip_forward', '1', '0')]),
      ],
      lines: [line('journal_error', 'docker.service', 'IPv4 forwarding is disabled. Networking will not work', 3.5)],
      events: DECOY_EVENTS,
    },
    { never, isHard: true },
  ),
  fault('crash-after-an-update', [/unit app-worker\.service/, /change packages-12/], {
    metric: 'systemd_unit_failed',
    subject: 'app-worker.service',
    changes: [updated('app-worker', '2.3.0', '2.4.0', 12)],
    events: [
      event('update_installed', '', 'Package installed or updated: app-worker 2.4.0', 12),
      ...[10, 9, 8, 7].map((minutes) =>
        event('service_stop', 'app-worker.service', 'app-worker.service failed', minutes),
      ),
    ],
    failedUnits: ['app-worker.service'],
  }),
];
