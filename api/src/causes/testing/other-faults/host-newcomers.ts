import {
  type OtherFault,
  GIB,
  series,
  flat,
  step,
  climb,
  seen,
  running,
  event,
  line,
  changed,
  edited,
  updated,
  fault,
  none,
} from './host-told.ts';
import { ago, field } from '../shop.ts';

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
export const besideNewcomers: readonly OtherFault[] = [
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
