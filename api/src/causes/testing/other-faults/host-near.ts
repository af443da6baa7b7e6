import {
  type OtherFault,
  GIB,
  MIB,
  series,
  flat,
  step,
  climb,
  seen,
  running,
  serverOf,
  alertOf,
  event,
  line,
  changed,
  edited,
  updated,
  fault,
} from './host-told.ts';
import { AT, ago, field } from '../shop.ts';

/** Harmless changes of the last minutes. */
const NEAR_CHANGES = [
  updated('curl', '8.5.0', '8.5.1', 6),
  edited('/etc/cron.d/cleanup', 5),
  edited('/etc/hosts', 4.5),
];
const NEAR_EVENTS = [
  event('update_installed', '', 'Package installed or updated: curl 8.5.1', 6),
  event('config_change', '', '/etc/cron.d/cleanup changed', 5),
  event('service_restart', 'mailer.service', 'mailer.service restarted', 5),
  event('service_start', 'metrics-proxy.service', 'metrics-proxy.service started', 4.5),
];
const NEAR = [/mailer/, /metrics-proxy/, /^change (?:packages-6|files-5|files-4\.5)$/];
const near = { changes: NEAR_CHANGES, events: NEAR_EVENTS };

export const besideNearChanges: readonly OtherFault[] = [
  fault(
    'backend-hangs',
    [],
    {
      metric: 'check_failed',
      ...near,
      lines: [
        line(
          'journal_error',
          'nginx.service',
          'upstream timed out (110: Connection timed out) while reading response header',
          4,
        ),
      ],
    },
    { never: NEAR },
  ),
  fault(
    'scanner',
    [/process clamscan/],
    {
      metric: 'cpu_usage',
      ...near,
      series: { cpu: step(22, 88, 10, 2) },
      processes: running(seen('clamscan', { cpuPercent: 520, startedAt: ago(10) })),
    },
    { never: NEAR },
  ),
  fault(
    'runaway-beside-changes',
    [/process node/],
    {
      metric: 'cpu_usage',
      ...near,
      series: { cpu: step(22, 94, 9, 2) },
      processes: running(seen('node', { pid: 901, cpuPercent: 620, memoryBytes: 1.5 * GIB })),
    },
    { never: NEAR },
  ),
  fault(
    'mount-gone',
    [/filesystem \/srv\/data/, /change mounts-5/],
    {
      metric: 'check_failed',
      events: NEAR_EVENTS,
      changes: [
        ...NEAR_CHANGES,
        changed('mounts', 5, '/srv/data removed', [field('/srv/data', 'nas:/data nfs4', null)]),
      ],
    },
    { never: NEAR },
  ),
  fault(
    'mount-read-only',
    [/filesystem \/srv\/data/, /change mounts-6/],
    {
      metric: 'systemd_unit_failed',
      subject: 'recorder.service',
      failedUnits: ['recorder.service'],
      lines: [line('journal_error', 'recorder.service', 'open /srv/data/1: read-only file system', 5)],
      events: [...NEAR_EVENTS, event('service_stop', 'recorder.service', 'recorder.service failed (exit-code)', 4)],
      changes: [
        ...NEAR_CHANGES,
        changed('mounts', 6, '/srv/data nas:/data nfs4 → nas:/data nfs4 read-only', [
          field('/srv/data', 'nas:/data nfs4', 'nas:/data nfs4 read-only'),
        ]),
      ],
    },
    { never: NEAR },
  ),
  fault(
    'port-taken-by-a-container',
    [/unit docker|unit proxy|unit nginx/],
    {
      metric: 'systemd_unit_failed',
      subject: 'nginx.service',
      failedUnits: ['nginx.service'],
      lines: [line('journal_error', 'nginx.service', 'bind() to 0.0.0.0:80 failed (98: Address already in use)', 4)],
      changes: [...NEAR_CHANGES, changed('ports', 8, '80/tcp added', [field('80/tcp', null, 'listening')])],
      events: [...NEAR_EVENTS, event('service_stop', 'nginx.service', 'nginx.service failed (exit-code)', 4)],
    },
    { never: NEAR },
  ),
  fault(
    'loop-beside-changes',
    [/unit shop/],
    {
      metric: 'systemd_unit_failed',
      subject: 'shop.service',
      failedUnits: ['shop.service'],
      changes: NEAR_CHANGES,
      events: [
        ...NEAR_EVENTS,
        ...[4, 3.7, 3.4, 3.1].map((m) => event('process_crash', 'shop.service', 'shop.service crashed (signal)', m)),
      ],
    },
    { never: NEAR },
  ),
  fault(
    'environment-file-gone',
    [/unit shop/, /change files-6$/],
    {
      metric: 'systemd_unit_failed',
      subject: 'shop.service',
      failedUnits: ['shop.service'],
      lines: [line('journal_error', 'shop.service', 'Failed to load environment files: No such file or directory', 4)],
      changes: [
        edited('/etc/cron.d/cleanup', 5),
        changed('files', 6, '/etc/default/shop removed', [field('/etc/default/shop', '80 bytes', null)]),
      ],
      events: [event('service_stop', 'shop.service', 'shop.service failed (resources)', 4)],
    },
    { never: [/files-5/] },
  ),
  fault(
    'container-out-of-memory',
    [/process java/],
    {
      metric: 'container_restarts',
      subject: 'search',
      ...near,
      lines: [line('oom_kill', 'java', 'Memory cgroup out of memory: Killed process 4711 (java) total-vm:100kB', 5)],
    },
    { never: NEAR, untrue: /host ran out/ },
  ),
  fault('drive-fails', [], { metric: 'drive_failing', subject: '/dev/sda', ...near }, { never: NEAR }),
  fault('too-hot-without-lines', [], { metric: 'temperature', subject: 'coretemp', ...near }, { never: NEAR }),
  fault(
    'docker-updated',
    [/unit docker/, /change packages-5$/],
    {
      metric: 'check_failed',
      changes: [edited('/etc/hosts', 6), updated('docker-ce', '28.1', '28.2', 5)],
      events: [
        event('update_installed', '', 'Package installed or updated: docker-ce 28.2', 5),
        event('service_restart', 'docker.service', 'docker.service restarted', 4.5),
        event('service_restart', 'mailer.service', 'mailer.service restarted', 6),
      ],
    },
    { never: [/mailer/, /files-6/] },
  ),
  fault(
    'traffic-on-all',
    [/server web-1/],
    {
      metric: 'cpu_usage',
      ...near,
      series: {
        cpu: step(30, 88, 20, 2),
        connections: step(210, 1500, 20, 20),
        receive: step(2 * MIB, 12 * MIB, 20, 1e5),
        transmit: step(3 * MIB, 20 * MIB, 20, 1e5),
      },
      processes: running(seen('node', { pid: 901, cpuPercent: 380 }), seen('nginx', { pid: 812, cpuPercent: 120 })),
    },
    { never: NEAR },
  ),
  fault(
    'slow-because-of-another-machine',
    [/process pg_dump/],
    {
      metric: 'check_slow',
      ...near,
      alerts: [alertOf('io_wait', 6, { serverId: 'db-1', hostname: 'db-1', title: 'IO wait of db-1' })],
      others: [
        serverOf('db-1', 'io_wait', {
          at: ago(6),
          series: { io_wait: step(1, 44, 12), iops: step(120, 3000, 12, 50) },
          processes: running(seen('pg_dump', { cpuPercent: 80, startedAt: ago(13) })),
        }),
      ],
    },
    { never: NEAR },
  ),
  fault(
    'renewal-fails',
    [/unit certbot|server web-1/],
    {
      metric: 'certificate_days',
      ...near,
      lines: [
        line(
          'journal_error',
          'certbot.service',
          'Failed to renew certificate shop.example.net: urn:ietf:params:acme:error:connection',
          50,
        ),
      ],
    },
    { never: NEAR, isHard: true },
  ),
  fault(
    'process-ended',
    [/redis/],
    {
      metric: 'process_not_running',
      subject: 'redis-server',
      changes: NEAR_CHANGES,
      events: [...NEAR_EVENTS, event('process_stop', 'redis-server', 'redis-server (pid 88) ended', 4)],
    },
    { never: NEAR, isHard: true },
  ),
  fault(
    'one-large-file',
    [/filesystem \/srv/],
    { metric: 'disk_usage', subject: '/srv', ...near, series: { disk: step(50, 93, 20, 0.1) } },
    { never: NEAR },
  ),
  fault(
    'slow-growth',
    [/filesystem \/srv/],
    { metric: 'disk_usage', subject: '/srv', ...near, series: { disk: climb(70, 90.5, 700, 0.05) } },
    { never: NEAR },
  ),
  fault('check-flaps-with-near-changes', [], { metric: 'check_failed', ...near }, { never: NEAR }),
  fault('slow-check-with-near-changes', [], { metric: 'check_slow', ...near }, { never: NEAR }),
  fault('clock-drifts-a-little', [], { metric: 'check_failed', ...near, clockSkewSeconds: 2 }, { never: NEAR }),
  fault(
    'io-without-a-reader',
    [/server web-1|process postgres/],
    { metric: 'io_wait', ...near, series: { io_wait: step(1, 24, 10), iops: step(120, 900, 10) } },
    { never: NEAR, isHard: true },
  ),
  fault(
    'memory-step-by-a-start',
    [/process java/],
    {
      metric: 'memory_usage',
      ...near,
      series: { memory: step(55, 92, 15, 0.4) },
      processes: running(seen('java', { cpuPercent: 30, memoryBytes: 12 * GIB, startedAt: ago(16) })),
    },
    { never: NEAR },
  ),
  fault(
    'unit-asks-a-stopped-one',
    [/unit redis/],
    {
      metric: 'systemd_unit_failed',
      subject: 'worker.service',
      failedUnits: ['worker.service'],
      changes: NEAR_CHANGES,
      lines: [line('journal_error', 'worker.service', 'redis: connection refused 127.0.0.1:6379', 5)],
      events: [
        ...NEAR_EVENTS,
        event('service_stop', 'redis.service', 'redis.service stopped', 5.5),
        event('service_stop', 'worker.service', 'worker.service failed (exit-code)', 4.5),
      ],
    },
    { never: NEAR },
  ),
  fault(
    'stuck-nfs-check',
    [/server web-1|filesystem|process/],
    {
      metric: 'check_failed',
      ...near,
      series: { load: climb(1.6, 30, 14) },
      lines: [line('hung_task', 'php-fpm', 'INFO: task php-fpm:812 blocked for more than 120 seconds.', 6)],
    },
    { never: NEAR },
  ),
  fault(
    'interface-errors',
    [/server web-1|interface/],
    { metric: 'network_errors', subject: 'eth0', ...near },
    { never: NEAR },
  ),
  fault(
    'offline-alone',
    [/server web-1/],
    {
      metric: 'offline',
      ...near,
      series: { cpu: series((t) => (t > -8 ? null : 22), 2), memory: series((t) => (t > -8 ? null : 55)) },
      gaps: [{ from: ago(8), to: AT, reason: 'silent', detail: '' }],
    },
    { never: NEAR },
  ),
  fault(
    'offline-after-firewall',
    [/server web-1/],
    {
      metric: 'offline',
      changes: [edited('/etc/nftables.conf', 9), ...NEAR_CHANGES],
      events: NEAR_EVENTS,
      series: { cpu: series((t) => (t > -8 ? null : 22), 2) },
      gaps: [{ from: ago(8), to: AT, reason: 'silent', detail: '' }],
    },
    { never: NEAR },
  ),
  fault(
    'swap-without-pressure',
    [],
    { metric: 'swap_usage', ...near, series: { swap: flat(82, 0.5), memory: flat(61) } },
    { never: NEAR },
  ),
  fault(
    'load-of-a-build',
    [/process cc1plus/],
    {
      metric: 'load_per_core',
      ...near,
      series: { load: step(1.6, 24, 10), cpu: step(22, 97, 10, 1) },
      processes: running(
        ...Array.from({ length: 8 }, (_, p) => seen('cc1plus', { pid: 8000 + p, cpuPercent: 92, startedAt: ago(9) })),
      ),
    },
    { never: NEAR },
  ),
];
