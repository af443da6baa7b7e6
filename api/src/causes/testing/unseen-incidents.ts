/** Twelve incidents by an author who had not read the analyser: they were run once, after it was finished. */
import {
  ago,
  at,
  event,
  incident,
  list,
  minutes,
  noise,
  pod,
  process,
  server,
  type Incident,
  type IncidentProcess,
} from './incident.ts';

const MB = 2 ** 20;
const BOOTED = 1_784_000_000;
const idle: readonly IncidentProcess[] = [
  process('systemd', { pid: 1, cpu: 0.1, memoryMb: 14, startedAt: BOOTED }),
  process('dbus-daemon', { pid: 402, cpu: 0, memoryMb: 5, startedAt: BOOTED }),
  process('rsyslogd', { pid: 455, cpu: 0.6, memoryMb: 38, startedAt: BOOTED }),
  process('chronyd', { pid: 470, cpu: 0, memoryMb: 4, startedAt: BOOTED }),
  process('plimsoll-agent', { pid: 733, cpu: 0.5, memoryMb: 31, startedAt: BOOTED }),
];
const flat = (now: number, level: number, size: number, seed = 0) =>
  minutes(now, 24, (t) => level + noise(t + seed, size));
/** `before` until `since` minutes before now, then `after`. */
const stepped = (now: number, since: number, before: number, after: number, size: number, seed = 0) =>
  minutes(now, 24, (t) => (t < -since ? before : after) + noise(t + seed, size));

const slotNow = at('2026-09-02 07:40');
const replicationSlot = incident({
  title: 'The disk of a database fills after its replica has gone',
  cause: 'Since the replica stopped at 01:40, PostgreSQL keeps its write-ahead log on /var/lib/postgresql.',
  mentions: [/\/var\/lib\/postgresql/, /postgres/],
  ask: { about: 'alert', text: 'Why is the disk /var/lib/postgresql of pg-main filling?' },
  now: slotNow,
  servers: [
    server(
      'pg-main',
      { cores: 16, memoryGb: 64 },
      {
        series: {
          cpu_percent: flat(slotNow, 22, 4, 1),
          memory_percent: flat(slotNow, 71, 0.6, 2),
          disk_percent: {
            '/': flat(slotNow, 34, 0.05, 3),
            '/var/lib/postgresql': minutes(slotNow, 24, (t) =>
              t < -360 ? 58 + noise(t, 0.1) : 58 + (t + 360) * 0.067 + noise(t, 0.1),
            ),
          },
          io_wait_percent: flat(slotNow, 2.4, 0.8, 4),
          disk_operations_per_second: flat(slotNow, 900, 120, 5),
          network_tx_bytes_per_second: stepped(slotNow, 360, 14 * MB, 9 * MB, MB, 6),
        },
        processes: [
          list(ago(slotNow, 720), [
            ...idle,
            process('postgres', { pid: 1201, cpu: 210, memoryMb: 18_000, startedAt: BOOTED }),
          ]),
          list(ago(slotNow, 180), [
            ...idle,
            process('postgres', { pid: 1201, cpu: 205, memoryMb: 18_020, startedAt: BOOTED }),
          ]),
          list(ago(slotNow, 4), [
            ...idle,
            process('postgres', { pid: 1201, cpu: 214, memoryMb: 18_030, startedAt: BOOTED }),
          ]),
        ],
        events: [event(ago(slotNow, 900), 'update_installed', 'unattended-upgrades: ca-certificates installed')],
      },
    ),
    server(
      'pg-replica',
      { cores: 16, memoryGb: 64 },
      {
        series: { cpu_percent: minutes(slotNow, 24, (t) => (t < -360 ? 9 + noise(t, 2) : null)) },
        gaps: [{ from: ago(slotNow, 360), to: slotNow, reason: 'host_off' }],
      },
    ),
  ],
  alerts: [
    { at: ago(slotNow, 355), metric: 'offline', subject: 'pg-replica', value: 3, line: 3, level: 'critical' },
    {
      at: ago(slotNow, 30),
      metric: 'disk_usage',
      subject: 'pg-main /var/lib/postgresql',
      value: 80.2,
      line: 80,
      level: 'warning',
    },
  ],
});

const gcNow = at('2026-09-09 15:05');
const garbageCollector = incident({
  title: 'A Java program without free heap collects garbage all the time',
  cause: 'java of the search service uses seven cores since 13:30; its memory has grown to its limit before.',
  mentions: [/java/],
  ask: { about: 'alert', text: 'Why is the CPU of search-2 high?' },
  now: gcNow,
  servers: [
    server(
      'search-2',
      { cores: 8, memoryGb: 32 },
      {
        series: {
          cpu_percent: stepped(gcNow, 95, 38, 93, 3, 1),
          memory_percent: minutes(gcNow, 24, (t) => Math.min(88, 60 + ((t + 1440) / 1345) * 28) + noise(t, 0.5)),
          disk_percent: { '/': flat(gcNow, 47, 0.1, 3) },
          load1: stepped(gcNow, 95, 3.1, 11, 1, 4),
          network_tx_bytes_per_second: stepped(gcNow, 95, 6 * MB, 2.2 * MB, 0.4 * MB, 5),
          connections: stepped(gcNow, 95, 240, 610, 30, 6),
        },
        processes: [
          list(ago(gcNow, 720), [
            ...idle,
            process('java', { pid: 2210, cpu: 240, memoryMb: 21_000, startedAt: BOOTED }),
            process('nginx', { pid: 1190, cpu: 18, memoryMb: 90 }),
          ]),
          list(ago(gcNow, 180), [
            ...idle,
            process('java', { pid: 2210, cpu: 260, memoryMb: 25_900, startedAt: BOOTED }),
            process('nginx', { pid: 1190, cpu: 20, memoryMb: 92 }),
          ]),
          list(ago(gcNow, 3), [
            ...idle,
            process('java', { pid: 2210, cpu: 702, memoryMb: 26_600, startedAt: BOOTED }),
            process('nginx', { pid: 1190, cpu: 9, memoryMb: 101 }),
          ]),
        ],
        events: [event(ago(gcNow, 700), 'service_restart', 'logrotate.service restarted')],
      },
    ),
  ],
  alerts: [{ at: ago(gcNow, 88), metric: 'cpu_usage', subject: 'search-2', value: 94, line: 80, level: 'warning' }],
});

const backupNow = at('2026-09-13 02:35');
const nightlyBackup = incident({
  title: 'The nightly backup reads the whole disk',
  cause: 'restic, which cron starts at 02:15, reads the disk: IO wait is high as in the nights before.',
  mentions: [/restic/],
  ask: { about: 'alert', text: 'Why does files-1 wait for its disks?' },
  now: backupNow,
  servers: [
    server(
      'files-1',
      { cores: 4, memoryGb: 16 },
      {
        series: {
          cpu_percent: stepped(backupNow, 20, 9, 31, 3, 1),
          memory_percent: flat(backupNow, 52, 1, 2),
          io_wait_percent: minutes(backupNow, 72, (t) => {
            const ofDay = ((t % 1440) + 1440) % 1440;
            return (t >= -20 || (ofDay > 1420 && ofDay < 1440) || ofDay < 40 ? 34 : 1.2) + noise(t, 1);
          }),
          disk_operations_per_second: stepped(backupNow, 20, 70, 2300, 60, 4),
          disk_percent: { '/': flat(backupNow, 29, 0.1), '/srv': flat(backupNow, 66, 0.1) },
          network_tx_bytes_per_second: stepped(backupNow, 20, 0.6 * MB, 38 * MB, 0.3 * MB, 6),
        },
        processes: [
          list(ago(backupNow, 720), [
            ...idle,
            process('smbd', { pid: 990, cpu: 12, memoryMb: 210, startedAt: BOOTED }),
          ]),
          list(ago(backupNow, 180), [...idle, process('smbd', { pid: 990, cpu: 3, memoryMb: 205, startedAt: BOOTED })]),
          list(ago(backupNow, 2), [
            ...idle,
            process('smbd', { pid: 990, cpu: 2, memoryMb: 205, startedAt: BOOTED }),
            process('restic', { pid: 70_112, cpu: 88, memoryMb: 640, startedAt: ago(backupNow, 20) }),
          ]),
        ],
        events: [event(ago(backupNow, 20), 'process_start', 'restic started')],
      },
    ),
  ],
  alerts: [{ at: ago(backupNow, 8), metric: 'io_wait', subject: 'files-1', value: 34, line: 10, level: 'warning' }],
});

const linkNow = at('2026-09-20 11:20');
const flappingLink = incident({
  title: 'A network card loses its link again and again',
  cause: 'The link of eth1 goes down and comes back since 10:50: packets are sent again and traffic falls.',
  mentions: [/eth1|link/],
  ask: { about: 'server', text: 'What is wrong with cache-3?' },
  now: linkNow,
  servers: [
    server(
      'cache-3',
      { cores: 8, memoryGb: 64 },
      {
        series: {
          cpu_percent: stepped(linkNow, 30, 24, 11, 2, 1),
          memory_percent: flat(linkNow, 78, 0.4, 2),
          disk_percent: { '/': flat(linkNow, 22, 0.1) },
          network_rx_bytes_per_second: stepped(linkNow, 30, 40 * MB, 9 * MB, 3 * MB, 3),
          network_tx_bytes_per_second: stepped(linkNow, 30, 180 * MB, 31 * MB, 9 * MB, 4),
          tcp_retransmits_per_second: stepped(linkNow, 30, 0.8, 140, 0.7, 5),
          connections: stepped(linkNow, 30, 2100, 1500, 90, 6),
        },
        processes: [
          list(ago(linkNow, 720), [
            ...idle,
            process('redis-server', { pid: 880, cpu: 92, memoryMb: 48_000, startedAt: BOOTED }),
          ]),
          list(ago(linkNow, 180), [
            ...idle,
            process('redis-server', { pid: 880, cpu: 95, memoryMb: 48_010, startedAt: BOOTED }),
          ]),
          list(ago(linkNow, 3), [
            ...idle,
            process('redis-server', { pid: 880, cpu: 38, memoryMb: 48_010, startedAt: BOOTED }),
          ]),
        ],
        events: [
          event(ago(linkNow, 31), 'system_monitoring', 'kernel: igb eth1: NIC Link is Down'),
          event(ago(linkNow, 30), 'system_monitoring', 'kernel: igb eth1: NIC Link is Up 100 Mbps Full Duplex'),
          event(ago(linkNow, 17), 'system_monitoring', 'kernel: igb eth1: NIC Link is Down'),
          event(ago(linkNow, 16), 'system_monitoring', 'kernel: igb eth1: NIC Link is Up 100 Mbps Full Duplex'),
        ],
      },
    ),
  ],
  alerts: [
    { at: ago(linkNow, 21), metric: 'network_errors', subject: 'cache-3', value: 61, line: 10, level: 'warning' },
  ],
});

const envNow = at('2026-10-01 08:30');
const missingVariable = incident({
  title: 'A program ends at its start because a setting is missing',
  cause: 'billing-api ends with "DATABASE_URL is not set" since its ConfigMap changed; the image is the same.',
  mentions: [/DATABASE_URL/],
  ask: { about: 'pod', text: 'Why does the pod shop/billing-api-6b7f9d-x2x9k restart?' },
  now: envNow,
  servers: [
    server(
      'worker-1',
      { cores: 8, memoryGb: 32 },
      { series: { cpu_percent: flat(envNow, 31, 3), memory_percent: flat(envNow, 60, 1) } },
    ),
  ],
  alerts: [
    {
      at: ago(envNow, 22),
      metric: 'pod_crash_loop',
      subject: 'shop/billing-api-6b7f9d-x2x9k',
      value: 9,
      line: 1,
      level: 'error',
    },
  ],
  kubernetes: {
    nodes: [{ name: 'worker-1', hostname: 'worker-1', ready: true, cpu_cores: 8, conditions: [] }],
    pods: [
      pod('shop', 'billing-api-6b7f9d-x2x9k', {
        node: 'worker-1',
        owner: 'Deployment/billing-api',
        image: 'registry.example.com/billing-api:4.2.0',
        created_at: ago(envNow, 35),
        reason: 'CrashLoopBackOff',
        ready: false,
        memory_limit_bytes: 512 * MB,
        restarts: [30, 28, 25, 20, 14, 6].map((minute) => ({
          at: ago(envNow, minute),
          reason: 'Error',
          exit_code: 1,
          message: 'Error: DATABASE_URL is not set\n    at loadConfig (/app/config.js:14:11)',
        })),
        series: { memory_bytes: minutes(envNow, 1, () => 60 * MB) },
      }),
      pod('shop', 'catalog-7d9c4-abcde', {
        node: 'worker-1',
        owner: 'Deployment/catalog',
        image: 'registry.example.com/catalog:1.9.3',
        created_at: ago(envNow, 9000),
      }),
    ],
    events: [
      {
        at: ago(envNow, 34),
        type: 'Normal',
        reason: 'Scheduled',
        object: 'Pod shop/billing-api-6b7f9d-x2x9k',
        message: 'Successfully assigned shop/billing-api-6b7f9d-x2x9k to worker-1',
      },
      {
        at: ago(envNow, 5),
        type: 'Warning',
        reason: 'BackOff',
        object: 'Pod shop/billing-api-6b7f9d-x2x9k',
        message: 'Back-off restarting failed container api',
      },
    ],
    workload_changes: [],
  },
});

const evictNow = at('2026-10-05 19:10');
const evicted = incident({
  title: 'A pod without a memory limit drives others off the node',
  cause:
    'The node worker-2 was short of memory, because report-batch took 11 GB without a limit: the kubelet evicted checkout.',
  mentions: [/evict/i, /memory/i],
  ask: { about: 'pod', text: 'Why did the pod shop/checkout-5c8d7-qq2rt fail?' },
  now: evictNow,
  servers: [
    server(
      'worker-2',
      { cores: 4, memoryGb: 16 },
      {
        series: {
          cpu_percent: flat(evictNow, 44, 4),
          memory_percent: minutes(
            evictNow,
            12,
            (t) => (t < -50 ? 58 : t < -15 ? 58 + (t + 50) * 1.1 : 61) + noise(t, 0.8),
          ),
        },
      },
    ),
  ],
  alerts: [{ at: ago(evictNow, 24), metric: 'node_pressure', subject: 'worker-2', value: 1, line: 1, level: 'error' }],
  kubernetes: {
    nodes: [
      {
        name: 'worker-2',
        hostname: 'worker-2',
        ready: true,
        cpu_cores: 4,
        conditions: [
          {
            type: 'MemoryPressure',
            status: 'True',
            since: ago(evictNow, 25),
            reason: 'KubeletHasInsufficientMemory',
            message: 'kubelet has insufficient memory available',
          },
        ],
      },
    ],
    pods: [
      pod('shop', 'checkout-5c8d7-qq2rt', {
        node: 'worker-2',
        owner: 'Deployment/checkout',
        image: 'registry.example.com/checkout:8.1.0',
        created_at: ago(evictNow, 20_000),
        phase: 'Failed',
        reason: 'Evicted',
        ready: false,
      }),
      pod('jobs', 'report-batch-29081-zzt5w', {
        node: 'worker-2',
        owner: 'Job/report-batch-29081',
        image: 'registry.example.com/report-batch:1.0.7',
        created_at: ago(evictNow, 52),
        series: { memory_bytes: minutes(evictNow, 1, (t) => Math.max(0.2, (t + 52) / 3.2) * 1024 * MB) },
      }),
    ],
    events: [
      {
        at: ago(evictNow, 25),
        type: 'Warning',
        reason: 'EvictionThresholdMet',
        object: 'Node worker-2',
        message: 'Attempting to reclaim memory',
      },
      {
        at: ago(evictNow, 24),
        type: 'Warning',
        reason: 'Evicted',
        object: 'Pod shop/checkout-5c8d7-qq2rt',
        message:
          'The node was low on resource: memory. Threshold quantity: 100Mi, available: 61312Ki. Container checkout was using 410Mi, request is 256Mi',
      },
    ],
    workload_changes: [],
  },
});

const floodNow = at('2026-10-11 21:00');
const synFlood = incident({
  title: 'Half-open connections flood a web server',
  cause: 'SYN_RECV connections rise from 1 to 4,000 at 20:42: a SYN flood.',
  mentions: [/syn/i],
  ask: { about: 'server', text: 'Why are there so many connections on edge-1?' },
  now: floodNow,
  servers: [
    server(
      'edge-1',
      { cores: 8, memoryGb: 16 },
      {
        series: {
          cpu_percent: stepped(floodNow, 18, 28, 47, 3, 1),
          memory_percent: flat(floodNow, 49, 1, 2),
          network_rx_bytes_per_second: stepped(floodNow, 18, 5 * MB, 17 * MB, 0.8 * MB, 3),
          network_tx_bytes_per_second: stepped(floodNow, 18, 22 * MB, 19 * MB, 2 * MB, 4),
          connections: stepped(floodNow, 18, 900, 4900, 60, 5),
          syn_recv: stepped(floodNow, 18, 1, 4000, 1, 6),
          time_wait: stepped(floodNow, 18, 310, 330, 30, 7),
        },
        processes: [
          list(ago(floodNow, 180), [
            ...idle,
            process('haproxy', { pid: 802, cpu: 130, memoryMb: 900, startedAt: BOOTED }),
          ]),
          list(ago(floodNow, 2), [
            ...idle,
            process('haproxy', { pid: 802, cpu: 142, memoryMb: 940, startedAt: BOOTED }),
          ]),
        ],
      },
    ),
  ],
  alerts: [],
});

const probeNow = at('2026-10-16 10:10');
const liveness = incident({
  title: 'The kubelet restarts a pod that answers its probe too late',
  cause: 'The liveness probe of thumbs fails, because the container is held at its CPU limit of 0.5 cores.',
  mentions: [/liveness|probe/i],
  ask: { about: 'pod', text: 'Why does media/thumbs-84f6c-7kq2v restart?' },
  now: probeNow,
  servers: [
    server(
      'worker-4',
      { cores: 8, memoryGb: 32 },
      { series: { cpu_percent: flat(probeNow, 40, 3), memory_percent: flat(probeNow, 55, 1) } },
    ),
  ],
  alerts: [
    {
      at: ago(probeNow, 12),
      metric: 'pod_restarts',
      subject: 'media/thumbs-84f6c-7kq2v',
      value: 5,
      line: 5,
      level: 'warning',
    },
  ],
  kubernetes: {
    nodes: [{ name: 'worker-4', hostname: 'worker-4', ready: true, cpu_cores: 8, conditions: [] }],
    pods: [
      pod('media', 'thumbs-84f6c-7kq2v', {
        node: 'worker-4',
        owner: 'Deployment/thumbs',
        image: 'registry.example.com/thumbs:3.3.1',
        created_at: ago(probeNow, 30_000),
        cpu_limit_cores: 0.5,
        memory_limit_bytes: 1024 * MB,
        restarts: [58, 46, 35, 23, 12].map((minute) => ({
          at: ago(probeNow, minute),
          reason: 'Error',
          exit_code: 137,
        })),
        series: {
          cpu_cores: minutes(probeNow, 6, (t) => (t < -65 ? 0.21 + noise(t, 0.04) : 0.5)),
          memory_bytes: minutes(probeNow, 6, () => 300 * MB),
        },
      }),
    ],
    events: [
      {
        at: ago(probeNow, 24),
        type: 'Warning',
        reason: 'Unhealthy',
        object: 'Pod media/thumbs-84f6c-7kq2v',
        message: 'Liveness probe failed: Get "http://10.2.4.19:8080/health": context deadline exceeded',
      },
      {
        at: ago(probeNow, 23),
        type: 'Normal',
        reason: 'Killing',
        object: 'Pod media/thumbs-84f6c-7kq2v',
        message: 'Container thumbs failed liveness probe, will be restarted',
      },
      {
        at: ago(probeNow, 13),
        type: 'Warning',
        reason: 'Unhealthy',
        object: 'Pod media/thumbs-84f6c-7kq2v',
        message: 'Liveness probe failed: Get "http://10.2.4.19:8080/health": context deadline exceeded',
      },
    ],
    workload_changes: [],
  },
});

const phpNow = at('2026-10-22 18:45');
const workers = (count: number, each: number): IncidentProcess[] =>
  Array.from({ length: count }, (_, index) =>
    process('php-fpm8.2', {
      pid: 4000 + index,
      cpu: 14 + noise(index, 6),
      memoryMb: each,
      startedAt: BOOTED + 60 * index,
    }),
  );
const manyWorkers = incident({
  title: 'A web server starts more and more workers',
  cause: 'Traffic trebled since 17:30; php-fpm has started more workers, which together fill the memory.',
  mentions: [/php-fpm/],
  ask: { about: 'alert', text: 'Why is the memory of web-5 nearly full?' },
  now: phpNow,
  servers: [
    server(
      'web-5',
      { cores: 8, memoryGb: 8 },
      {
        series: {
          cpu_percent: stepped(phpNow, 75, 25, 61, 4, 1),
          memory_percent: minutes(
            phpNow,
            24,
            (t) => (t < -75 ? 46 : Math.min(91, 46 + (t + 75) * 1.2)) + noise(t, 0.8),
          ),
          network_rx_bytes_per_second: stepped(phpNow, 75, 1.1 * MB, 3.4 * MB, 0.2 * MB, 3),
          network_tx_bytes_per_second: stepped(phpNow, 75, 7 * MB, 21 * MB, MB, 4),
          connections: stepped(phpNow, 75, 260, 800, 25, 5),
          swap_percent: flat(phpNow, 3, 0.3, 6),
        },
        processes: [
          list(ago(phpNow, 720), [...idle, ...workers(8, 190), process('nginx', { pid: 700, cpu: 9, memoryMb: 80 })]),
          list(ago(phpNow, 180), [...idle, ...workers(8, 195), process('nginx', { pid: 700, cpu: 10, memoryMb: 80 })]),
          // Added afterwards: the list that the product stores as an alert begins.
          list(ago(phpNow, 36), [...idle, ...workers(13, 320), process('nginx', { pid: 700, cpu: 26, memoryMb: 92 })]),
          list(ago(phpNow, 3), [...idle, ...workers(15, 360), process('nginx', { pid: 700, cpu: 28, memoryMb: 95 })]),
        ],
      },
    ),
  ],
  alerts: [{ at: ago(phpNow, 35), metric: 'memory_usage', subject: 'web-5', value: 84, line: 80, level: 'warning' }],
});

const rebootNow = at('2026-10-28 04:15');
const rebooted = incident({
  title: 'A host restarts after an update of its kernel',
  cause: 'unattended-upgrades installed a kernel at 03:58 and restarted the host: no reports from 04:00 to 04:06.',
  mentions: [/reboot|restart/i],
  ask: { about: 'alert', text: 'Why was db-3 offline?' },
  now: rebootNow,
  servers: [
    server(
      'db-3',
      { cores: 8, memoryGb: 32 },
      {
        series: {
          cpu_percent: minutes(rebootNow, 24, (t) => (t > -15 && t < -9 ? null : 17 + noise(t, 3)), 1),
          memory_percent: minutes(
            rebootNow,
            24,
            (t) => (t > -15 && t < -9 ? null : t < -15 ? 74 : 22 + (t + 9) * 2),
            1,
          ),
        },
        processes: [
          list(ago(rebootNow, 180), [
            ...idle,
            process('mariadbd', { pid: 911, cpu: 44, memoryMb: 21_000, startedAt: BOOTED }),
          ]),
          list(ago(rebootNow, 3), [
            process('mariadbd', { pid: 640, cpu: 61, memoryMb: 5200, startedAt: ago(rebootNow, 9) }),
          ]),
        ],
        events: [
          event(ago(rebootNow, 17), 'update_installed', 'unattended-upgrades: linux-image-6.1.0-40-amd64 installed'),
          event(ago(rebootNow, 9), 'service_start', 'mariadb.service started'),
        ],
        gaps: [{ from: ago(rebootNow, 15), to: ago(rebootNow, 9), reason: 'rebooted' }],
      },
    ),
  ],
  alerts: [{ at: ago(rebootNow, 12), metric: 'offline', subject: 'db-3', value: 3, line: 3, level: 'critical' }],
});

const volumeNow = at('2026-11-03 13:00');
const fullVolume = incident({
  title: 'A database has no room left on its volume',
  cause: 'The claim data-orders-db-0 is full: PostgreSQL ends with "No space left on device".',
  mentions: [/data-orders-db-0|No space left/],
  ask: { about: 'pod', text: 'Why does orders/orders-db-0 crash?' },
  now: volumeNow,
  servers: [
    server(
      'worker-3',
      { cores: 8, memoryGb: 32 },
      { series: { cpu_percent: flat(volumeNow, 20, 2), memory_percent: flat(volumeNow, 48, 1) } },
    ),
  ],
  alerts: [
    {
      at: ago(volumeNow, 16),
      metric: 'pod_crash_loop',
      subject: 'orders/orders-db-0',
      value: 5,
      line: 1,
      level: 'error',
    },
  ],
  kubernetes: {
    nodes: [{ name: 'worker-3', hostname: 'worker-3', ready: true, cpu_cores: 8, conditions: [] }],
    pods: [
      pod('orders', 'orders-db-0', {
        node: 'worker-3',
        owner: 'StatefulSet/orders-db',
        image: 'docker.io/library/postgres:16.4',
        created_at: ago(volumeNow, 80_000),
        reason: 'CrashLoopBackOff',
        ready: false,
        memory_limit_bytes: 4096 * MB,
        restarts: [24, 21, 17, 10].map((minute) => ({
          at: ago(volumeNow, minute),
          reason: 'Error',
          exit_code: 1,
          message: 'PANIC:  could not write to file "pg_wal/xlogtemp.31": No space left on device',
        })),
        series: { memory_bytes: minutes(volumeNow, 6, (t) => (t < -24 ? 1900 : 90) * MB) },
        volumes: [{ claim: 'data-orders-db-0', phase: 'Bound', used_percent: 100 }],
      }),
    ],
    events: [
      {
        at: ago(volumeNow, 4),
        type: 'Warning',
        reason: 'BackOff',
        object: 'Pod orders/orders-db-0',
        message: 'Back-off restarting failed container postgres',
      },
    ],
    workload_changes: [],
  },
});

const roomNow = at('2026-11-10 09:50');
const noRoom = incident({
  title: 'No node has room for a pod',
  cause: 'The pod requests 24 GB of memory, and no node has that much left.',
  mentions: [/memory/i, /schedul|node/i],
  ask: { about: 'pod', text: 'Why is ml/train-0 pending?' },
  now: roomNow,
  servers: [
    server(
      'worker-1',
      { cores: 8, memoryGb: 32 },
      { series: { cpu_percent: flat(roomNow, 35, 3), memory_percent: flat(roomNow, 67, 1) } },
    ),
    server(
      'worker-2',
      { cores: 8, memoryGb: 32 },
      { series: { cpu_percent: flat(roomNow, 29, 3), memory_percent: flat(roomNow, 71, 1) } },
    ),
  ],
  alerts: [
    { at: ago(roomNow, 10), metric: 'pod_pending', subject: 'ml/train-0', value: 25, line: 15, level: 'warning' },
  ],
  kubernetes: {
    nodes: [
      { name: 'worker-1', hostname: 'worker-1', ready: true, cpu_cores: 8, conditions: [] },
      { name: 'worker-2', hostname: 'worker-2', ready: true, cpu_cores: 8, conditions: [] },
    ],
    pods: [
      pod('ml', 'train-0', {
        node: null,
        owner: 'StatefulSet/train',
        image: 'registry.example.com/train:0.4.0',
        created_at: ago(roomNow, 25),
        phase: 'Pending',
        reason: 'Unschedulable',
        ready: false,
        memory_limit_bytes: 24 * 1024 * MB,
      }),
    ],
    events: [
      {
        at: ago(roomNow, 25),
        type: 'Warning',
        reason: 'FailedScheduling',
        object: 'Pod ml/train-0',
        message:
          '0/2 nodes are available: 2 Insufficient memory. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.',
      },
    ],
    workload_changes: [],
  },
});

export const UNSEEN: readonly Incident[] = [
  replicationSlot,
  garbageCollector,
  nightlyBackup,
  flappingLink,
  missingVariable,
  evicted,
  synFlood,
  liveness,
  manyWorkers,
  rebooted,
  fullVolume,
  noRoom,
];
