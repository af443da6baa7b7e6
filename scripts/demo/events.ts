import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { countedMessage, KERNEL_SEVERITIES, type HostLineKind } from '@plimsoll/contract/rules/lines';
import type { EventPart } from '@plimsoll/contract/wire/report';
import type { DemoHost, DemoRole } from './fleet.ts';
import { noise } from './figures.ts';
import { exhaustingSince, LEAK_HOST, OFFLINE_HOST, SPIKE_HOST, SPIKE_SECONDS, type Stories } from './stories.ts';

type Kind = [type: EventPart['event_type'], service: string | null, process: string | null, message: string];
const KINDS: Partial<Record<DemoRole, readonly Kind[]>> = {
  web: [
    ['service_restart', 'nginx', null, 'nginx was restarted'],
    ['config_change', 'nginx', null, '/etc/nginx/sites-enabled/shop changed'],
    ['update_installed', null, null, 'libssl3 3.0.17-1 to 3.0.18-1'],
  ],
  database: [
    ['config_change', 'postgresql', null, '/etc/postgresql/16/main/postgresql.conf changed'],
    ['update_installed', null, null, 'postgresql-16 16.10-1 to 16.11-1'],
  ],
  queue: [['service_restart', 'consumer', null, 'consumer was restarted']],
  logs: [['update_installed', null, null, 'vector 0.51.0-1 to 0.51.1-1']],
  build: [['service_start', 'docker', null, 'docker was started']],
  backup: [['service_start', 'restic-backup', null, 'restic-backup was started']],
};
/** Every so many hosts one event of its role happened in the last day. */
const EVERY = 2;

const event = (host: DemoHost, at: number, [type, service, process, message]: Kind): EventPart => ({
  id: `${host.name}-${String(at)}`,
  event_type: type,
  service_name: service,
  process_name: process,
  message,
  severity: type === 'process_crash' ? 'error' : 'info',
  ts: at,
});

/** A line of the kernel or the journal. */
const line = (
  host: DemoHost,
  at: number,
  kind: HostLineKind,
  [unit, message, count]: [unit: string, message: string, count: number],
): EventPart => ({
  id: `line-${host.name}-${String(at)}-${kind}`,
  event_type: kind,
  service_name: kind === 'journal_error' ? unit : null,
  process_name: kind === 'journal_error' ? null : unit,
  message: countedMessage(count, message),
  severity: kind === 'journal_error' ? 'error' : KERNEL_SEVERITIES[kind],
  ts: at,
});

/** The index job keeps the disk so busy that a process waits for it. */
const linesOfSpike = (host: DemoHost, spikeAt: number): EventPart[] => [
  line(host, spikeAt + 130, 'journal_error', ['reindex.service', 'batch 41 took 9213 ms, limit 2000 ms', 12]),
  line(host, spikeAt + 260, 'hung_task', [
    'jbd2/sda1-8',
    'INFO: task jbd2/sda1-8:312 blocked for more than 120 seconds.',
    1,
  ]),
];

/** The cache job takes all memory. Its host says nothing more after the kill. */
const lastLines = (host: DemoHost, { offlineSince }: Stories): EventPart[] => [
  line(host, offlineSince - 180, 'journal_error', [
    'nginx.service',
    'worker process 1187: fork() failed (12: Cannot allocate memory)',
    31,
  ]),
  line(host, offlineSince - 65, 'oom_kill', [
    'python3',
    'Out of memory: Killed process 2214 (python3) total-vm:7914032kB, anon-rss:7421180kB, file-rss:0kB, shmem-rss:0kB, UID:33 pgtables:15024kB oom_score_adj:0',
    1,
  ]),
];

/** Returns the activity of a host in its last day. */
export function eventsOf(host: DemoHost, stories: Stories): EventPart[] {
  const { now, spikeAt } = stories;
  const own: EventPart[] = (KINDS[host.role] ?? []).flatMap((kind, index) => {
    const at = now - Math.floor(noise(host.seed * 11 + index, 3) * DAY_SECONDS);
    return (host.seed + index) % EVERY === 0 ? [event(host, at, kind)] : [];
  });
  if (host.name === SPIKE_HOST)
    own.push(
      event(host, spikeAt, ['service_start', 'reindex', 'python3', 'reindex was started']),
      event(host, spikeAt + SPIKE_SECONDS, ['service_stop', 'reindex', 'python3', 'reindex was stopped']),
    );
  if (host.name === SPIKE_HOST) own.push(...linesOfSpike(host, spikeAt));
  if (host.name === OFFLINE_HOST) own.push(...lastLines(host, stories));
  if (host.name === OFFLINE_HOST)
    own.push(
      event(host, exhaustingSince(stories), ['service_start', 'warm-cache', 'python3', 'warm-cache was started']),
    );
  if (host.name === LEAK_HOST)
    own.push(event(host, now - 76 * 3600, ['update_installed', null, null, 'api 4.11.2 to 4.12.0']));
  return own;
}
