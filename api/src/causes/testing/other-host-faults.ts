import {
  emptyEvidence,
  emptySeries,
  type AlertSeen,
  type ChangeSeen,
  type CheckSeen,
  type Evidence,
  type FieldSeen,
  type LineSeen,
  type Point,
  type ProcessSeen,
  type ServerSeen,
} from '../evidence.ts';
import { bareServer } from './bare-server.ts';
import { ago, AT, field } from './shop.ts';

/**
 * Faults of machines of kinds that neither the lab nor the other tests have. `right`: what the first cause must name, by
 * kind and name of an entity or by the id of a change; empty: nothing may be accused. `never`: names that no cause may have.
 */
export interface OtherFault {
  id: string;
  right: readonly RegExp[];
  never?: readonly RegExp[];
  /** Words that the first finding must not have. */
  untrue?: RegExp;
  /** No answer is as good as the right one. */
  isHard?: boolean;
  evidence: Evidence;
}

const MINUTE = 60;
const HOUR = 3600;
const GIB = 2 ** 30;
const MIB = 2 ** 20;

const series = (value: (minutes: number) => number | null, noise = 0): Point[] =>
  Array.from({ length: 125 }, (_, index) => {
    const at = AT - 12 * HOUR + index * 6 * MINUTE;
    const base = value((at - AT) / MINUTE);
    return { at, value: base === null ? null : Math.max(0, base + noise * Math.sin(index * 12.9898)) };
  });
const flat = (value: number, noise = 1): Point[] => series(() => value, noise);
/** Another level since some minutes. */
const step = (was: number, is: number, minutes: number, noise = 1): Point[] =>
  series((time) => (time < -minutes ? was : is), noise);
/** Grows since some minutes until now. */
const climb = (was: number, is: number, minutes: number, noise = 0.3): Point[] =>
  series((time) => (time < -minutes ? was : was + ((is - was) * (time + minutes)) / minutes), noise);

const seen = (name: string, more: Partial<ProcessSeen> = {}): ProcessSeen => ({
  pid: 100 + name.length,
  name,
  cpuPercent: 4,
  memoryBytes: 0.4 * GIB,
  startedAt: AT - 90 * 24 * HOUR,
  ...more,
});
const USUAL: readonly ProcessSeen[] = [
  seen('postgres', { pid: 955, cpuPercent: 30, memoryBytes: 3 * GIB }),
  seen('node', { pid: 901, cpuPercent: 60, memoryBytes: 1.5 * GIB }),
  seen('nginx', { pid: 812, cpuPercent: 20, memoryBytes: 0.2 * GIB }),
  seen('systemd-journald', { pid: 310, cpuPercent: 0.4, memoryBytes: 0.05 * GIB }),
  seen('sshd', { pid: 611, cpuPercent: 0, memoryBytes: 0.01 * GIB }),
];
const running = (...more: readonly ProcessSeen[]): ProcessSeen[] => [
  ...USUAL.filter(({ name }) => more.every((one) => one.name !== name)),
  ...more,
];

interface Of extends Partial<Omit<ServerSeen, 'series'>> {
  series?: Partial<ServerSeen['series']>;
}
const serverOf = (hostname: string, metric: string | null, { series: own, ...more }: Of): ServerSeen => ({
  ...bareServer(hostname, ago(3)),
  metric,
  cpuCores: 8,
  memoryTotalBytes: 32 * GIB,
  processes: running(),
  processesBefore: running(),
  filesystems: [{ mount: '/', usedPercent: 40, inodesPercent: 9 }],
  clockSkewSeconds: 0.02,
  ...more,
  series: {
    ...emptySeries(),
    cpu: flat(22, 3),
    memory: flat(55),
    disk: flat(40, 0.1),
    io_wait: flat(1, 0.5),
    iops: flat(120, 20),
    swap: flat(0, 0),
    load: flat(1.6, 0.3),
    receive: flat(2 * MIB, 1e5),
    transmit: flat(3 * MIB, 1e5),
    connections: flat(210, 12),
    time_wait: flat(60, 8),
    close_wait: flat(3, 1),
    syn_recv: flat(1, 1),
    retransmits: flat(0.5, 0.2),
    ...own,
  },
});
const alertOf = (metric: string, minutes: number, more: Partial<AlertSeen> = {}): AlertSeen => ({
  id: `alert-${metric}-${more.subject ?? ''}${more.serverId ?? ''}`,
  metric,
  title: `${metric} on web-1`,
  message: '',
  at: ago(minutes),
  subject: '',
  serverId: 'web-1',
  hostname: 'web-1',
  object: null,
  ...more,
});
export const event = (type: string, name: string, message: string, minutes: number) => ({
  type,
  name,
  message,
  at: ago(minutes),
});
export const line = (
  kind: string,
  subject: string | null,
  text: string,
  minutes: number,
  more: Partial<LineSeen> = {},
): LineSeen => ({
  at: ago(minutes),
  kind,
  text,
  count: 3,
  subject,
  serverId: 'web-1',
  clusterId: null,
  namespace: null,
  pod: null,
  ...more,
});
const changed = (
  kind: string,
  minutes: number,
  title: string,
  fields: readonly FieldSeen[] = [],
  more: Partial<ChangeSeen> = {},
): ChangeSeen => ({
  id: `${kind}-${String(minutes)}`,
  at: ago(minutes),
  source: 'host',
  action: 'changed',
  kind,
  namespace: null,
  name: 'web-1',
  title,
  by: null,
  clusterId: null,
  serverId: 'web-1',
  hostname: 'web-1',
  fields,
  ...more,
});
const edited = (path: string, minutes: number) =>
  changed('files', minutes, `${path} changed`, [field(path, '41 bytes', '44 bytes')]);
const updated = (name: string, from: string | null, to: string, minutes: number) =>
  changed('packages', minutes, from === null ? `${name} installed` : `${name} ${from} → ${to}`, [
    field(name, from, to),
  ]);

interface Told extends Of {
  /** Null: the check names no machine. */
  metric: string;
  subject?: string;
  minutes?: number;
  changes?: readonly ChangeSeen[];
  lines?: readonly LineSeen[];
  alerts?: readonly AlertSeen[];
  others?: readonly ServerSeen[];
}
const CHECK: CheckSeen = {
  id: 'check-1',
  name: 'shop',
  target: 'https://198.51.100.7/',
  status: 'down',
  since: ago(4),
  reason: 'status_unexpected',
  serverId: null,
};
function told(of: Told): Evidence {
  const { metric, subject, minutes = 3, changes = [], lines = [], alerts = [], others = [], ...server } = of;
  const isCheck = /^(?:check|heartbeat|certificate)/.test(metric);
  return {
    ...emptyEvidence(ago(minutes), AT + 60),
    alerts: [
      isCheck
        ? alertOf(metric, minutes, { subject: CHECK.id, serverId: null, hostname: null, title: 'Check shop failed' })
        : alertOf(metric, minutes, { subject: subject ?? '' }),
      ...alerts,
    ],
    checks: isCheck ? [CHECK] : [],
    changes: [...changes],
    lines: [...lines],
    servers: [
      serverOf('web-1', isCheck ? null : metric, { at: ago(minutes), subject: subject ?? null, ...server }),
      ...others,
    ],
  };
}
const fault = (
  id: string,
  right: readonly RegExp[],
  of: Told,
  more: Pick<OtherFault, 'never' | 'untrue' | 'isHard'> = {},
): OtherFault => ({ id, right, ...more, evidence: told(of) });

/** What any machine does beside the fault. */
const DECOY_CHANGES = [
  updated('tzdata', '2026a', '2026b', 55),
  updated('libxml2', '2.9.14', '2.9.15', 41),
  edited('/etc/hosts', 33),
];
const DECOY_EVENTS = [
  event('update_installed', '', 'Package installed or updated: libxml2 2.9.15', 41),
  event('config_change', '', '/etc/hosts changed', 33),
  event('service_start', 'metrics-proxy.service', 'metrics-proxy.service started', 26),
  event('service_restart', 'cron.service', 'cron.service restarted', 24),
];
const DECOYS = [
  /^change (?:files-33|packages-41|packages-55)$/,
  /libxml2|tzdata/,
  /hosts/,
  /metrics-proxy/,
  /cron\.service/,
];
const none = { conntrack: null, openFiles: null, ephemeralPorts: null, clockSynchronized: true };

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

const besideNearChanges: readonly OtherFault[] = [
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

/** A new unit, an update and a job that ended. */
const OTHER_CHANGES = [
  updated('vim', '9.0', '9.1', 14),
  edited('/etc/motd', 9),
  changed('units', 7, 'collectd.service added', [field('collectd.service', null, '90 bytes')]),
];
const OTHER_EVENTS = [
  event('update_installed', '', 'Package installed or updated: vim 9.1', 14),
  event('service_start', 'collectd.service', 'collectd.service started', 7),
  event('process_stop', 'sleep', 'sleep (pid 4) ended', 4),
  event('service_stop', 'fstrim.service', 'fstrim.service stopped', 6),
];
const others = { changes: OTHER_CHANGES, events: OTHER_EVENTS };
const OTHERS = [/vim/, /motd/, /collectd/, /fstrim/, /units-7/, /files-9/, /packages-14/];
const besideNewcomers: readonly OtherFault[] = [
  fault('flap', [], { metric: 'check_failed', ...others }, { never: OTHERS }),
  fault('cpu-at-line', [], { metric: 'cpu_usage', ...others, series: { cpu: flat(81, 2) } }, { never: OTHERS }),
  fault(
    'disk-at-line',
    [],
    { metric: 'disk_usage', subject: '/', ...others, series: { disk: flat(90.2, 0.05) } },
    { never: OTHERS },
  ),
  fault('io-at-line', [], { metric: 'io_wait', ...others, series: { io_wait: flat(9, 1.5) } }, { never: OTHERS }),
  fault(
    'memory-creep-by-cache',
    [],
    { metric: 'memory_usage', ...others, series: { memory: flat(90.5, 0.4) } },
    { never: OTHERS },
  ),
  fault(
    'two-backups',
    [/process (?:borg|rsync)/],
    {
      metric: 'io_wait',
      ...others,
      series: { io_wait: step(1, 40, 14), iops: step(120, 4000, 14, 90) },
      processes: running(
        seen('borg', { cpuPercent: 60, startedAt: ago(70) }),
        seen('rsync', { cpuPercent: 40, startedAt: ago(14) }),
      ),
    },
    { never: OTHERS },
  ),
  fault(
    'fork-bomb',
    [/process bash|server web-1/],
    {
      metric: 'load_per_core',
      ...others,
      series: { load: climb(1.6, 300, 10), cpu: step(22, 99, 10, 0.5) },
      processes: running(
        ...Array.from({ length: 16 }, (_, p) => seen('bash', { pid: 9000 + p, cpuPercent: 40, startedAt: ago(8) })),
      ),
    },
    { never: OTHERS },
  ),
  fault(
    'smart-errors-slow-disk',
    [/disk sdb/],
    {
      metric: 'io_wait',
      ...others,
      series: { io_wait: step(1, 35, 12), iops: step(300, 40, 12, 10) },
      lines: [line('io_error', 'sdb', 'blk_update_request: I/O error, dev sdb, sector 88', 11)],
    },
    { never: OTHERS },
  ),
  fault(
    'inodes-by-newcomer',
    [/unit spooler|filesystem \/var/],
    {
      metric: 'inode_usage',
      subject: '/var',
      filesystems: [{ mount: '/var', usedPercent: 50, inodesPercent: 99 }],
      series: { disk: climb(40, 50, 20, 0.05) },
      changes: OTHER_CHANGES,
      events: [event('service_start', 'spooler.service', 'spooler.service started', 20)],
      processes: running(seen('spooler', { startedAt: ago(20), cpuPercent: 30 })),
    },
    { never: [/vim/, /motd/] },
  ),
  fault(
    'rebooted-and-database-slow',
    [/server web-1/],
    {
      metric: 'check_failed',
      minutes: 3,
      gaps: [{ from: ago(9), to: ago(5), reason: 'rebooted', detail: '' }],
      series: { cpu: series((t) => (t > -9 && t < -5 ? null : 22), 2) },
      changes: OTHER_CHANGES,
      events: OTHER_EVENTS,
    },
    { never: OTHERS },
  ),
  fault(
    'network-loss-with-firewall-decoy',
    [/server web-1/],
    { metric: 'check_slow', ...others, series: { retransmits: step(0.5, 60, 10, 2) } },
    { never: OTHERS },
  ),
  fault(
    'oom-of-a-newcomer',
    [/process train/],
    {
      metric: 'oom_kill',
      ...others,
      series: { memory: step(55, 98, 8, 0.4) },
      processes: running(seen('train', { cpuPercent: 200, memoryBytes: 18 * GIB, startedAt: ago(9) })),
      lines: [line('oom_kill', 'postgres', 'Out of memory: Killed process 955 (postgres) total-vm:5kB', 4)],
    },
    { never: [...OTHERS, /postgres/] },
  ),
  fault(
    'unit-killed-by-oom-of-another',
    [/process node/],
    {
      metric: 'systemd_unit_failed',
      subject: 'postgresql.service',
      ...others,
      failedUnits: ['postgresql.service'],
      series: { memory: climb(55, 98, 400) },
      processes: running(seen('node', { pid: 901, cpuPercent: 60, memoryBytes: 16 * GIB })),
      lines: [line('oom_kill', 'postgres', 'Out of memory: Killed process 955 (postgres) total-vm:5kB', 4)],
      events: [
        ...OTHER_EVENTS,
        event('process_crash', 'postgresql.service', 'postgresql.service crashed (oom-kill)', 4),
        event('service_stop', 'postgresql.service', 'postgresql.service failed (oom-kill)', 4),
      ],
    },
    { never: [...OTHERS, /unit postgresql/] },
  ),
  fault(
    'configuration-of-nginx-wrong',
    [/unit nginx/, /change files-5$/],
    {
      metric: 'check_failed',
      changes: [...OTHER_CHANGES, edited('/etc/nginx/sites-enabled/shop.conf', 5)],
      events: [
        ...OTHER_EVENTS,
        event('config_change', '', '/etc/nginx/sites-enabled/shop.conf changed', 5),
        event('service_restart', 'nginx.service', 'nginx.service restarted', 4.8),
      ],
      lines: [line('journal_error', 'nginx.service', 'host not found in upstream "shopp"', 4)],
    },
    { never: OTHERS },
  ),
  fault(
    'new-unit-takes-cpu',
    [/process crunch|unit crunch/],
    {
      metric: 'cpu_usage',
      changes: [
        ...OTHER_CHANGES,
        changed('units', 11, 'crunch.service added', [field('crunch.service', null, '90 bytes')]),
      ],
      events: [...OTHER_EVENTS, event('service_start', 'crunch.service', 'crunch.service started', 10)],
      series: { cpu: step(22, 96, 10, 1) },
      processes: running(seen('crunch', { cpuPercent: 590, startedAt: ago(10) })),
    },
    { never: OTHERS },
  ),
  fault(
    'hugepages',
    [/change sysctls-9|server|process/],
    {
      metric: 'memory_usage',
      changes: [
        ...OTHER_CHANGES,
        changed('sysctls', 9, 'vm.nr_hugepages 0 → 6000', [field('vm.nr_hugepages', '0', '6000')]),
      ],
      events: OTHER_EVENTS,
      series: { memory: step(55, 93, 9, 0.3) },
    },
    { never: OTHERS, isHard: true },
  ),
  fault(
    'conntrack-by-a-scan',
    [/server web-1/],
    {
      metric: 'network_errors',
      subject: 'eth0',
      ...others,
      limits: { ...none, conntrack: { used: 65_000, max: 65_536 } },
      lines: [line('conntrack_full', null, 'nf_conntrack: table full, dropping packet', 5)],
      processes: running(seen('masscan', { cpuPercent: 60, startedAt: ago(8) })),
    },
    { never: OTHERS },
  ),
  fault(
    'certificate-of-the-unit',
    [/server web-1|unit stunnel/],
    {
      metric: 'systemd_unit_failed',
      subject: 'stunnel.service',
      ...others,
      failedUnits: ['stunnel.service'],
      lines: [line('journal_error', 'stunnel.service', 'certificate has expired', 5)],
      events: [...OTHER_EVENTS, event('service_stop', 'stunnel.service', 'stunnel.service failed (exit-code)', 5)],
    },
    { never: OTHERS },
  ),
  fault(
    'mailer-floods-and-unit-fails',
    [/unit api/],
    {
      metric: 'systemd_unit_failed',
      subject: 'api.service',
      ...others,
      failedUnits: ['api.service'],
      lines: [
        line('journal_error', 'mailer.service', 'SMTP connect timeout', 5),
        line('journal_error', 'api.service', 'panic: nil pointer', 4),
      ],
      events: [...OTHER_EVENTS, event('service_stop', 'api.service', 'api.service failed (exit-code)', 4)],
    },
    { never: [...OTHERS, /mailer/] },
  ),
  fault('gradual-latency', [], { metric: 'check_slow', ...others }, { never: OTHERS }),
];

export const OTHER_HOST_FAULTS: readonly OtherFault[] = [
  ...besideNearChanges,
  ...besideNewcomers,
  fault(
    'leak-beside-a-flap',
    [/process node/],
    {
      metric: 'memory_usage',
      series: { memory: climb(55, 93, 500) },
      processes: running(seen('node', { pid: 901, cpuPercent: 61, memoryBytes: 13.5 * GIB })),
      lines: [
        line('segfault', 'thumbnailer', 'thumbnailer[88]: segfault at 0 ip 0 sp 0 error 4', 40),
        line('journal_error', 'mailer.service', 'accept: Too many open files', 30),
        line('journal_error', 'mailer.service', 'x509: certificate has expired', 20),
      ],
    },
    { never: [/thumbnailer/, /mailer/] },
  ),
  fault(
    'disk-beside-a-crash',
    [/filesystem \/srv/],
    {
      metric: 'disk_usage',
      subject: '/srv',
      series: { disk: climb(50, 92, 300, 0.1) },
      lines: [
        line('link_down', 'eth1', 'eth1: NIC Link is Down', 40),
        line('thermal_throttling', 'CPU3', 'CPU3: Core temperature above threshold, cpu clock throttled', 20),
      ],
    },
    { never: [/eth1/] },
  ),
  fault(
    'conntrack-full',
    [/server web-1/],
    {
      metric: 'check_failed',
      limits: { ...none, conntrack: { used: 65_530, max: 65_536 } },
      lines: [line('conntrack_full', null, 'nf_conntrack: nf_conntrack: table full, dropping packet', 6)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
      series: { connections: step(210, 900, 12) },
    },
    { never: DECOYS },
  ),
  fault(
    'conntrack-lowered',
    [/sysctls-7/],
    {
      metric: 'check_failed',
      limits: { ...none, conntrack: { used: 4096, max: 4096 } },
      lines: [line('conntrack_full', null, 'nf_conntrack: nf_conntrack: table full, dropping packet', 6)],
      changes: [
        ...DECOY_CHANGES,
        changed('sysctls', 7, 'net.netfilter.nf_conntrack_max 262144 → 4096', [
          field('net.netfilter.nf_conntrack_max', '262144', '4096'),
        ]),
      ],
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'resolver-broken',
    [/files-8/],
    {
      metric: 'check_failed',
      lines: [
        line('journal_error', 'shop.service', 'getaddrinfo EAI_AGAIN db.internal', 6),
        line('journal_error', 'postfix.service', 'Temporary failure in name resolution', 5),
      ],
      changes: [...DECOY_CHANGES, edited('/etc/resolv.conf', 8)],
      events: [...DECOY_EVENTS, event('config_change', '', '/etc/resolv.conf changed', 8)],
    },
    { never: DECOYS },
  ),
  fault(
    'resolver-stopped',
    [/unit systemd-resolved/],
    {
      metric: 'check_failed',
      lines: [line('journal_error', 'shop.service', 'getaddrinfo EAI_AGAIN db.internal', 6)],
      changes: DECOY_CHANGES,
      events: [
        ...DECOY_EVENTS,
        event('service_stop', 'systemd-resolved.service', 'systemd-resolved.service failed (exit-code)', 7),
      ],
      failedUnits: ['systemd-resolved.service'],
    },
    { never: DECOYS, isHard: true },
  ),
  fault(
    'certificate-of-a-dependency',
    [/server web-1|unit shop|peer/],
    {
      metric: 'check_failed',
      lines: [
        line(
          'journal_error',
          'shop.service',
          'Post "https://pay.example.net/": x509: certificate has expired or is not yet valid',
          6,
        ),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'steal',
    [/server web-1/],
    {
      metric: 'cpu_usage',
      series: { cpu: step(22, 93, 20, 2), load: step(1.6, 11, 20) },
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS, isHard: true },
  ),
  fault(
    'logs-of-another-program',
    [/filesystem \/var\/log|process chatty/],
    {
      metric: 'disk_usage',
      subject: '/var/log',
      series: { disk: climb(50, 91, 100, 0.1) },
      processes: running(
        seen('chatty', { pid: 4711, cpuPercent: 45, startedAt: ago(101) }),
        seen('rsyslogd', { cpuPercent: 22 }),
      ),
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'inodes-of-an-old-program',
    [/filesystem \/var/],
    {
      metric: 'inode_usage',
      subject: '/var',
      filesystems: [
        { mount: '/', usedPercent: 40, inodesPercent: 9 },
        { mount: '/var', usedPercent: 31, inodesPercent: 99.8 },
      ],
      lines: [line('journal_error', 'postfix.service', 'queue file: No space left on device', 8)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
      processes: running(seen('metrics-proxy', { startedAt: ago(26) })),
    },
    { never: DECOYS },
  ),
  fault('reboot-for-a-kernel', [/server web-1/], {
    metric: 'offline',
    minutes: 10,
    series: { cpu: series((time) => (time > -14 && time < -7 ? null : 22), 2) },
    gaps: [{ from: ago(14), to: ago(7), reason: 'rebooted', detail: '' }],
    changes: [
      ...DECOY_CHANGES,
      updated('linux-image-6.1.0-31', null, '6.1.128', 22),
      changed('system', 7, 'boot, kernel 6.1.0-30 → 6.1.0-31', [
        field('kernel', '6.1.0-30', '6.1.0-31'),
        field('boot', 'a', 'b'),
      ]),
    ],
    events: [
      ...DECOY_EVENTS,
      event('update_installed', '', 'Package installed or updated: linux-image-6.1.0-31 6.1.128', 22),
    ],
  }),
  fault('unit-fails-after-a-reboot', [/server web-1|unit zfs-mount/], {
    metric: 'systemd_unit_failed',
    subject: 'zfs-mount.service',
    minutes: 9,
    gaps: [{ from: ago(14), to: ago(11), reason: 'rebooted', detail: '' }],
    failedUnits: ['zfs-mount.service'],
    lines: [line('journal_error', 'zfs-mount.service', 'The ZFS modules cannot be auto-loaded', 10)],
    changes: [changed('system', 12, 'kernel 6.1.0-30 → 6.1.0-31', [field('kernel', '6.1.0-30', '6.1.0-31')])],
    events: [event('service_stop', 'zfs-mount.service', 'zfs-mount.service failed (exit-code)', 10)],
  }),
  fault(
    'clock-set-forward',
    [/server web-1/],
    {
      metric: 'collector_late',
      clockSkewSeconds: 3600,
      events: [...DECOY_EVENTS, event('system_monitoring', 'plimsoll', 'The clock was set forward by 3600 s', 6)],
      changes: DECOY_CHANGES,
      limits: { ...none, clockSynchronized: false },
    },
    { never: DECOYS },
  ),
  fault(
    'clock-breaks-certificates',
    [/server web-1/],
    {
      metric: 'systemd_unit_failed',
      subject: 'vpn.service',
      clockSkewSeconds: -86_400,
      failedUnits: ['vpn.service'],
      events: [
        ...DECOY_EVENTS,
        event('system_monitoring', 'plimsoll', 'The clock was set back by 86400 s', 9),
        event('service_stop', 'vpn.service', 'vpn.service failed (exit-code)', 6),
      ],
      lines: [line('journal_error', 'vpn.service', 'TLS handshake error: certificate is not yet valid', 6)],
      changes: DECOY_CHANGES,
    },
    { never: DECOYS },
  ),
  fault(
    'read-only-after-errors',
    [/disk sda|filesystem sda1/],
    {
      metric: 'filesystem_read_only',
      subject: '/var/lib/data',
      lines: [
        line('io_error', 'sda', 'blk_update_request: I/O error, dev sda, sector 12345', 9),
        line('remounted_read_only', 'sda1', 'EXT4-fs (sda1): Remounting filesystem read-only', 8),
        line('journal_error', 'postgresql.service', 'could not write to file: Read-only file system', 7),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'children-of-a-script',
    [/process convert/],
    {
      metric: 'cpu_usage',
      series: { cpu: step(22, 97, 25, 2), load: step(1.6, 44, 25) },
      processes: running(
        ...Array.from({ length: 14 }, (_, pid) =>
          seen('convert', { pid: 7000 + pid, cpuPercent: 52, startedAt: ago(20) }),
        ),
      ),
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'leak-over-hours',
    [/process node/],
    {
      metric: 'memory_usage',
      series: { memory: climb(55, 93, 500) },
      processes: running(seen('node', { pid: 901, cpuPercent: 61, memoryBytes: 13.5 * GIB })),
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'leak-kills-another',
    [/process node/],
    {
      metric: 'oom_kill',
      series: { memory: climb(55, 98, 500) },
      processes: running(seen('node', { pid: 901, cpuPercent: 61, memoryBytes: 15 * GIB })),
      lines: [line('oom_kill', 'postgres', 'Out of memory: Killed process 955 (postgres) total-vm:5000kB', 5)],
      changes: DECOY_CHANGES,
      events: [...DECOY_EVENTS, event('process_crash', '', 'The kernel killed a process: out of memory', 5)],
    },
    { never: [...DECOYS, /postgres/] },
  ),
  fault(
    'swap-thrash',
    [/process matlab/],
    {
      metric: 'swap_usage',
      series: {
        memory: step(55, 98, 40, 0.4),
        swap: climb(1, 80, 40),
        io_wait: step(1, 33, 35),
        cpu: step(22, 41, 35),
        iops: step(120, 4000, 35, 100),
      },
      processes: running(seen('matlab', { pid: 5050, cpuPercent: 70, memoryBytes: 26 * GIB, startedAt: ago(42) })),
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'raid-rebuild',
    [/process md0_resync|disk|server web-1/],
    {
      metric: 'io_wait',
      series: { io_wait: step(1, 30, 50), iops: step(120, 1900, 50, 60) },
      processes: running(seen('md0_resync', { pid: 301, cpuPercent: 12, memoryBytes: 0, startedAt: ago(51) })),
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'raid-disk-failed',
    [/disk sdb|disk md0/],
    {
      metric: 'raid_degraded',
      subject: 'md0',
      lines: [line('io_error', 'md0', 'md/raid1:md0: Disk failure on sdb1, disabling device.', 6)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'nfs-server-hangs',
    [/server web-1|filesystem|peer/],
    {
      metric: 'load_per_core',
      series: { load: climb(1.6, 46, 30) },
      lines: [
        line('hung_task', 'php-fpm', 'INFO: task php-fpm:812 blocked for more than 120 seconds.', 12),
        line('hung_task', 'df', 'INFO: task df:999 blocked for more than 120 seconds.', 10),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'update-breaks-a-unit',
    [/unit nginx/, /packages-9/],
    {
      metric: 'systemd_unit_failed',
      subject: 'nginx.service',
      failedUnits: ['nginx.service'],
      lines: [line('journal_error', 'nginx.service', 'nginx: [emerg] unknown directive "spdy"', 8)],
      changes: [...DECOY_CHANGES, updated('nginx', '1.24.0', '1.26.1', 9)],
      events: [
        ...DECOY_EVENTS,
        event('update_installed', '', 'Package installed or updated: nginx 1.26.1', 9),
        event('service_stop', 'nginx.service', 'nginx.service failed (exit-code)', 8),
      ],
    },
    { never: DECOYS },
  ),
  fault(
    'update-restarts-a-database',
    [/unit postgresql/, /packages-6/],
    {
      metric: 'check_failed',
      lines: [line('journal_error', 'shop.service', 'FATAL: the database system is starting up', 5)],
      changes: [...DECOY_CHANGES, updated('postgresql', '17.1', '17.2', 6)],
      events: [
        ...DECOY_EVENTS,
        event('update_installed', '', 'Package installed or updated: postgresql 17.2', 6),
        event('service_restart', 'postgresql.service', 'postgresql.service restarted', 5),
      ],
    },
    { never: DECOYS },
  ),
  fault(
    'open-files-of-a-unit',
    [/unit nginx/],
    {
      metric: 'check_failed',
      lines: [
        line('journal_error', 'nginx.service', 'accept4() failed (24: Too many open files)', 7),
        line('journal_error', 'shop.service', 'request failed: socket hang up', 6),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: [...DECOYS, /shop/] },
  ),
  fault(
    'limit-of-a-unit-lowered',
    [/unit nginx/, /units-8/],
    {
      metric: 'check_failed',
      lines: [line('journal_error', 'nginx.service', 'accept4() failed (24: Too many open files)', 6)],
      changes: [
        ...DECOY_CHANGES,
        changed('units', 8, 'nginx.service.d/limit.conf added', [
          field('nginx.service.d/limit.conf', null, '48 bytes'),
        ]),
      ],
      events: [...DECOY_EVENTS, event('service_restart', 'nginx.service', 'nginx.service restarted', 8)],
    },
    { never: DECOYS },
  ),
  fault(
    'two-files-changed',
    [/unit nginx/, /files-6/],
    {
      metric: 'systemd_unit_failed',
      subject: 'nginx.service',
      failedUnits: ['nginx.service'],
      changes: [edited('/etc/nginx/nginx.conf', 6), edited('/etc/hosts', 5), edited('/etc/motd', 5)],
      events: [
        event('config_change', '', '/etc/nginx/nginx.conf changed', 6),
        event('config_change', '', '/etc/hosts changed', 5),
        event('service_stop', 'nginx.service', 'nginx.service failed (exit-code)', 5),
      ],
    },
    { never: [/hosts/, /motd/] },
  ),
  fault(
    'change-after-the-onset',
    [/process node/],
    {
      metric: 'cpu_usage',
      minutes: 20,
      series: { cpu: step(22, 94, 28, 2) },
      processes: running(seen('node', { pid: 901, cpuPercent: 620, memoryBytes: 1.6 * GIB })),
      changes: [edited('/etc/shop/shop.conf', 9), updated('node', '24.1', '24.2', 8)],
      events: [
        event('config_change', '', '/etc/shop/shop.conf changed', 9),
        event('service_restart', 'shop.service', 'shop.service restarted', 8),
      ],
    },
    { never: [/files-9/, /packages-8/, /shop/] },
  ),
  fault(
    'link-flaps',
    [/interface eth1/],
    {
      metric: 'network_errors',
      subject: 'eth1',
      lines: [
        line('link_down', 'eth1', 'igb 0000:01:00.0 eth1: igb: eth1 NIC Link is Down', 12),
        line('link_up', 'eth1', 'igb 0000:01:00.0 eth1: igb: eth1 NIC Link is Up 1000 Mbps', 11),
        line('link_down', 'eth1', 'igb 0000:01:00.0 eth1: igb: eth1 NIC Link is Down', 7),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
      series: { retransmits: step(0.5, 70, 12) },
    },
    { never: DECOYS },
  ),
  fault(
    'packet-loss',
    [/server web-1|interface/],
    {
      metric: 'check_slow',
      series: { retransmits: step(0.5, 80, 15, 2), receive: step(2 * MIB, 1.1 * MIB, 15, 1e4) },
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'cron-and-backup',
    [/process (?:restic|pg_dump)/],
    {
      metric: 'io_wait',
      series: { io_wait: step(1, 38, 18), iops: step(120, 3100, 18, 60) },
      processes: running(
        seen('restic', { pid: 7001, cpuPercent: 70, startedAt: ago(80) }),
        seen('pg_dump', { pid: 7002, cpuPercent: 85, startedAt: ago(18) }),
      ),
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'watchdog',
    [/unit shop/],
    {
      metric: 'systemd_unit_failed',
      subject: 'shop.service',
      failedUnits: ['shop.service'],
      changes: DECOY_CHANGES,
      events: [
        ...DECOY_EVENTS,
        event('process_crash', 'shop.service', 'shop.service crashed (watchdog)', 5),
        event('service_stop', 'shop.service', 'shop.service failed (watchdog)', 5),
      ],
    },
    { never: DECOYS },
  ),
  fault(
    'ports-exhausted',
    [/server web-1/],
    {
      metric: 'check_failed',
      limits: { ...none, ephemeralPorts: { used: 28_100, max: 28_232 } },
      series: { time_wait: step(60, 27_800, 25, 50), connections: step(210, 28_000, 25, 50) },
      lines: [line('journal_error', 'shop.service', 'connect EADDRNOTAVAIL 10.0.0.8:5432', 6)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'too-hot',
    [/server web-1/],
    {
      metric: 'temperature',
      subject: 'coretemp',
      lines: [line('thermal_throttling', 'CPU3', 'CPU3: Core temperature above threshold, cpu clock throttled', 7)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'library-update-crashes-a-unit',
    [/unit shop|process shop/, /packages-6/],
    {
      metric: 'systemd_unit_failed',
      subject: 'shop.service',
      failedUnits: ['shop.service'],
      lines: [line('segfault', 'shop', 'shop[4711]: segfault at 0 ip 00007f9 sp 00007ff error 4 in libssl.so.3', 5)],
      changes: [...DECOY_CHANGES, updated('libssl3', '3.0.15', '3.0.16', 6)],
      events: [
        ...DECOY_EVENTS,
        event('process_crash', 'shop.service', 'shop.service crashed (core-dump)', 5),
        event('service_stop', 'shop.service', 'shop.service failed (core-dump)', 5),
      ],
    },
    { never: DECOYS },
  ),
  fault(
    'overcommit-changed',
    [/sysctls-9/],
    {
      metric: 'systemd_unit_failed',
      subject: 'redis.service',
      failedUnits: ['redis.service'],
      lines: [line('journal_error', 'redis.service', "Can't save in background: fork: Cannot allocate memory", 7)],
      changes: [
        ...DECOY_CHANGES,
        changed('sysctls', 9, 'vm.overcommit_memory 0 → 2', [field('vm.overcommit_memory', '0', '2')]),
      ],
      events: [...DECOY_EVENTS, event('service_stop', 'redis.service', 'redis.service failed (exit-code)', 6)],
    },
    { never: DECOYS, isHard: true },
  ),
  fault(
    'firewall-changed',
    [/files-7/],
    {
      metric: 'check_failed',
      series: { receive: step(2 * MIB, 900, 6, 50), transmit: step(3 * MIB, 700, 6, 50), connections: step(210, 8, 6) },
      changes: [...DECOY_CHANGES, edited('/etc/nftables.conf', 7)],
      events: [
        ...DECOY_EVENTS,
        event('config_change', '', '/etc/nftables.conf changed', 7),
        event('service_restart', 'nftables.service', 'nftables.service restarted', 7),
      ],
    },
    { never: DECOYS },
  ),
  fault(
    'port-closed',
    [/ports-6|unit shop|process node/],
    {
      metric: 'check_failed',
      changes: [...DECOY_CHANGES, changed('ports', 6, '443/tcp removed', [field('443/tcp', 'listening', null)])],
      events: DECOY_EVENTS,
      series: { receive: step(2 * MIB, 0.4 * MIB, 6, 50) },
    },
    { never: DECOYS, isHard: true },
  ),
  fault(
    'rack-without-power',
    [/server web-1/],
    {
      metric: 'offline',
      series: { cpu: series((time) => (time > -6 ? null : 22), 2) },
      silentTogether: ['web-2', 'web-3', 'db-1'],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault(
    'host-suspended',
    [/server web-1/],
    {
      metric: 'offline',
      minutes: 25,
      series: { cpu: series((time) => (time > -30 && time < -5 ? null : 22), 2) },
      gaps: [{ from: ago(30), to: ago(5), reason: 'unexplained', detail: '' }],
      events: [...DECOY_EVENTS, event('system_resume', '', 'The host was suspended for 24 min', 5)],
    },
    { never: DECOYS },
  ),
  fault(
    'database-host-silent',
    [/server db-1/],
    {
      metric: 'check_failed',
      minutes: 3,
      lines: [line('journal_error', 'shop.service', 'could not connect to server db-1: No route to host', 5)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
      alerts: [alertOf('offline', 4, { serverId: 'db-1', hostname: 'db-1', title: 'db-1 is offline' })],
      others: [
        serverOf('db-1', 'offline', {
          at: ago(4),
          series: { cpu: series((time) => (time > -7 ? null : 22), 2) },
          gaps: [{ from: ago(7), to: AT, reason: 'silent', detail: '' }],
        }),
      ],
    },
    { never: [...DECOYS, /web-1/] },
  ),
  fault(
    'full-disk-of-the-database-host',
    [/filesystem \/var\/lib\/postgresql/],
    {
      metric: 'check_failed',
      lines: [
        line('journal_error', 'shop.service', 'error: could not extend file: No space left on device', 5),
        line('journal_error', 'postgresql.service', 'PANIC: could not write to file: No space left on device', 6, {
          serverId: 'db-1',
        }),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
      alerts: [
        alertOf('disk_usage', 8, {
          serverId: 'db-1',
          hostname: 'db-1',
          subject: '/var/lib/postgresql',
          title: 'Disk full',
        }),
      ],
      others: [
        serverOf('db-1', 'disk_usage', {
          at: ago(8),
          subject: '/var/lib/postgresql',
          series: { disk: climb(70, 100, 200, 0.05) },
          filesystems: [{ mount: '/var/lib/postgresql', usedPercent: 100, inodesPercent: 4 }],
        }),
      ],
    },
    { never: DECOYS },
  ),
  fault(
    'heartbeat-of-a-full-disk',
    [/unit backup|filesystem|server web-1/],
    {
      metric: 'heartbeat_missed',
      lines: [line('journal_error', 'backup.service', 'restic: write /srv/backup/lock: No space left on device', 20)],
      filesystems: [{ mount: '/srv/backup', usedPercent: 100, inodesPercent: 4 }],
      failedUnits: ['backup.service'],
      changes: DECOY_CHANGES,
      events: [...DECOY_EVENTS, event('service_stop', 'backup.service', 'backup.service failed (exit-code)', 20)],
    },
    { never: DECOYS },
  ),
  fault(
    'unit-fails-for-a-full-disk',
    [/filesystem \/srv/],
    {
      metric: 'systemd_unit_failed',
      subject: 'recorder.service',
      filesystems: [
        { mount: '/', usedPercent: 40, inodesPercent: 9 },
        { mount: '/srv', usedPercent: 100, inodesPercent: 4 },
      ],
      failedUnits: ['recorder.service'],
      lines: [line('journal_error', 'recorder.service', 'write /srv/rec/1.mkv: no space left on device', 6)],
      changes: DECOY_CHANGES,
      events: [...DECOY_EVENTS, event('service_stop', 'recorder.service', 'recorder.service failed (exit-code)', 5)],
    },
    { never: DECOYS, isHard: true },
  ),
  fault(
    'memory-limit-of-a-unit',
    [/unit shop/, /units-9/],
    {
      metric: 'systemd_unit_failed',
      subject: 'shop.service',
      failedUnits: ['shop.service'],
      lines: [line('oom_kill', 'node', 'Memory cgroup out of memory: Killed process 901 (node) total-vm:900kB', 5)],
      changes: [
        ...DECOY_CHANGES,
        changed('units', 9, 'shop.service.d/memory.conf added', [
          field('shop.service.d/memory.conf', null, '30 bytes'),
        ]),
      ],
      events: [
        ...DECOY_EVENTS,
        event('process_crash', 'shop.service', 'shop.service crashed (oom-kill)', 5),
        event('service_stop', 'shop.service', 'shop.service failed (oom-kill)', 5),
      ],
    },
    { never: DECOYS, untrue: /host ran out of memory/ },
  ),
  fault(
    'database-without-connections',
    [/unit postgresql|server web-1/],
    {
      metric: 'check_failed',
      lines: [
        line('journal_error', 'postgresql.service', 'FATAL: sorry, too many clients already', 7),
        line('journal_error', 'shop.service', 'remaining connection slots are reserved', 6),
      ],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: [...DECOYS, /unit shop/] },
  ),
  fault(
    'caller-of-a-full-database',
    [/unit postgresql|server web-1/],
    {
      metric: 'check_failed',
      lines: [line('journal_error', 'shop.service', 'FATAL: sorry, too many clients already', 7)],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: [...DECOYS, /unit shop/], isHard: true },
  ),
  fault(
    'killed-by-a-person-beside-a-restart',
    [/unit api/],
    {
      metric: 'check_failed',
      events: [
        ...DECOY_EVENTS,
        event('service_stop', 'api.service', 'api.service stopped', 5),
        event('service_restart', 'nginx.service', 'nginx.service restarted', 4.5),
      ],
      changes: DECOY_CHANGES,
      lines: [
        line(
          'journal_error',
          'nginx.service',
          'connect() failed (111: Connection refused) while connecting to upstream',
          4,
        ),
      ],
    },
    { never: [...DECOYS, /nginx/] },
  ),
  fault(
    'oneshot-ends-as-usual',
    [/unit api/],
    {
      metric: 'check_failed',
      events: [
        event('service_stop', 'report.service', 'report.service stopped', 9),
        event('service_stop', 'api.service', 'api.service failed (exit-code)', 5),
      ],
      failedUnits: ['api.service'],
    },
    { never: [/report/] },
  ),
  fault(
    'failed-long-ago',
    [],
    {
      metric: 'cpu_usage',
      failedUnits: ['old.service'],
      changes: DECOY_CHANGES,
      events: DECOY_EVENTS,
    },
    { never: DECOYS },
  ),
  fault('healthy-changes-at-a-line', [], {
    metric: 'cpu_usage',
    series: { cpu: flat(79, 3) },
    changes: [...DECOY_CHANGES, edited('/etc/nginx/nginx.conf', 12), updated('nginx', '1.24.0', '1.24.1', 13)],
    events: [...DECOY_EVENTS, event('service_restart', 'nginx.service', 'nginx.service restarted', 12)],
  }),
  fault('healthy-memory-at-a-line', [], {
    metric: 'memory_usage',
    series: { memory: flat(89, 0.8) },
    changes: [...DECOY_CHANGES, edited('/etc/nginx/nginx.conf', 12), updated('nginx', '1.24.0', '1.24.1', 13)],
    events: [...DECOY_EVENTS, event('service_restart', 'nginx.service', 'nginx.service restarted', 12)],
  }),
  fault('healthy-check-flaps', [], {
    metric: 'check_failed',
    changes: [...DECOY_CHANGES, edited('/etc/nginx/nginx.conf', 45), updated('nginx', '1.24.0', '1.24.1', 46)],
    events: [...DECOY_EVENTS, event('service_restart', 'nginx.service', 'nginx.service restarted', 45)],
  }),
  fault('healthy-updates-pending', [], {
    metric: 'security_updates',
    changes: [...DECOY_CHANGES, edited('/etc/nginx/nginx.conf', 12)],
    events: [...DECOY_EVENTS, event('service_restart', 'nginx.service', 'nginx.service restarted', 12)],
    lines: [line('journal_error', 'dockerd.service', 'container 1 exited: Too many open files', 100)],
  }),
  fault('healthy-reboot-required', [], {
    metric: 'reboot_required',
    changes: [...DECOY_CHANGES, updated('linux-image-6.1.0-31', null, '6.1.128', 5)],
    events: DECOY_EVENTS,
  }),
  fault('healthy-job-stopped', [], {
    metric: 'check_failed',
    events: [
      ...DECOY_EVENTS,
      event('service_start', 'report.service', 'report.service started', 20),
      event('service_stop', 'report.service', 'report.service stopped', 14),
    ],
    changes: DECOY_CHANGES,
  }),
];
