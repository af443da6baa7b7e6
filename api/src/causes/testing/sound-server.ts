import {
  ago,
  event,
  list,
  minutes,
  noise,
  process,
  server,
  type IncidentProcess,
  type IncidentServer,
} from './incident.ts';

/** A web server with nothing wrong, to put one cause into. Its load follows the hours of a day. */

const MB = 2 ** 20;
const DAY_MINUTES = 1440;
/** 0 at four in the morning, 1 at four in the afternoon. */
export const dayWave = (now: number, t: number): number => {
  const minute = ((now / 60 + t) % DAY_MINUTES) / DAY_MINUTES;
  return 0.5 - 0.5 * Math.cos(2 * Math.PI * (minute - 4 / 24));
};

const BACKGROUND: readonly IncidentProcess[] = [
  process('systemd', { pid: 1, cpu: 0.1, memoryMb: 12, startedAt: 1_780_000_000 }),
  process('systemd-journald', { pid: 310, cpu: 0.4, memoryMb: 60, startedAt: 1_780_000_000 }),
  process('sshd', { pid: 611, cpu: 0, memoryMb: 8, startedAt: 1_780_000_000 }),
  process('cron', { pid: 640, cpu: 0, memoryMb: 3, startedAt: 1_780_000_000 }),
  process('plimsoll-agent', { pid: 702, cpu: 0.4, memoryMb: 30, startedAt: 1_780_000_000 }),
  process('nginx', { pid: 812, cpu: 45, memoryMb: 300, startedAt: 1_780_000_100 }),
  process('node', { pid: 901, cpu: 90, memoryMb: 1800, startedAt: 1_780_000_100 }),
  process('postgres', { pid: 955, cpu: 30, memoryMb: 3000, startedAt: 1_780_000_100 }),
];

interface Changed extends Partial<Omit<IncidentServer, 'series'>> {
  series?: Partial<IncidentServer['series']>;
  /** At the moment, and 3 and 12 hours before; each replaces a process of its name. */
  now?: readonly IncidentProcess[];
  before?: readonly IncidentProcess[];
  /** Names of processes that do not run at the moment. */
  without?: readonly string[];
}

const replaced = (by: readonly IncidentProcess[] = [], without: readonly string[] = []): IncidentProcess[] => [
  ...BACKGROUND.filter(({ name }) => !without.includes(name) && by.every((one) => one.name !== name)),
  ...by,
];

export function soundServer(now: number, hostname: string, changed: Changed = {}): IncidentServer {
  const { series, now: present, before, without, events = [], ...rest } = changed;
  const daily = (low: number, high: number, size: number, seed: number) =>
    minutes(now, 168, (t) => low + (high - low) * dayWave(now, t) + noise(t + seed, size), 10);
  return server(
    hostname,
    { cores: 8, memoryGb: 32 },
    {
      series: {
        cpu_percent: daily(12, 34, 3, 1),
        memory_percent: daily(44, 48, 0.7, 2),
        disk_percent: { '/': minutes(now, 168, (t) => 41 + t / 40_000, 10) },
        io_wait_percent: daily(0.5, 2, 0.5, 3),
        disk_operations_per_second: daily(60, 220, 20, 4),
        swap_percent: daily(0, 0, 0, 5),
        network_rx_bytes_per_second: daily(0.4 * MB, 2 * MB, 0.1 * MB, 6),
        network_tx_bytes_per_second: daily(1.5 * MB, 7 * MB, 0.3 * MB, 7),
        connections: daily(90, 420, 15, 8),
        time_wait: daily(30, 90, 8, 9),
        close_wait: daily(2, 5, 1, 10),
        syn_recv: daily(0, 2, 1, 11),
        tcp_retransmits_per_second: daily(0.2, 0.8, 0.2, 12),
        ...series,
      },
      processes: [
        list(ago(now, 720), replaced(before)),
        list(ago(now, 180), replaced(before)),
        list(ago(now, 3), replaced(present, without)),
      ],
      events: [
        event(ago(now, 300), 'update_installed', 'unattended-upgrades: tzdata 2026b installed'),
        event(ago(now, 150), 'service_restart', 'systemd-resolved.service restarted'),
        event(ago(now, 95), 'service_start', 'motd-news.service started'),
        ...events,
      ],
      ...rest,
    },
  );
}
