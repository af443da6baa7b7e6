import { describe, expect, it } from 'vitest';
import {
  emptyEvidence,
  emptySeries,
  type Evidence,
  type Point,
  type ProcessSeen,
  type ServerSeen,
} from './evidence.ts';
import { explain } from './explain.ts';
import { bareServer } from './testing/bare-server.ts';
import { wordsOf } from './testing/words-of.ts';

/** 03:12 on a Monday. */
const AT = Date.UTC(2026, 10, 23, 3, 12) / 1000;
const MINUTE = 60;
const HOUR = 3600;
const GIB = 2 ** 30;

/** A point each 6 minutes from 12 h before to half an hour after; noise is the same in every run. */
const series = (value: (hours: number) => number | null, noise = 0): Point[] =>
  Array.from({ length: 125 }, (_, index) => {
    const at = AT - 12 * HOUR + index * 6 * MINUTE;
    const base = value((at - AT) / HOUR);
    return { at, value: base === null ? null : base + noise * Math.sin(index * 12.9898) };
  });
const flat = (value: number, noise = 1): Point[] => series(() => value, noise);
const step = (was: number, is: number, noise = 1, hours = 0): Point[] =>
  series((time) => (time < hours - 0.3 ? was : is), noise);

const seen = (name: string, more: Partial<ProcessSeen> = {}): ProcessSeen => ({
  pid: 100,
  name,
  cpuPercent: 4,
  memoryBytes: 0.5 * GIB,
  startedAt: AT - 90 * 24 * HOUR,
  ...more,
});
const quiet: ServerSeen = {
  ...bareServer('web-1', AT),
  metric: 'cpu_usage',
  cpuCores: 8,
  memoryTotalBytes: 32 * GIB,
  series: {
    ...emptySeries(),
    cpu: flat(22, 3),
    memory: flat(55),
    disk: flat(40, 0.1),
    io_wait: flat(1, 0.5),
    iops: flat(120, 20),
    swap: flat(0, 0),
    receive: flat(2 * 2 ** 20, 1e5),
    transmit: flat(3 * 2 ** 20, 1e5),
    connections: flat(210, 12),
  },
  processes: [seen('postgres')],
  processesBefore: [seen('postgres')],
};
const trace = (more: Partial<Omit<ServerSeen, 'series'>> & { series?: Partial<ServerSeen['series']> }): ServerSeen => ({
  ...quiet,
  ...more,
  series: { ...quiet.series, ...more.series },
});
/** The server with its alert. */
const momentOf = (server: ServerSeen): Evidence => ({
  ...emptyEvidence(AT, AT + 60),
  alerts: [
    {
      id: 'alert-1',
      metric: server.metric ?? 'range',
      title: 'Alert',
      message: '',
      at: AT,
      subject: server.subject ?? '',
      serverId: server.serverId,
      hostname: server.hostname,
      object: null,
    },
  ],
  servers: [server],
});
const causesOf = (server: ServerSeen) => explain(momentOf(server)).causes;
const event = (type: string, message: string, minutesBefore: number, name = 'app') => ({
  type,
  name,
  message,
  at: AT - minutesBefore * MINUTE,
});

/** Traces with a known cause. The first cause named must be it. */
const TRACES: readonly [string, string, ServerSeen][] = [
  [
    'a disk filled by logs',
    'disk_filled_by_logs',
    trace({
      metric: 'disk_usage',
      subject: '/var/log',
      series: { disk: series((hours) => 88 + hours * 2.4, 0.2), iops: flat(400, 30) },
    }),
  ],
  [
    'a journal that writes without end',
    'disk_filled_by_logs',
    trace({
      metric: 'disk_usage',
      subject: '/',
      series: { disk: series((hours) => 91 + hours * 1.1, 0.1) },
      processes: [seen('systemd-journald', { cpuPercent: 38 }), seen('postgres')],
    }),
  ],
  [
    'a disk that fills with data',
    'disk_filling',
    trace({ metric: 'disk_usage', subject: '/srv', series: { disk: series((hours) => 85 + hours * 1.5, 0.1) } }),
  ],
  [
    'a memory leak',
    'memory_leak',
    trace({
      metric: 'memory_usage',
      series: { memory: series((hours) => 82 + hours * 3, 0.2) },
      processes: [seen('node', { pid: 7, memoryBytes: 14 * GIB }), seen('postgres')],
      processesBefore: [seen('node', { pid: 7, memoryBytes: 2 * GIB }), seen('postgres')],
    }),
  ],
  [
    'a noisy neighbour',
    'noisy_process',
    trace({
      series: { cpu: step(22, 91, 2) },
      processes: [seen('ffmpeg', { pid: 9, cpuPercent: 590, startedAt: AT - 10 * MINUTE }), seen('postgres')],
    }),
  ],
  [
    'a service that crashes since an update',
    'crash_loop_after_change',
    trace({
      events: [
        event('update_installed', 'nginx 1.27.3 installed', 40, 'nginx'),
        ...[30, 22, 13, 5].map((minutes) => event('process_crash', 'nginx crashed', minutes, 'nginx')),
      ],
    }),
  ],
  [
    'a network drop',
    'network_drop',
    trace({
      metric: null,
      series: {
        receive: step(4e6, 2e4, 1e3),
        transmit: step(6e6, 1e4, 1e3),
        connections: step(900, 30, 3),
        cpu: step(40, 6, 1),
      },
    }),
  ],
  [
    'swapping',
    'swapping',
    trace({
      metric: 'memory_usage',
      series: { memory: step(80, 97, 0.5), swap: step(2, 61, 1), io_wait: step(2, 34, 2), cpu: step(30, 45, 2) },
    }),
  ],
  [
    'a backup that saturates the disk',
    'disk_saturated',
    trace({
      metric: 'io_wait',
      series: { io_wait: step(2, 41, 2), iops: step(150, 2400, 50), cpu: step(22, 30, 2) },
    }),
  ],
  [
    'a wave of visitors',
    'more_traffic',
    trace({
      series: {
        cpu: step(30, 84, 2),
        connections: step(210, 1900, 15),
        receive: step(2e6, 1.9e7, 1e5),
        transmit: step(3e6, 2.4e7, 1e5),
      },
      processes: [11, 12, 13, 14, 15].map((pid) => seen('nginx', { pid, cpuPercent: 130 })),
      processesBefore: [11, 12, 13, 14, 15].map((pid) => seen('nginx', { pid, cpuPercent: 40 })),
    }),
  ],
  [
    'a host that went silent',
    'silent_host',
    trace({
      metric: 'offline',
      series: {
        cpu: series((hours) => (hours < -0.1 ? 20 : null), 1),
        memory: series((hours) => (hours < -0.1 ? 98 : null)),
      },
    }),
  ],
];

describe('causes of recorded traces', () => {
  it.each(TRACES)('names %s', (_name, kind, evidence) => {
    expect(causesOf(evidence)[0]?.mechanism).toBe(kind);
  });

  it('gives each a finding, what shows it, and what to do', () => {
    for (const [, , evidence] of TRACES)
      for (const cause of causesOf(evidence)) {
        expect(cause.finding).toMatch(/\.$/);
        expect(cause.next.text).not.toBe('');
        expect(cause.entities).not.toEqual([]);
      }
  });

  it('names none on a quiet host, and does not fail on empty series', () => {
    expect(causesOf(quiet)).toEqual([]);
    expect(causesOf(trace({ series: emptySeries(), processes: [], processesBefore: [], cpuCores: null }))).toEqual([]);
  });
});

describe('what the evidence says', () => {
  const evidenceOf = (server: ServerSeen): string => wordsOf(causesOf(server)[0]);

  it('has the moment of the last report to the second, not that of a point of the series', () => {
    const from = AT - 6 * MINUTE - 11;
    const silent = trace({
      metric: 'offline',
      series: { cpu: series((hours) => (hours < -0.15 ? 20 : null)), memory: flat(98) },
      gaps: [{ from, to: AT, reason: 'silent', detail: '' }],
    });
    expect(evidenceOf(silent)).toContain('last report at 03:05:49 UTC');
    expect(evidenceOf(silent)).toContain('postgres used most memory, 0.5 GB');
  });

  it('has days in a length of more than two of them', () => {
    const disk = series((hours) => 74 + hours * 0.1);
    const week = Array.from({ length: 168 }, (_, hour) => ({ at: AT - (167 - hour) * HOUR, value: 57.3 + hour * 0.1 }));
    const about = { metric: 'disk_forecast', subject: '/var/log', week: { ...quiet.week, disk: week } };
    expect(evidenceOf(trace({ ...about, series: { disk } }))).toContain('full in about 10 d 20 h');
  });

  it('does not call a program new where no older list is stored', () => {
    const busy = [seen('ffmpeg', { cpuPercent: 590, startedAt: 0 }), seen('ffmpeg'), seen('postgres')];
    const known = trace({ series: { cpu: step(22, 91, 2) }, processes: busy });
    expect(evidenceOf(known)).toContain('2 processes, before 0');
    expect(evidenceOf({ ...known, processesBefore: [] })).not.toContain('before');
  });
});
