import { expect, it } from 'vitest';
import { explain } from './explain.ts';
import { evidenceOf } from './testing/incident-evidence.ts';
import { ago, event, incident, list, minutes, noise, process } from './testing/incident.ts';
import {
  CPU,
  type ChangedServer,
  type Known,
  MB,
  namesTheCauses,
  NOW,
  until,
  wave,
} from './testing/known-incidents.ts';
import { soundServer } from './testing/sound-server.ts';

const RX = wave(0.4 * MB, 2 * MB, 0.1 * MB);
const TX = wave(1.5 * MB, 7 * MB, 0.3 * MB);
const CONNECTIONS = wave(90, 420, 15);

function host(
  title: string,
  [kind, words]: readonly [string, RegExp],
  metric: string,
  changed: ChangedServer,
  subject = 'shop-1',
): Known {
  return [
    title,
    kind,
    words,
    incident({
      title,
      cause: title,
      mentions: [words],
      ask: { about: 'alert', text: `What is wrong with ${subject}?` },
      now: NOW,
      servers: [soundServer(NOW, 'shop-1', changed), soundServer(NOW, 'shop-2')],
      alerts: [{ at: ago(NOW, 4), metric, subject, value: 90, line: 80, level: 'warning' }],
    }),
  ];
}

const KNOWN: readonly Known[] = [
  host(
    'a database fills its disk',
    ['disk_filled_by', /A database.*\/var\/lib\/postgresql/],
    'disk_usage',
    {
      series: {
        disk_percent: { '/var/lib/postgresql': minutes(NOW, 168, (t) => (t < -300 ? 61 : 61 + (t + 300) * 0.1), 10) },
      },
      now: [process('postgres', { pid: 955, cpu: 160, memoryMb: 3000 })],
    },
    'shop-1 /var/lib/postgresql',
  ),
  host(
    'a backup fills /',
    ['disk_filled_by', /Backups.*tar/],
    'disk_usage',
    {
      series: { disk_percent: { '/': minutes(NOW, 168, (t) => (t < -50 ? 55 : 55 + (t + 50) * 0.7), 5) } },
      now: [process('tar', { pid: 7001, cpu: 60, memoryMb: 20, startedAt: ago(NOW, 50) })],
      events: [event(ago(NOW, 50), 'service_start', 'backup-home.service started')],
    },
    'shop-1 /',
  ),
  host(
    'temporary files',
    ['disk_filled_by', /Temporary files.*\/tmp/],
    'disk_usage',
    {
      series: { disk_percent: { '/tmp': minutes(NOW, 168, (t) => (t < -200 ? 9 : 9 + (t + 200) * 0.4), 10) } },
    },
    'shop-1 /tmp',
  ),
  host(
    'an unknown program fills /',
    ['disk_filled_by', /exporter/],
    'disk_usage',
    {
      series: { disk_percent: { '/': minutes(NOW, 168, (t) => (t < -90 ? 50 : 50 + (t + 90) * 0.45), 5) } },
      now: [process('exporter', { pid: 7002, cpu: 85, memoryMb: 200, startedAt: ago(NOW, 91) })],
    },
    'shop-1 /',
  ),
  host(
    'a disk fills over weeks',
    ['disk_filling', /\/srv fills up/],
    'disk_usage',
    {
      series: { disk_percent: { '/srv': minutes(NOW, 168, (t) => 90.4 + t / 2500, 10) } },
    },
    'shop-1 /srv',
  ),
  host(
    'inodes run out',
    ['inodes_exhausted', /\/var/],
    'inode_usage',
    { inodes_percent: { '/var': 99.2 } },
    'shop-1 /var',
  ),
  host('a fast leak', ['memory_leak', /node uses more/], 'memory_usage', {
    series: { memory_percent: until(70, wave(44, 48, 0.7), (t) => 46 + (t + 70) * 0.62 + noise(t, 0.5)) },
    before: [process('node', { pid: 901, cpu: 90, memoryMb: 1800 })],
    now: [process('node', { pid: 901, cpu: 120, memoryMb: 15_500 })],
  }),
  host('a program that started takes memory', ['memory_taken', /java started and took/], 'memory_usage', {
    series: { memory_percent: until(25, wave(44, 48, 0.7), (t) => 90 + noise(t, 0.5)) },
    now: [process('java', { pid: 4000, cpu: 40, memoryMb: 14_000, startedAt: ago(NOW, 26) })],
  }),
  host('a leak over days, without older lists', ['memory_leak', /node uses most.*no older list/], 'memory_usage', {
    series: { memory_percent: minutes(NOW, 168, (t) => 46 + (t + 10_080) / 290 + noise(t, 0.2), 10) },
    processes: [list(ago(NOW, 3), [process('node', { pid: 901, cpu: 90, memoryMb: 21_800 })])],
  }),
  host('workers pile up', ['process_pileup', /php-fpm/], 'memory_usage', {
    series: { memory_percent: until(40, wave(44, 48, 0.7), (t) => 50 + (t + 40) * 1 + noise(t, 0.5)) },
    before: [1, 2, 3, 4].map((pid) => process('php-fpm', { pid: 5000 + pid, cpu: 5, memoryMb: 200 })),
    now: Array.from({ length: 60 }, (_, pid) => process('php-fpm', { pid: 5000 + pid, cpu: 4, memoryMb: 210 })),
  }),
  host('swap storm', ['swapping', /short of memory.*postgres/], 'swap_usage', {
    series: {
      memory_percent: until(30, wave(88, 91, 0.5), (t) => 97 + noise(t, 0.3)),
      swap_percent: until(
        30,
        () => 3,
        (t) => 60 + noise(t, 2),
      ),
      io_wait_percent: until(30, wave(0.5, 2, 0.5), (t) => 35 + noise(t, 4)),
    },
    before: [process('postgres', { pid: 955, cpu: 30, memoryMb: 14_000 })],
    now: [process('postgres', { pid: 955, cpu: 30, memoryMb: 14_100 })],
  }),
  host(
    'the kernel kills a unit',
    ['killed_for_memory', /out of memory/],
    'systemd_unit_failed',
    {
      events: [
        event(ago(NOW, 12), 'process_crash', 'The kernel killed a process: out of memory'),
        event(ago(NOW, 11), 'service_stop', 'importer.service failed (oom-kill)'),
      ],
      failed_units: ['importer.service'],
    },
    'shop-1 importer.service',
  ),
  host('a runaway process', ['noisy_process', /node takes .*connections did not grow/], 'cpu_usage', {
    series: { cpu_percent: until(35, CPU, (t) => 93 + noise(t, 2)) },
    now: [process('node', { pid: 901, cpu: 560, memoryMb: 1800, startedAt: 1_780_000_100 })],
  }),
  host('a job that runs each day', ['scheduled_job', /report-build runs at this time of day/], 'cpu_usage', {
    series: {
      cpu_percent: minutes(
        NOW,
        168,
        (t) => (((t % 1440) + 1440) % 1440 > 1410 || t === 0 ? 88 + noise(t, 2) : CPU(t)),
        5,
      ),
    },
    now: [process('report-build', { pid: 8123, cpu: 520, memoryMb: 900, startedAt: ago(NOW, 28) })],
  }),
  host('a miner', ['noisy_process', /kdevtmpfsi/], 'cpu_usage', {
    series: { cpu_percent: until(300, CPU, (t) => 99 + noise(t, 0.5)) },
    now: [process('kdevtmpfsi', { pid: 31_337, cpu: 690, memoryMb: 2300, startedAt: ago(NOW, 300) })],
  }),
  host('a release that costs more', ['cpu_after_change', /node needs more CPU.*shop-api/], 'cpu_usage', {
    series: { cpu_percent: until(45, CPU, (t) => CPU(t) + 52) },
    now: [process('node', { pid: 6001, cpu: 500, memoryMb: 1900, startedAt: ago(NOW, 46) })],
    events: [
      event(ago(NOW, 47), 'config_change', '/etc/shop-api/release changed'),
      event(ago(NOW, 46), 'service_restart', 'shop-api.service restarted'),
    ],
  }),
  host('more visitors', ['more_traffic', /connections/], 'cpu_usage', {
    series: {
      cpu_percent: until(50, CPU, (t) => 86 + noise(t, 3)),
      connections: until(50, CONNECTIONS, (t) => 1500 + noise(t, 60)),
      network_rx_bytes_per_second: until(50, RX, (t) => 7 * MB + noise(t, MB)),
      network_tx_bytes_per_second: until(50, TX, (t) => 25 * MB + noise(t, MB)),
    },
    now: [
      process('node', { pid: 901, cpu: 420, memoryMb: 2000 }),
      process('nginx', { pid: 812, cpu: 170, memoryMb: 300 }),
    ],
  }),
  host('load that grows for a week', ['growing_load', /from day to day/], 'cpu_usage', {
    series: {
      cpu_percent: minutes(NOW, 168, (t) => CPU(t) * (1 + (t + 10_080) / 6000), 10),
      network_rx_bytes_per_second: minutes(NOW, 168, (t) => RX(t) * (1 + (t + 10_080) / 6000), 10),
      connections: minutes(NOW, 168, (t) => CONNECTIONS(t) * (1 + (t + 10_080) / 6000), 10),
    },
  }),
  host('a backup reads the disk', ['disk_saturated', /restic/], 'io_wait', {
    series: {
      io_wait_percent: until(60, wave(0.5, 2, 0.5), (t) => 38 + noise(t, 4)),
      disk_operations_per_second: until(60, wave(60, 220, 20), (t) => 2600 + noise(t, 200)),
    },
    now: [process('restic', { pid: 7100, cpu: 70, memoryMb: 700, startedAt: ago(NOW, 61) })],
  }),
  host('a slow disk', ['slow_disk', /fewer operations/], 'io_wait', {
    series: {
      io_wait_percent: until(60, wave(0.5, 2, 0.5), (t) => 44 + noise(t, 4)),
      disk_operations_per_second: until(60, wave(60, 220, 20), (t) => 30 + noise(t, 8)),
    },
  }),
  host('a flood of half-open connections', ['network_flood', /SYN_RECV/], 'cpu_usage', {
    series: {
      cpu_percent: until(20, CPU, (t) => 78 + noise(t, 4)),
      syn_recv: until(20, wave(0, 2, 1), (t) => 900 + noise(t, 60)),
      connections: until(20, CONNECTIONS, (t) => 1500 + noise(t, 60)),
      network_rx_bytes_per_second: until(20, RX, (t) => 9 * MB + noise(t, MB)),
    },
  }),
  host(
    'lost packets',
    ['packet_loss', /retransmitted/],
    'tcp_retransmits',
    {
      series: { tcp_retransmits_per_second: until(80, wave(0.2, 0.8, 0.2), (t) => 60 + noise(t, 9)) },
    },
    'shop-1 eth0',
  ),
  host('leaked connections', ['connection_leak', /CLOSE_WAIT/], 'network_usage', {
    series: {
      close_wait: until(600, wave(2, 5, 1), (t) => 5 + (t + 600) * 2.4),
      connections: until(600, CONNECTIONS, (t) => CONNECTIONS(t) + (t + 600) * 2.4),
    },
  }),
  host('a service that stopped', ['service_stopped', /nginx\.service failed/], 'network_usage', {
    series: {
      network_tx_bytes_per_second: until(22, TX, () => 0.05 * MB),
      network_rx_bytes_per_second: until(22, RX, () => 0.03 * MB),
      connections: until(22, CONNECTIONS, () => 12),
    },
    without: ['nginx'],
    events: [event(ago(NOW, 23), 'service_stop', 'nginx.service failed (exit-code)')],
  }),
  host('a link that is down', ['network_drop', /eth0/], 'network_usage', {
    series: {
      network_tx_bytes_per_second: until(22, TX, () => 200),
      network_rx_bytes_per_second: until(22, RX, () => 300),
    },
    events: [event(ago(NOW, 23), 'system_monitoring', 'eth0: link is not ready')],
  }),
  host(
    'a service in a loop after a changed configuration',
    ['crash_loop_after_change', /nginx.*\/etc\/nginx\/nginx\.conf/],
    'systemd_unit_failed',
    {
      events: [
        event(ago(NOW, 31), 'config_change', '/etc/nginx/nginx.conf changed'),
        ...[30, 25, 20, 15, 10].map((one) =>
          event(ago(NOW, one), 'process_crash', 'nginx.service crashed (exit-code)'),
        ),
      ],
      failed_units: ['nginx.service'],
    },
    'shop-1 nginx.service',
  ),
  host(
    'an expired certificate',
    ['certificate', /certificate has expired/],
    'systemd_unit_failed',
    {
      events: [event(ago(NOW, 20), 'service_stop', 'stunnel.service failed: certificate has expired')],
      failed_units: ['stunnel.service'],
    },
    'shop-1 stunnel.service',
  ),
  host('a restart of the machine', ['rebooted', /restarted/], 'offline', {
    series: { cpu_percent: until(14, CPU, (t) => (t < -6 ? null : 40)) },
    gaps: [{ from: ago(NOW, 14), to: ago(NOW, 6), reason: 'rebooted' }],
  }),
  host('a stopped collector', ['collector_stopped', /collector was stopped/], 'offline', {
    series: { cpu_percent: until(14, CPU, () => null) },
    gaps: [{ from: ago(NOW, 14), to: NOW, reason: 'agent_stopped' }],
  }),
  host('a machine that ran full', ['silent_host', /memory was full/], 'offline', {
    series: {
      cpu_percent: until(12, CPU, () => null),
      memory_percent: minutes(NOW, 168, (t) => (t < -60 ? 47 : t < -12 ? 47 + (t + 60) * 1.05 : null)),
    },
  }),
  host('a clock that jumped', ['clock_set', /clock was set/], 'collector_late', {
    events: [event(ago(NOW, 10), 'system_monitoring', 'The clock was set back by 3600 s')],
    clock_skew_seconds: 3600,
  }),
  host('a network filesystem that does not answer', ['stuck_tasks', /load [12].* → 44/], 'load_per_core', {
    series: { load1: until(40, wave(1, 3, 0.3), (t) => 45 + noise(t, 1)) },
    events: [event(ago(NOW, 39), 'system_monitoring', 'kernel: nfs: server files-1 not responding, still trying')],
  }),
  host('short-lived processes', ['unexplained_cpu', /no program in the list explains/], 'cpu_usage', {
    series: { cpu_percent: until(40, CPU, (t) => 92 + noise(t, 2)) },
  }),
  host('a full table of connections', ['kernel_limit', /tracked connections/], 'network_errors', {
    events: [event(ago(NOW, 9), 'system_monitoring', 'kernel: nf_conntrack: table full, dropping packet')],
  }),
];

namesTheCauses(KNOWN);

it('names no cause on a sound server, whatever the alert', () => {
  for (const metric of ['cpu_usage', 'memory_usage', 'io_wait', 'disk_usage', 'network_errors_total']) {
    const [, , , recorded] = host('nothing', ['none', /^/], metric, {});
    expect([metric, explain(evidenceOf(recorded)).causes]).toEqual([metric, []]);
  }
});
